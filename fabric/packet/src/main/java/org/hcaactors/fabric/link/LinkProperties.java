// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

/**
 * Properties of the link from a port into the fabric.
 *
 * @param latencyNanos from the last bit sent to delivery, at most {@link #MAX_LATENCY_NANOS}
 * @param bitsPerSecond bandwidth; 0 for unlimited
 * @param mtuBytes largest IP packet; a larger one is dropped
 * @param queueBytes bytes of frames waiting to be sent; beyond it the newest is dropped
 */
public record LinkProperties(long latencyNanos, long bitsPerSecond, int mtuBytes, long queueBytes) {
    /** No latency, unlimited bandwidth, jumbo frames. */
    public static final LinkProperties IDEAL = new LinkProperties(0, 0, 9000, Long.MAX_VALUE);

    /** Maximum latency: a year. */
    public static final long MAX_LATENCY_NANOS = 365L * 24 * 3600 * 1_000_000_000;

    public LinkProperties {
        if (latencyNanos > MAX_LATENCY_NANOS) {
            throw new IllegalArgumentException(
                    "the latency is " + latencyNanos + " ns; at most " + MAX_LATENCY_NANOS + " ns, a year, is allowed");
        }
        if (latencyNanos < 0 || bitsPerSecond < 0 || mtuBytes < 1 || queueBytes < 1) {
            throw new IllegalArgumentException(
                    "latency and bandwidth must be at least 0, MTU and queue at least 1: latency " + latencyNanos
                            + " ns, " + bitsPerSecond + " bit/s, MTU " + mtuBytes + ", queue " + queueBytes + " bytes");
        }
    }

    public static LinkProperties of(long latencyNanos, long bitsPerSecond) {
        return new LinkProperties(latencyNanos, bitsPerSecond, 9000, 1 << 20);
    }

    boolean isImmediate() {
        return latencyNanos == 0 && bitsPerSecond == 0;
    }

    long serialisationNanos(int frameBytes) {
        return bitsPerSecond == 0 ? 0 : Math.ceilDiv(frameBytes * 8_000_000_000L, bitsPerSecond);
    }
}
