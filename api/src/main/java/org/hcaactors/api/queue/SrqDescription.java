// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;

/**
 * Description of a shared receive queue to create ({@code ibv_create_srq}, {@code ibv_create_srq_ex}). Immutable: each method
 * returns a new description, safe for several threads. It is checked when the queue is created; the actual sizes may be larger.
 *
 * @param <Q> kind of the queue
 */
public final class SrqDescription<Q extends SharedReceiveQueue> {
    /** 256 receives of up to 4 elements, of a queue without XRC and without tag matching. */
    public static final SrqDescription<SharedReceiveQueue> DEFAULT = new SrqDescription<>(
            SharedReceiveQueue.class, 256, 4, Placement.Chosen.UNSPECIFIED, Optional.empty(), Optional.empty());

    private final Class<Q> kind;
    private final int maxWr;
    private final int maxSge;
    private final Placement placement;
    private final Optional<Xrc> xrc;
    private final Optional<TagMatching> tagMatching;

    private SrqDescription(
            Class<Q> kind,
            int maxWr,
            int maxSge,
            Placement placement,
            Optional<Xrc> xrc,
            Optional<TagMatching> tagMatching) {
        this.kind = kind;
        this.maxWr = maxWr;
        this.maxSge = maxSge;
        this.placement = placement;
        this.xrc = xrc;
        this.tagMatching = tagMatching;
    }

    /**
     * Attributes of a shared receive queue for XRC.
     *
     * <p>Immutable.
     *
     * @param domain domain whose targets' peers may name the queue
     * @param cq completion queue of the messages that take its receives
     */
    public record Xrc(XrcDomain domain, CompletionQueue cq) {
        public Xrc {
            Objects.requireNonNull(domain, "domain is null; a shared receive queue of XRC requires an XRC domain");
            Objects.requireNonNull(cq, "cq is null; a shared receive queue of XRC requires a completion queue");
        }
    }

    /**
     * At least {@code receives} receives, each of up to 4 elements: the next power of two above that number, less one, as in mlx5.
     * With 0, every post is refused.
     */
    public static SrqDescription<SharedReceiveQueue> of(int receives) {
        return new SrqDescription<>(
                DEFAULT.kind, receives, DEFAULT.maxSge, DEFAULT.placement, DEFAULT.xrc, DEFAULT.tagMatching);
    }

    /** Sets the maximum number of scatter/gather elements of a receive. */
    public SrqDescription<Q> withMaxSge(int elements) {
        return new SrqDescription<>(kind, maxWr, elements, placement, xrc, tagMatching);
    }

    /** Places it on this shard of its network, preferably that of its queue pairs; EINVAL if there is no such shard. */
    public SrqDescription<Q> withShard(int shard) {
        return withPlacement(new Placement.On(shard));
    }

    /** Places it on the next shard of its network, in rotation. */
    public SrqDescription<Q> withNextShard() {
        return withPlacement(Placement.Chosen.NEXT);
    }

    /** Sets the placement, as {@link #withShard} does. */
    public SrqDescription<Q> withPlacement(Placement requested) {
        return new SrqDescription<>(kind, maxWr, maxSge, requested, xrc, tagMatching);
    }

    /**
     * The same sizes for XRC ({@code IBV_SRQT_XRC}), without tag matching. Peers name the queue by its number; it is placed on
     * the shard of its completion queue.
     *
     * @param domain domain whose targets' peers may name the queue
     * @param cq completion queue of the messages that take its receives
     */
    public SrqDescription<SharedReceiveQueue> withXrc(XrcDomain domain, CompletionQueue cq) {
        return new SrqDescription<>(
                SharedReceiveQueue.class, maxWr, maxSge, placement, Optional.of(new Xrc(domain, cq)), Optional.empty());
    }

    /**
     * A tag-matching queue ({@code IBV_SRQT_TM}), without XRC. The sizes are those for unexpected messages and for messages
     * without a tag; it is placed on the shard of its completion queue.
     */
    public SrqDescription<TagSharedReceiveQueue> withTagMatching(TagMatching requested) {
        return new SrqDescription<>(
                TagSharedReceiveQueue.class, maxWr, maxSge, placement, Optional.empty(), Optional.of(requested));
    }

    /** Interface of the queue. */
    public Class<Q> kind() {
        return kind;
    }

    public int maxWr() {
        return maxWr;
    }

    public int maxSge() {
        return maxSge;
    }

    /** Placement of a queue without a completion queue of its own; UNSPECIFIED: shard 0. */
    public Placement placement() {
        return placement;
    }

    /** Domain and completion queue of a queue for XRC; empty for others. */
    public Optional<Xrc> xrc() {
        return xrc;
    }

    /** Settings of a tag-matching queue; empty for others. */
    public Optional<TagMatching> tagMatching() {
        return tagMatching;
    }

    @Override
    public String toString() {
        return "shared receive queue, %d receives of %d elements%s".formatted(maxWr, maxSge, placement.text())
                + xrc.map(own -> ", in %s, completing on %s"
                                .formatted(own.domain().describe(), own.cq().describe()))
                        .orElse("")
                + tagMatching.map(own -> ", " + own).orElse("");
    }
}
