// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.hocon;

/** Something is wrong with a file. One line: where it is, which key, what is wrong, what is allowed. */
public final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** @param message may hold what stands in the file, over several lines: they are written as one */
    public RefusedException(String message) {
        super(message.replace("\r", "\\r").replace("\n", "\\n"));
    }
}
