// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import org.hcaactors.mutation.MutationPoint;

/**
 * Arithmetic on packet sequence numbers: 24 bits, modulo 2^24 (IBA 9.7.2; rule wire-psn). A PSN is an {@code int} in the low 24
 * bits, so that the hot path does not allocate.
 */
public final class Psn {
    public static final int MASK = 0xFF_FFFF;

    private Psn() {}

    public static int plus(int psn, int packets) {
        return (psn + packets) & MASK;
    }

    /** Serial-number comparison: the signed distance from {@code b} to {@code a}, -2^23 to 2^23-1. */
    @MutationPoint("psn.compare")
    public static int compare(int a, int b) {
        return ((a - b) << 8) >> 8;
    }

    /**
     * Returns the number of packets of a message of {@code lengthBytes}; a zero-length message takes one (rule
     * wire-psn-per-packet).
     */
    public static int packets(long lengthBytes, int mtuBytes) {
        return lengthBytes <= mtuBytes ? 1 : (int) ((lengthBytes + mtuBytes - 1) / mtuBytes);
    }
}
