// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/**
 * How much work the comparison of one capture may be. Ordinary captures of as many packets as are read need a small part of it; what
 * is left when it is spent is not judged, and is told.
 */
final class ComparisonLimits {
    /** Steps at most: looks at a packet, a stamp, a number. Some seconds in all. */
    static final int MAX_STEPS = 1 << 26;

    /** Of a machine that is given a packet, a request or a time-out, and for each packet that it sends. */
    static final int TURN = 64;

    /** Of comparing two packets field by field. */
    static final int CONTRAST = 64;

    private static final int BYTES_A_STEP = 64;

    private long left = MAX_STEPS;

    boolean isSpent() {
        return left <= 0;
    }

    void takes(long steps) {
        left -= steps;
    }

    void takesMemory(long bytes) {
        left -= bytes / BYTES_A_STEP;
    }
}
