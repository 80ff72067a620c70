// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.profile;

/** A value that profiles do not have or allow. The message says what was wrong and what is allowed. */
public final class ProfileValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProfileValueException(String what) {
        super(what);
    }

    ProfileValueException(String what, Throwable cause) {
        super(what, cause);
    }

    /** Returns the message, one sentence. */
    public String words() {
        return String.valueOf(getMessage());
    }
}
