// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

/** A cable that cannot be used, with the reason in one line. */
public final class CableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message the reason, and what helps */
    public CableException(String message) {
        super(message);
    }

    /** @param cause failure of the socket */
    public CableException(String message, Throwable cause) {
        super(message, cause);
    }
}
