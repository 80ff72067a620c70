// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;

/** The file is not a capture, or it is damaged or ends inside a record. Records before the damage were read correctly. */
public final class CaptureFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    public CaptureFormatException(String what) {
        super(what);
    }
}
