// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;

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
    private final Optional<CompletionQueue> sendQueue;
    private final Optional<CompletionQueue> receiveQueue;
    private final Optional<SharedReceiveQueue> sharedReceives;
    private final QpCapacity capacity;
    private final Options options;
    private final Placement placement;

    private QpDescription(
            Class<Q> kind,
            QpType type,
            Optional<CompletionQueue> sendQueue,
            Optional<CompletionQueue> receiveQueue,
            Optional<SharedReceiveQueue> sharedReceives,
            QpCapacity capacity,
            Options options,
            Placement placement) {
        this.kind = kind;
        this.type = type;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.sharedReceives = sharedReceives;
        this.capacity = capacity;
        this.options = options;
        this.placement = placement;
    }

    /** Creation flags of a queue pair; {@link #DEFAULT} has none. Immutable; options are added in minor versions. */
    public static final class Options {
        public static final Options DEFAULT =
                new Options(false, false, 0, ScatterToCqe.DEFAULT, false, Optional.empty(), false);

        private final boolean signalAll;
        private final boolean blockOwnMulticast;
        private final int maxInlineEntries;
        private final ScatterToCqe scatterToCqe;
        private final boolean bigEndianReplies;
        private final Optional<DcStreams> streams;
        private final boolean fullHandshake;

        private Options(
                boolean signalAll,
                boolean blockOwnMulticast,
                int maxInlineEntries,
                ScatterToCqe scatterToCqe,
                boolean bigEndianReplies,
                Optional<DcStreams> streams,
                boolean fullHandshake) {
            this.signalAll = signalAll;
            this.blockOwnMulticast = blockOwnMulticast;
            this.maxInlineEntries = maxInlineEntries;
            this.scatterToCqe = scatterToCqe;
            this.bigEndianReplies = bigEndianReplies;
            this.streams = streams;
            this.fullHandshake = fullHandshake;
        }

        public Options signalingAll() {
            return new Options(
                    true, blockOwnMulticast, maxInlineEntries, scatterToCqe, bigEndianReplies, streams, fullHandshake);
        }

        public Options blockingOwnMulticast() {
            return new Options(
                    signalAll, true, maxInlineEntries, scatterToCqe, bigEndianReplies, streams, fullHandshake);
        }

        /** @param inlineEntries 0: requests to fill keys are not accepted */
        public Options fillingKeys(int inlineEntries) {
            return new Options(
                    signalAll,
                    blockOwnMulticast,
                    inlineEntries,
                    scatterToCqe,
                    bigEndianReplies,
                    streams,
                    fullHandshake);
        }

        public Options with(ScatterToCqe requested) {
            return new Options(
                    signalAll,
                    blockOwnMulticast,
                    maxInlineEntries,
                    requested,
                    bigEndianReplies,
                    streams,
                    fullHandshake);
        }

        public Options takingBigEndianReplies() {
            return new Options(
                    signalAll, blockOwnMulticast, maxInlineEntries, scatterToCqe, true, streams, fullHandshake);
        }

        public Options with(DcStreams requested) {
            return new Options(
                    signalAll,
                    blockOwnMulticast,
                    maxInlineEntries,
                    scatterToCqe,
                    bigEndianReplies,
                    Optional.of(requested),
                    fullHandshake);
        }

        public Options forcingFullHandshake() {
            return new Options(
                    signalAll, blockOwnMulticast, maxInlineEntries, scatterToCqe, bigEndianReplies, streams, true);
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
        public String toString() {
            return (signalAll ? ", signaling all" : "")
                    + (blockOwnMulticast ? ", blocking its own multicast" : "")
                    + (maxInlineEntries == 0 ? "" : ", filling keys of up to " + maxInlineEntries + " entries")
                    + switch (scatterToCqe) {
                        case DEFAULT -> "";
                        case ALLOWED -> ", allowing data in completions";
                        case DISABLED -> ", without data in completions";
                    }
                    + (bigEndianReplies ? ", taking big-endian replies" : "")
                    + streams.map(some -> ", on " + some.channels() + " channels")
                            .orElse("")
                    + (fullHandshake ? ", by full handshake" : "");
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

    /** An XRC initiator ({@code IBV_QPT_XRC_SEND}). It has no receive queue; receive settings are ignored. */
    public static QpDescription<XrcQueuePair> xrc() {
        return of(XrcQueuePair.class, QpType.XRC_INI);
    }

    /** A DC initiator. It has no receive queue; receive settings are ignored. */
    public static QpDescription<DcInitiator> dc() {
        return of(DcInitiator.class, QpType.DC_INI);
    }

    private static <Q extends QueuePair> QpDescription<Q> of(Class<Q> kind, QpType type) {
        return new QpDescription<>(
                kind,
                type,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                QpCapacity.DEFAULT,
                Options.DEFAULT,
                Placement.Chosen.UNSPECIFIED);
    }

    /** Sets the queue of send completions, and of receive completions unless {@link #recvCq} names another. */
    public QpDescription<Q> sendCq(CompletionQueue queue) {
        return new QpDescription<>(
                kind, type, Optional.of(queue), receiveQueue, sharedReceives, capacity, options, placement);
    }

    /** Sets the queue of receive completions; by default that of send completions. */
    public QpDescription<Q> recvCq(CompletionQueue queue) {
        return new QpDescription<>(
                kind, type, sendQueue, Optional.of(queue), sharedReceives, capacity, options, placement);
    }

    /** Takes receives from {@code queue}; creating an unreliable connected queue pair with it is EINVAL (ibv_create_qp(3)). */
    public QpDescription<Q> srq(SharedReceiveQueue queue) {
        return new QpDescription<>(
                kind, type, sendQueue, receiveQueue, Optional.of(queue), capacity, options, placement);
    }

    /** Sets the sizes; {@link QpCapacity#DEFAULT} by default. */
    public QpDescription<Q> capacity(QpCapacity requested) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, requested, options, placement);
    }

    /** Every work request writes a completion, signaled or not ({@code sq_sig_all}). */
    public QpDescription<Q> signalingAll() {
        return with(options.signalingAll());
    }

    /** Its own datagrams to a multicast group are not looped back to it ({@code BLOCK_SELF_MCAST_LB}). */
    public QpDescription<Q> blockingOwnMulticast() {
        return with(options.blockingOwnMulticast());
    }

    /**
     * Accepts requests to fill indirect keys, with up to four inline entries each. RC only: otherwise creation is EOPNOTSUPP,
     * also if the adapter has no indirect keys.
     */
    public QpDescription<Q> fillingKeys() {
        return fillingKeys(4);
    }

    /**
     * Accepts requests to fill indirect keys. RC only: otherwise creation is EOPNOTSUPP, also if the adapter has no indirect
     * keys.
     *
     * @param inlineEntries maximum inline entries of a request, up to the profile's {@code indirectKeys().maxInlineEntries()};
     *     more need list memory. 0: no such requests are accepted
     */
    public QpDescription<Q> fillingKeys(int inlineEntries) {
        return with(options.fillingKeys(inlineEntries));
    }

    /**
     * Writes short messages and results into their completions, regardless of the environment, and results of READs and atomics
     * also if not all requests are signaled ({@code MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE}). The result of an unsignaled
     * request, which has no completion, is written to its buffer as usual. EOPNOTSUPP if the adapter does not support it.
     */
    public QpDescription<Q> allowingScatterToCqe() {
        return with(options.with(ScatterToCqe.ALLOWED));
    }

    /**
     * Writes nothing into completions, regardless of the environment ({@code MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE}); EINVAL
     * together with a {@linkplain QpCapacity#withMaxInlineReceiveBytes capacity} that requests it.
     */
    public QpDescription<Q> disablingScatterToCqe() {
        return with(options.with(ScatterToCqe.DISABLED));
    }

    /**
     * Accepts big-endian results of atomics ({@code IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). Without it, posting an atomic is
     * EINVAL on an adapter with {@linkplain org.hcaactors.api.capability.AtomicCapabilities#bigEndianReplies big-endian
     * results}.
     */
    public QpDescription<Q> takingBigEndianReplies() {
        return with(options.takingBigEndianReplies());
    }

    /**
     * Runs the requests of a DC initiator on streams, which fail independently; EOPNOTSUPP if the adapter has no streams,
     * EINVAL above its limits ({@linkplain org.hcaactors.api.capability.DcCapabilities#logStreamChannels concurrent},
     * {@linkplain org.hcaactors.api.capability.DcCapabilities#logErroredStreams in error}) and for other kinds.
     */
    public QpDescription<Q> streams(DcStreams requested) {
        return with(options.with(requested));
    }

    /**
     * A DC initiator sends no request before its CONNECT is answered: one round trip more, but no message is sent in vain.
     * EINVAL for other kinds.
     */
    public QpDescription<Q> forcingFullHandshake() {
        return with(options.forcingFullHandshake());
    }

    /**
     * Places it, and its own completion queue, on this shard of its network; EINVAL if there is no such shard, or if {@link
     * #sendCq} names a queue on another shard.
     */
    public QpDescription<Q> onShard(int shard) {
        return at(new Placement.On(shard));
    }

    /** Sets the placement, as {@link #onShard}. */
    public QpDescription<Q> at(Placement requested) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, capacity, options, requested);
    }

    private QpDescription<Q> with(Options other) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, capacity, other, placement);
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
    public Optional<CompletionQueue> sendQueue() {
        return sendQueue;
    }

    /** Queue of receive completions; empty: the same as for sends. */
    public Optional<CompletionQueue> receiveQueue() {
        return receiveQueue;
    }

    /** Shared receive queue; empty: a receive queue of its own. */
    public Optional<SharedReceiveQueue> sharedReceives() {
        return sharedReceives;
    }

    public QpCapacity capacity() {
        return capacity;
    }

    public Options options() {
        return options;
    }

    /** Placement; UNSAID: the shard of the queues that it names, the send queue first. */
    public Placement placement() {
        return placement;
    }

    /** Placement by the settings and the named queues; UNSAID if it has only its own queue. */
    public Placement effectivePlacement() {
        if (placement != Placement.Chosen.UNSPECIFIED) {
            return placement;
        }
        return sendQueue
                .or(() -> receiveQueue)
                .map(CompletionQueue::shard)
                .or(() -> sharedReceives.map(SharedReceiveQueue::shard))
                .<Placement>map(Placement.On::new)
                .orElse(Placement.Chosen.UNSPECIFIED);
    }

    @Override
    public String toString() {
        return "%s queue pair, %s, sends complete on %s, receives %son %s%s%s"
                .formatted(
                        type,
                        capacity,
                        sendQueue.map(CompletionQueue::describe).orElse("a queue of its own"),
                        sharedReceives
                                .map(srq -> "come from " + srq.describe() + " and complete ")
                                .orElse("complete "),
                        receiveQueue.map(CompletionQueue::describe).orElse("the same"),
                        options,
                        placement.words());
    }
}
