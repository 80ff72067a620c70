// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

/**
 * Limit of the work for the comparison of one capture. Ordinary captures of the maximum length need a small part of it; what is
 * left when it is used up is not compared, and reported.
 */
final class ComparisonLimits {
    /** Maximum number of steps, each a look at a packet, a stamp or a number: some seconds in all. */
    static final int MAX_STEPS = 1 << 26;

    /** Steps of a machine for a packet, a request or a timeout, and for each packet that it sends. */
    static final int TURN = 64;

    /** Steps for comparing two packets field by field. */
    static final int CONTRAST = 64;

    private static final int BYTES_A_STEP = 64;

    private long stepsLeft = MAX_STEPS;

    boolean isSpent() {
        return stepsLeft <= 0;
    }

    void takes(long steps) {
        stepsLeft -= steps;
    }

    void takesMemory(long bytes) {
        stepsLeft -= bytes / BYTES_A_STEP;
    }
}
