// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

/**
 * Times of communication management (rule cm-timeouts).
 *
 * @param responseCode time in which an end answers, 5 bits: 4.096 us times 2 to its power
 * @param maxRetries repetitions of a message, 0 to 15
 * @param serviceCode time for which an MRA asks, 5 bits
 * @param packetLifeNanos maximum lifetime of a packet
 */
public record CmTimeouts(int responseCode, int maxRetries, int serviceCode, long packetLifeNanos) {
    /** Number of bits of a code. */
    private static final int MAX_CODE = 31;

    private static final int MAX_RETRIES = 15;

    /** Odd factor that gives consecutive numbers hashes far from each other. */
    private static final int HASH = 0x9E37_79B9;

    private static final long UNIT_NANOS = 4_096;

    /** 4.3 s for an answer, 15 repetitions, and 69 s for a program's decision, as Linux's rdma_cm. */
    public static CmTimeouts linux(long packetLifeNanos) {
        return new CmTimeouts(20, MAX_RETRIES, 24, packetLifeNanos);
    }

    public CmTimeouts {
        check("response timeout", responseCode, MAX_CODE);
        check("number of retries", maxRetries, MAX_RETRIES);
        check("service timeout", serviceCode, MAX_CODE);
        if (packetLifeNanos < 0) {
            throw new IllegalArgumentException(
                    "the lifetime of a packet is " + packetLifeNanos + " ns; 0 or more is allowed");
        }
    }

    private static void check(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException("the " + what + " is " + value + "; 0 to " + max + " are allowed");
        }
    }

    /** Returns the time of a code. */
    public static long nanos(int code) {
        return UNIT_NANOS << code;
    }

    /** Returns how long an end waits for an answer of an end that answers within the time of that code. */
    long waitNanos(int code) {
        return nanos(code) + 2 * packetLifeNanos;
    }

    // rule cm-spread
    /**
     * Returns the additional time before a REQ is repeated, up to a quarter of the response time: requests that were dropped
     * together are not repeated together.
     *
     * @param code of the response time
     */
    static long spreadNanos(int code, int commId) {
        int hash = commId * HASH >>> Short.SIZE;
        return maxSpreadNanos(code) * hash >> Short.SIZE;
    }

    /** Returns the maximum of {@link #spreadNanos}. */
    static long maxSpreadNanos(int code) {
        return nanos(code) >>> 2;
    }

    // rule cm-time-wait
    long timeWaitNanos() {
        return 2 * packetLifeNanos;
    }
}
