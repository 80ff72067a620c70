// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.completion.Placement;

/**
 * Description of a shared receive queue to create ({@code ibv_create_srq}, {@code ibv_create_srq_ex}). Immutable: each method
 * returns a new description, safe for several threads. It is checked when the queue is created; the actual sizes may be larger.
 */
public final class SrqDescription {
    /** 256 receives of up to 4 elements. */
    public static final SrqDescription DEFAULT = new SrqDescription(256, 4, Placement.Chosen.UNSPECIFIED);

    private final int maxWr;
    private final int maxSge;
    private final Placement placement;

    private SrqDescription(int maxWr, int maxSge, Placement placement) {
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        this.placement = placement;
    }

    /** At least {@code receives} receives, each of up to 4 elements. */
    public static SrqDescription of(int receives) {
        return new SrqDescription(receives, DEFAULT.maxSge, DEFAULT.placement);
    }

    /** Sets the maximum number of scatter/gather elements of a receive. */
    public SrqDescription withMaxSge(int elements) {
        return new SrqDescription(maxWr, elements, placement);
    }

    /** Places it on this shard of its network, preferably that of its queue pairs; EINVAL if there is no such shard. */
    public SrqDescription withShard(int shard) {
        return new SrqDescription(maxWr, maxSge, new Placement.On(shard));
    }

    /** Places it on the next shard of its network, in rotation. */
    public SrqDescription withNextShard() {
        return new SrqDescription(maxWr, maxSge, Placement.Chosen.NEXT);
    }

    public int maxWr() {
        return maxWr;
    }

    public int maxSge() {
        return maxSge;
    }

    /** Placement; UNSAID: shard 0. */
    public Placement placement() {
        return placement;
    }

    @Override
    public String toString() {
        return "shared receive queue, %d receives of %d elements%s".formatted(maxWr, maxSge, placement.words());
    }
}
