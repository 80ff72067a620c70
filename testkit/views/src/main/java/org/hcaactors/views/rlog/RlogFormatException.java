// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.io.IOException;

/** A file is not a valid recorded run. The message says which text is wrong and what is allowed. */
public final class RlogFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    RlogFormatException(String message) {
        super(message);
    }
}
