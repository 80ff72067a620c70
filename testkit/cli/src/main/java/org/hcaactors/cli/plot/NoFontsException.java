// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

/** This JVM finds no letters: AWT needs fontconfig and a font on the machine, a display it needs not. */
public final class NoFontsException extends Exception {
    /** What to do about it, in a line. */
    public static final String ADVICE =
            "this JVM finds no fonts to draw with; install fontconfig and a font, as fonts-dejavu-core";

    private static final long serialVersionUID = 1L;

    NoFontsException(Throwable cause) {
        super(ADVICE, cause);
    }
}
