// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;

/** A file is no capture, or ends or breaks off inside a record. What was read before stands. */
public final class CaptureFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    public CaptureFormatException(String what) {
        super(what);
    }
}
