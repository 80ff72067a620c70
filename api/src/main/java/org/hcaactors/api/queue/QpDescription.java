// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;
import org.jspecify.annotations.Nullable;

/**
 * Description of a queue pair to create ({@code ibv_create_qp}). Each method returns a new description. One description can
 * create any number of queue pairs, in any domain whose context has the objects that it names. It is checked at creation.
 *
 * <p>Immutable.
 *
 * @param <Q> the kind of queue pair
 */
public final class QpDescription<Q extends QueuePair> {
    private final Class<Q> kind;
    private final QpType type;
    private final Fields fields;

    private QpDescription(Class<Q> kind, QpType type, Fields fields) {
        this.kind = kind;
        this.type = type;
        this.fields = fields;
    }

    /** Values of one description. Written only by {@link #with}, before the new description exists. */
    private static final class Fields {
        private Optional<CompletionQueue> sendCq = Optional.empty();
        private Optional<CompletionQueue> recvCq = Optional.empty();
        private Optional<SharedReceiveQueue> srq = Optional.empty();
        private QpCapacity capacity = QpCapacity.DEFAULT;
        private Options options = Options.DEFAULT;
        private Placement placement = Placement.Chosen.UNSPECIFIED;

        private Fields() {}

        private Fields(Fields other) {
            sendCq = other.sendCq;
            recvCq = other.recvCq;
            srq = other.srq;
            capacity = other.capacity;
            options = other.options;
            placement = other.placement;
        }
    }

    /**
     * Further options of a queue pair; {@link #DEFAULT} has all of them off. Immutable; methods of {@link QpDescription} set
     * them. Options are added in minor versions.
     */
    public static final class Options {
        public static final Options DEFAULT = new Options();

        // Written only by withOption, before the new options are published.
        private boolean signalAll;
        private boolean blockOwnMulticast;
        private int maxInlineEntries;
        private ScatterToCqe scatterToCqe = ScatterToCqe.DEFAULT;
        private boolean bigEndianReplies;
        private Optional<DcStreams> streams = Optional.empty();
        private boolean fullHandshake;

        private Options() {}

        private Options(Options other) {
            signalAll = other.signalAll;
            blockOwnMulticast = other.blockOwnMulticast;
            maxInlineEntries = other.maxInlineEntries;
            scatterToCqe = other.scatterToCqe;
            bigEndianReplies = other.bigEndianReplies;
            streams = other.streams;
            fullHandshake = other.fullHandshake;
        }

        /** True if every work request writes a completion, signaled or not ({@code sq_sig_all}). */
        public boolean signalAll() {
            return signalAll;
        }

        /** True if its own datagrams to a multicast group are not looped back to it ({@code BLOCK_SELF_MCAST_LB}). */
        public boolean blockOwnMulticast() {
            return blockOwnMulticast;
        }

        /**
         * Maximum entries inline in a request to fill an indirect key ({@code max_inl_send_klms}); 0: the queue pair accepts no
         * such requests ({@code IBV_EXP_QP_CREATE_UMR}).
         */
        public int maxInlineEntries() {
            return maxInlineEntries;
        }

        /** Whether short messages and results are written into their completions. */
        public ScatterToCqe scatterToCqe() {
            return scatterToCqe;
        }

        /** True if it accepts big-endian results of atomics ({@code IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). */
        public boolean bigEndianReplies() {
            return bigEndianReplies;
        }

        /** Streams of a DC initiator; empty if it has none. */
        public Optional<DcStreams> streams() {
            return streams;
        }

        /** True if a DC initiator sends no request before its CONNECT is answered. */
        public boolean fullHandshake() {
            return fullHandshake;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Options same && values().equals(same.values());
        }

        @Override
        public int hashCode() {
            return values().hashCode();
        }

        private List<Object> values() {
            return List.of(
                    signalAll,
                    blockOwnMulticast,
                    maxInlineEntries,
                    scatterToCqe,
                    bigEndianReplies,
                    streams,
                    fullHandshake);
        }

        @Override
        public String toString() {
            return (signalAll ? ", signaling all" : "")
                    + (blockOwnMulticast ? ", blocking multicast loopback" : "")
                    + (maxInlineEntries == 0 ? "" : ", filling indirect keys of up to " + maxInlineEntries + " entries")
                    + switch (scatterToCqe) {
                        case DEFAULT -> "";
                        case ALLOWED -> ", allowing data in completions";
                        case DISABLED -> ", without data in completions";
                    }
                    + (bigEndianReplies ? ", accepting big-endian replies" : "")
                    + streams.map(some -> ", on " + some.channels() + " channels")
                            .orElse("")
                    + (fullHandshake ? ", with full handshake" : "");
        }
    }

    /** A reliable connected queue pair. */
    public static QpDescription<RcQueuePair> rc() {
        return of(RcQueuePair.class, QpType.RC);
    }

    /** An unreliable connected queue pair. */
    public static QpDescription<UcQueuePair> uc() {
        return of(UcQueuePair.class, QpType.UC);
    }

    /** An unreliable datagram queue pair. */
    public static QpDescription<UdQueuePair> ud() {
        return of(UdQueuePair.class, QpType.UD);
    }

    /** An XRC initiator ({@code IBV_QPT_XRC_SEND}). It has no receive queue: a shared receive queue is EINVAL. */
    public static QpDescription<XrcQueuePair> xrc() {
        return of(XrcQueuePair.class, QpType.XRC_INI);
    }

    /** A DC initiator. It has no receive queue: a shared receive queue is EINVAL. */
    public static QpDescription<DcInitiator> dc() {
        return of(DcInitiator.class, QpType.DC_INI);
    }

    private static <Q extends QueuePair> QpDescription<Q> of(Class<Q> kind, QpType type) {
        return new QpDescription<>(kind, type, new Fields());
    }

    /** Sets the queue of send completions, and of receive completions unless {@link #withRecvCq} names another queue. */
    public QpDescription<Q> withSendCq(CompletionQueue queue) {
        return with(now -> now.sendCq = Optional.of(queue));
    }

    /** Sets the queue of receive completions; by default that of send completions. */
    public QpDescription<Q> withRecvCq(CompletionQueue queue) {
        return with(now -> now.recvCq = Optional.of(queue));
    }

    /** Takes receives from {@code queue}; creating an unreliable connected queue pair with it is EINVAL (ibv_create_qp(3)). */
    public QpDescription<Q> withSrq(SharedReceiveQueue queue) {
        return with(now -> now.srq = Optional.of(queue));
    }

    /** Sets the sizes; {@link QpCapacity#DEFAULT} by default. */
    public QpDescription<Q> withCapacity(QpCapacity requested) {
        return with(now -> now.capacity = requested);
    }

    /** Writes a completion for every work request, signaled or not ({@code sq_sig_all}). */
    public QpDescription<Q> withSignalAll() {
        return withOption(now -> now.signalAll = true);
    }

    /** Does not loop its own datagrams to a multicast group back to it ({@code BLOCK_SELF_MCAST_LB}). */
    public QpDescription<Q> withBlockOwnMulticast() {
        return withOption(now -> now.blockOwnMulticast = true);
    }

    /**
     * Accepts requests to fill indirect keys, with up to four inline entries each. RC only: otherwise creation is EOPNOTSUPP,
     * also if the adapter has no indirect keys.
     */
    public QpDescription<Q> withKeyFilling() {
        return withKeyFilling(4);
    }

    /**
     * Accepts requests to fill indirect keys. RC only: otherwise creation is EOPNOTSUPP, also if the adapter has no indirect
     * keys.
     *
     * @param inlineEntries maximum inline entries of a request, up to the profile's {@code indirectKeys().maxInlineEntries()};
     *     more need list memory. 0: no such requests are accepted
     */
    public QpDescription<Q> withKeyFilling(int inlineEntries) {
        return withOption(now -> now.maxInlineEntries = inlineEntries);
    }

    /**
     * Sets whether short messages and results are written into their completions. With {@link ScatterToCqe#ALLOWED} they are,
     * regardless of the environment; results of READs and atomics also if not all requests are signaled, but the result of an
     * unsignaled request, which has no completion, is written to its buffer. EOPNOTSUPP if the adapter has no inline data in
     * completions. With {@link ScatterToCqe#DISABLED} nothing is; EINVAL if the {@linkplain
     * QpCapacity#withMaxInlineReceiveBytes capacity} requests inline receives.
     */
    public QpDescription<Q> withScatterToCqe(ScatterToCqe requested) {
        return withOption(now -> now.scatterToCqe = requested);
    }

    /**
     * Accepts big-endian results of atomics ({@code IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). Without it, posting an atomic is
     * EINVAL on an adapter with {@linkplain org.hcaactors.api.capability.AtomicCapabilities#bigEndianReplies big-endian
     * results}.
     */
    public QpDescription<Q> withBigEndianReplies() {
        return withOption(now -> now.bigEndianReplies = true);
    }

    /**
     * Runs the requests of a DC initiator on streams, which fail independently; EOPNOTSUPP if the adapter has no streams,
     * EINVAL above its limits ({@linkplain org.hcaactors.api.capability.DcCapabilities#logStreamChannels concurrent},
     * {@linkplain org.hcaactors.api.capability.DcCapabilities#logErroredStreams in error}) and for other kinds.
     */
    public QpDescription<Q> withStreams(DcStreams requested) {
        return withOption(now -> now.streams = Optional.of(requested));
    }

    /**
     * Makes a DC initiator send no request before its CONNECT is answered: this takes one more round trip, but a target that
     * refuses the CONNECT receives no message.
     * EINVAL for other kinds.
     */
    public QpDescription<Q> withFullHandshake() {
        return withOption(now -> now.fullHandshake = true);
    }

    /**
     * Places the queue pair, and the completion queue that is created with it, on a shard of its network. EINVAL if the network
     * has no such shard, or if the queue of {@link #withSendCq} is on another shard.
     */
    public QpDescription<Q> withShard(int shard) {
        return withPlacement(new Placement.On(shard));
    }

    /** Places it on the next shard of its network, in rotation, unless it names a completion queue. */
    public QpDescription<Q> withNextShard() {
        return withPlacement(Placement.Chosen.NEXT);
    }

    /** Sets the placement, as {@link #withShard} does. */
    public QpDescription<Q> withPlacement(Placement requested) {
        return with(now -> now.placement = requested);
    }

    private QpDescription<Q> with(Consumer<Fields> change) {
        Fields copy = new Fields(fields);
        change.accept(copy);
        return new QpDescription<>(kind, type, copy);
    }

    private QpDescription<Q> withOption(Consumer<Options> change) {
        Options copy = new Options(fields.options);
        change.accept(copy);
        return with(now -> now.options = copy);
    }

    /** Interface of the queue pair to create. */
    public Class<Q> kind() {
        return kind;
    }

    public QpType type() {
        return type;
    }

    /**
     * Queue of send completions; empty: a queue of its own for both directions, which is destroyed with it unless another queue
     * pair uses it too.
     */
    public Optional<CompletionQueue> sendCq() {
        return fields.sendCq;
    }

    /** Queue of receive completions; empty: the same as for sends. */
    public Optional<CompletionQueue> recvCq() {
        return fields.recvCq;
    }

    /** Shared receive queue; empty: a receive queue of its own. */
    public Optional<SharedReceiveQueue> srq() {
        return fields.srq;
    }

    public QpCapacity capacity() {
        return fields.capacity;
    }

    public Options options() {
        return fields.options;
    }

    /** Placement; UNSPECIFIED: the shard of the first queue that it names, in the order send, receive, shared receive queue. */
    public Placement placement() {
        return fields.placement;
    }

    /** Placement that follows from the settings and the named queues; UNSPECIFIED if it names neither a shard nor a queue. */
    public Placement effectivePlacement() {
        if (fields.placement != Placement.Chosen.UNSPECIFIED) {
            return fields.placement;
        }
        return fields.sendCq
                .or(() -> fields.recvCq)
                .map(CompletionQueue::shard)
                .or(() -> fields.srq.map(SharedReceiveQueue::shard))
                .<Placement>map(Placement.On::new)
                .orElse(Placement.Chosen.UNSPECIFIED);
    }

    @Override
    public String toString() {
        return "%s queue pair, %s, sends complete on %s, receives %son %s%s%s"
                .formatted(
                        type,
                        fields.capacity,
                        fields.sendCq.map(CompletionQueue::describe).orElse("its own completion queue"),
                        fields.srq
                                .map(shared -> "come from " + shared.describe() + " and complete ")
                                .orElse("complete "),
                        fields.recvCq.map(CompletionQueue::describe).orElse("the same queue"),
                        fields.options,
                        fields.placement.text());
    }
}
