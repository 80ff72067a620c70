// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

/** A program did otherwise than the recording. */
public final class ReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Difference difference;

    /** @param recording names the recording */
    public ReplayException(String recording, Difference difference) {
        super(recording + ": " + difference);
        this.difference = difference;
    }

    /** Returns what was different. */
    public Difference difference() {
        return difference;
    }
}
