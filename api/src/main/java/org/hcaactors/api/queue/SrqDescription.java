// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * Describes a shared receive queue before it is created ({@code ibv_create_srq}, {@code ibv_create_srq_ex}). Immutable: each
 * call gives a new description, safe for several threads. What is asked for is judged when the queue is created, which may
 * give more.
 */
public final class SrqDescription {
    /** 256 receives of up to 4 elements. */
    public static final SrqDescription DEFAULT = new SrqDescription(256, 4);

    private final int maxWr;
    private final int maxSge;

    private SrqDescription(int maxWr, int maxSge) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
    }

    /** At least that many receives, each of up to 4 elements. */
    public static SrqDescription of(int receives) {
        return new SrqDescription(receives, DEFAULT.maxSge);
    }

    /** Elements of a receive. */
    public SrqDescription withMaxSge(int elements) {
        return new SrqDescription(maxWr, elements);
    }

    public int maxWr() {
        return maxWr;
    }

    public int maxSge() {
        return maxSge;
    }

    @Override
    public String toString() {
        return "shared receive queue, %d receives of %d elements".formatted(maxWr, maxSge);
    }
}
