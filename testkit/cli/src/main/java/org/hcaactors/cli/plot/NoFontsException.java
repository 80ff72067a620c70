// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

/** AWT found no fonts. It needs fontconfig and a font, but no display. */
public final class NoFontsException extends Exception {
    /** Advice in one line. */
    public static final String ADVICE =
            "this JVM finds no fonts for the chart; install fontconfig and a font, such as fonts-dejavu-core";

    private static final long serialVersionUID = 1L;

    NoFontsException(Throwable cause) {
        super(ADVICE, cause);
    }
}
