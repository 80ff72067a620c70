// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.completion.Placement;

/**
 * Describes a shared receive queue before it is created ({@code ibv_create_srq}, {@code ibv_create_srq_ex}). Immutable: each
 * call gives a new description, safe for several threads. What is asked for is judged when the queue is created, which may
 * give more.
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

    /** At least that many receives, each of up to 4 elements. */
    public static SrqDescription of(int receives) {
        return new SrqDescription(receives, DEFAULT.maxSge, DEFAULT.placement);
    }

    /** Elements of a receive. */
    public SrqDescription withMaxSge(int elements) {
        return new SrqDescription(maxWr, elements, placement);
    }

    /** It lives on that shard of its network, best where its queue pairs do; EINVAL for one that there is not. */
    public SrqDescription withShard(int shard) {
        return new SrqDescription(maxWr, maxSge, new Placement.On(shard));
    }

    /** It lives on the next shard of its network, each of them in its turn. */
    public SrqDescription withNextShard() {
        return new SrqDescription(maxWr, maxSge, Placement.Chosen.NEXT);
    }

    public int maxWr() {
        return maxWr;
    }

    public int maxSge() {
        return maxSge;
    }

    /** Where it lives; unsaid: on shard 0. */
    public Placement placement() {
        return placement;
    }

    @Override
    public String toString() {
        return "shared receive queue, %d receives of %d elements%s".formatted(maxWr, maxSge, placement.words());
    }
}
