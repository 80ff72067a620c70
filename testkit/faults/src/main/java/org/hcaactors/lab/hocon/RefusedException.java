// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

/** An error in a file, reported in one line: place, key, error, and what is allowed. */
public final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** @param message may contain text of the file over several lines; line breaks are escaped */
    public RefusedException(String message) {
        super(message.replace("\r", "\\r").replace("\n", "\\n"));
    }
}
