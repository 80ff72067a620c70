// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Placement;

/**
 * Describes a queue pair before it is created ({@code ibv_create_qp}). Each call gives a new description; any number of queue
 * pairs, in any domains that can use what it names, can be created from one. What is asked for is judged when that is done.
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

    /** What else a queue pair is; all of it off by {@link #DEFAULT}. Immutable; options are added in minor versions. */
    public static final class Options {
        public static final Options DEFAULT =
                new Options(false, false, 0, ScatterToCqe.AS_ASKED, false, Optional.empty(), false);

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

        /** @param inlineEntries 0: it fills none */
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

        /** Every work request writes a completion, whatever its flags say ({@code sq_sig_all}). */
        public boolean signalAll() {
            return signalAll;
        }

        /** Its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB}). */
        public boolean blockOwnMulticast() {
            return blockOwnMulticast;
        }

        /**
         * Entries that a request to fill an indirect key carries itself ({@code max_inl_send_klms}); 0: the queue pair takes
         * none ({@code IBV_EXP_QP_CREATE_UMR}).
         */
        public int maxInlineEntries() {
            return maxInlineEntries;
        }

        /** Whether short messages and results travel in their completions. */
        public ScatterToCqe scatterToCqe() {
            return scatterToCqe;
        }

        /** It knows that its atomics may bring their results big-endian ({@code IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). */
        public boolean bigEndianReplies() {
            return bigEndianReplies;
        }

        /** Of a dynamically connected initiator; empty where all its requests are of one. */
        public Optional<DcStreams> streams() {
            return streams;
        }

        /** A dynamically connected initiator sends nothing before its CONNECT is answered. */
        public boolean fullHandshake() {
            return fullHandshake;
        }

        @Override
        public String toString() {
            return (signalAll ? ", signaling all" : "")
                    + (blockOwnMulticast ? ", blocking its own multicast" : "")
                    + (maxInlineEntries == 0 ? "" : ", filling keys of up to " + maxInlineEntries + " entries")
                    + switch (scatterToCqe) {
                        case AS_ASKED -> "";
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

    /** What asks in an extended reliable connection. It has no receives: what is said of them counts for nothing. */
    public static QpDescription<XrcQueuePair> xrc() {
        return of(XrcQueuePair.class, QpType.XRC_INI);
    }

    /** What asks over the dynamically connected transport. It has no receives: what is said of them counts for nothing. */
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
                Placement.Chosen.UNSAID);
    }

    /** Send completions, and receive completions unless {@link #recvCq} names another queue. */
    public QpDescription<Q> sendCq(CompletionQueue queue) {
        return new QpDescription<>(
                kind, type, Optional.of(queue), receiveQueue, sharedReceives, capacity, options, placement);
    }

    /** Receive completions; where no queue is named, they go where send completions go. */
    public QpDescription<Q> recvCq(CompletionQueue queue) {
        return new QpDescription<>(
                kind, type, sendQueue, Optional.of(queue), sharedReceives, capacity, options, placement);
    }

    /** Receives come from {@code queue}; refused with EINVAL for unreliable connected (ibv_create_qp(3)). */
    public QpDescription<Q> srq(SharedReceiveQueue queue) {
        return new QpDescription<>(
                kind, type, sendQueue, receiveQueue, Optional.of(queue), capacity, options, placement);
    }

    /** Sizes; {@link QpCapacity#DEFAULT} unless named. */
    public QpDescription<Q> capacity(QpCapacity requested) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, requested, options, placement);
    }

    /** Every work request writes a completion, whatever its flags say ({@code sq_sig_all}). */
    public QpDescription<Q> signalingAll() {
        return with(options.signalingAll());
    }

    /** Its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB}). */
    public QpDescription<Q> blockingOwnMulticast() {
        return with(options.blockingOwnMulticast());
    }

    /**
     * It takes requests to fill indirect keys, with up to four entries in each; reliable connected ones only: else it is
     * refused with EOPNOTSUPP, as where the adapter has no such keys.
     */
    public QpDescription<Q> fillingKeys() {
        return fillingKeys(4);
    }

    /**
     * It takes requests to fill indirect keys; reliable connected ones only: else it is refused with EOPNOTSUPP, as where the
     * adapter has no such keys.
     *
     * @param inlineEntries that a request carries itself, up to the profile's {@code indirectKeys().maxInlineEntries()}; more go
     *     through list memory. 0: it fills no keys
     */
    public QpDescription<Q> fillingKeys(int inlineEntries) {
        return with(options.fillingKeys(inlineEntries));
    }

    /**
     * Short messages and results travel in their completions, whatever the environment says, and those of READs and atomics
     * also where not all requests are signaled ({@code MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE}); of an unsignaled one, which
     * has no completion, the result is written as ever. EOPNOTSUPP where the adapter has none of it.
     */
    public QpDescription<Q> allowingScatterToCqe() {
        return with(options.with(ScatterToCqe.ALLOWED));
    }

    /**
     * Nothing travels in completions, whatever the environment says ({@code MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE}); EINVAL
     * together with a {@linkplain QpCapacity#withMaxInlineReceiveBytes capacity} that asks for it.
     */
    public QpDescription<Q> disablingScatterToCqe() {
        return with(options.with(ScatterToCqe.DISABLED));
    }

    /**
     * Its caller knows that an atomic's result may stand big-endian in its buffer ({@code
     * IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). Where an adapter {@linkplain
     * org.hcaactors.api.capability.AtomicCapabilities#bigEndianReplies answers so}, posting an atomic is EINVAL without it.
     */
    public QpDescription<Q> takingBigEndianReplies() {
        return with(options.takingBigEndianReplies());
    }

    /**
     * A dynamically connected initiator runs its requests on streams, of which each fails by itself; EOPNOTSUPP where the adapter
     * has none, EINVAL beyond what it has ({@linkplain org.hcaactors.api.capability.DcCapabilities#logStreamChannels beside each
     * other}, {@linkplain org.hcaactors.api.capability.DcCapabilities#logErroredStreams in error}) and for other kinds.
     */
    public QpDescription<Q> streams(DcStreams requested) {
        return with(options.with(requested));
    }

    /**
     * A dynamically connected initiator sends nothing before its CONNECT is answered: a round trip more, and nothing sent in
     * vain. EINVAL for other kinds.
     */
    public QpDescription<Q> forcingFullHandshake() {
        return with(options.forcingFullHandshake());
    }

    /**
     * It lives on that shard of its network, with the completion queue of its own; EINVAL for one that there is not, and where
     * {@link #sendCq} names a queue that lives elsewhere.
     */
    public QpDescription<Q> onShard(int shard) {
        return at(new Placement.On(shard));
    }

    /** It lives there, as by {@link #onShard}. */
    public QpDescription<Q> at(Placement requested) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, capacity, options, requested);
    }

    private QpDescription<Q> with(Options other) {
        return new QpDescription<>(kind, type, sendQueue, receiveQueue, sharedReceives, capacity, other, placement);
    }

    /** The interface of what is created. */
    public Class<Q> kind() {
        return kind;
    }

    public QpType type() {
        return type;
    }

    /**
     * Where its send completions go; empty: a queue of its own, shared by both directions, that goes with it unless another
     * queue pair uses it, too.
     */
    public Optional<CompletionQueue> sendQueue() {
        return sendQueue;
    }

    /** Where its receive completions go; empty: the same as for sends. */
    public Optional<CompletionQueue> receiveQueue() {
        return receiveQueue;
    }

    /** Where its receives come from; empty: a queue of its own. */
    public Optional<SharedReceiveQueue> sharedReceives() {
        return sharedReceives;
    }

    public QpCapacity capacity() {
        return capacity;
    }

    public Options options() {
        return options;
    }

    /** Where it lives; unsaid: where the queues live that it names, the one for sends first. */
    public Placement placement() {
        return placement;
    }

    /** Where it lives by what it says and names; unsaid where it has no queue but its own. */
    public Placement effectivePlacement() {
        if (placement != Placement.Chosen.UNSAID) {
            return placement;
        }
        return sendQueue
                .or(() -> receiveQueue)
                .map(CompletionQueue::shard)
                .or(() -> sharedReceives.map(SharedReceiveQueue::shard))
                .<Placement>map(Placement.On::new)
                .orElse(Placement.Chosen.UNSAID);
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
