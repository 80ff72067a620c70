// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.function.Consumer;
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
    private final Fields fields;

    private QpDescription(Class<Q> kind, QpType type, Fields fields) {
        this.kind = kind;
        this.type = type;
        this.fields = fields;
    }

    /** What can be asked for. Only {@link #with} writes to one, before the description that it is of is there. */
    private static final class Fields {
        private Optional<CompletionQueue> sendQueue = Optional.empty();
        private Optional<CompletionQueue> receiveQueue = Optional.empty();
        private Optional<SharedReceiveQueue> sharedReceives = Optional.empty();
        private QpCapacity capacity = QpCapacity.DEFAULT;
        private Options options = Options.DEFAULT;
        private Placement placement = Placement.Chosen.UNSPECIFIED;

        private Fields() {}

        private Fields(Fields other) {
            sendQueue = other.sendQueue;
            receiveQueue = other.receiveQueue;
            sharedReceives = other.sharedReceives;
            capacity = other.capacity;
            options = other.options;
            placement = other.placement;
        }
    }

    /**
     * What else a queue pair is; all of it off by {@link #DEFAULT}. Immutable, and made by what is asked of a description; options are added
     * in minor versions.
     */
    public static final class Options {
        public static final Options DEFAULT = new Options();

        // Only withOption writes to them, before the options are anybody's.
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

    /** What asks in an extended reliable connection. It has no receives: what is said of them counts for nothing. */
    public static QpDescription<XrcQueuePair> xrc() {
        return of(XrcQueuePair.class, QpType.XRC_INI);
    }

    /** What asks over the dynamically connected transport. It has no receives: what is said of them counts for nothing. */
    public static QpDescription<DcInitiator> dc() {
        return of(DcInitiator.class, QpType.DC_INI);
    }

    private static <Q extends QueuePair> QpDescription<Q> of(Class<Q> kind, QpType type) {
        return new QpDescription<>(kind, type, new Fields());
    }

    /** Send completions, and receive completions unless {@link #withRecvCq} names another queue. */
    public QpDescription<Q> withSendCq(CompletionQueue queue) {
        return with(now -> now.sendQueue = Optional.of(queue));
    }

    /** Receive completions; where no queue is named, they go where send completions go. */
    public QpDescription<Q> withRecvCq(CompletionQueue queue) {
        return with(now -> now.receiveQueue = Optional.of(queue));
    }

    /** Receives come from {@code queue}; refused with EINVAL for unreliable connected (ibv_create_qp(3)). */
    public QpDescription<Q> withSrq(SharedReceiveQueue queue) {
        return with(now -> now.sharedReceives = Optional.of(queue));
    }

    /** Sizes; {@link QpCapacity#DEFAULT} unless named. */
    public QpDescription<Q> withCapacity(QpCapacity requested) {
        return with(now -> now.capacity = requested);
    }

    /** Every work request writes a completion, whatever its flags say ({@code sq_sig_all}). */
    public QpDescription<Q> withSignalAll() {
        return withOption(now -> now.signalAll = true);
    }

    /** Its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB}). */
    public QpDescription<Q> withBlockOwnMulticast() {
        return withOption(now -> now.blockOwnMulticast = true);
    }

    /**
     * It takes requests to fill indirect keys, with up to four entries in each; reliable connected ones only: else it is
     * refused with EOPNOTSUPP, as where the adapter has no such keys.
     */
    public QpDescription<Q> withKeyFilling() {
        return withKeyFilling(4);
    }

    /**
     * It takes requests to fill indirect keys; reliable connected ones only: else it is refused with EOPNOTSUPP, as where the
     * adapter has no such keys.
     *
     * @param inlineEntries that a request carries itself, up to the profile's {@code indirectKeys().maxInlineEntries()}; more go
     *     through list memory. 0: it fills no keys
     */
    public QpDescription<Q> withKeyFilling(int inlineEntries) {
        return withOption(now -> now.maxInlineEntries = inlineEntries);
    }

    /**
     * Whether short messages and results travel in their completions: {@linkplain ScatterToCqe#ALLOWED allowed}, whatever the environment
     * says, and those of READs and atomics also where not all requests are signaled; of an unsignaled one, which has no completion, the
     * result is written as ever. EOPNOTSUPP where the adapter has none of it. {@linkplain ScatterToCqe#DISABLED Disabled}, nothing does;
     * EINVAL together with a {@linkplain QpCapacity#withMaxInlineReceiveBytes capacity} that asks for it.
     */
    public QpDescription<Q> withScatterToCqe(ScatterToCqe requested) {
        return withOption(now -> now.scatterToCqe = requested);
    }

    /**
     * Its caller knows that an atomic's result may stand big-endian in its buffer ({@code
     * IBV_EXP_QP_CREATE_ATOMIC_BE_REPLY}). Where an adapter {@linkplain
     * org.hcaactors.api.capability.AtomicCapabilities#bigEndianReplies answers so}, posting an atomic is EINVAL without it.
     */
    public QpDescription<Q> withBigEndianReplies() {
        return withOption(now -> now.bigEndianReplies = true);
    }

    /**
     * A dynamically connected initiator runs its requests on streams, of which each fails by itself; EOPNOTSUPP where the adapter
     * has none, EINVAL beyond what it has ({@linkplain org.hcaactors.api.capability.DcCapabilities#logStreamChannels beside each
     * other}, {@linkplain org.hcaactors.api.capability.DcCapabilities#logErroredStreams in error}) and for other kinds.
     */
    public QpDescription<Q> withStreams(DcStreams requested) {
        return withOption(now -> now.streams = Optional.of(requested));
    }

    /**
     * A dynamically connected initiator sends nothing before its CONNECT is answered: a round trip more, and nothing sent in
     * vain. EINVAL for other kinds.
     */
    public QpDescription<Q> withFullHandshake() {
        return withOption(now -> now.fullHandshake = true);
    }

    /**
     * It lives on that shard of its network, with the completion queue of its own; EINVAL for one that there is not, and where
     * {@link #withSendCq} names a queue that lives elsewhere.
     */
    public QpDescription<Q> withShard(int shard) {
        return withPlacement(new Placement.On(shard));
    }

    /** It lives there, as by {@link #withShard}. */
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
        return fields.sendQueue;
    }

    /** Where its receive completions go; empty: the same as for sends. */
    public Optional<CompletionQueue> receiveQueue() {
        return fields.receiveQueue;
    }

    /** Where its receives come from; empty: a queue of its own. */
    public Optional<SharedReceiveQueue> sharedReceives() {
        return fields.sharedReceives;
    }

    public QpCapacity capacity() {
        return fields.capacity;
    }

    public Options options() {
        return fields.options;
    }

    /** Where it lives; unsaid: where the queues live that it names, the one for sends first. */
    public Placement placement() {
        return fields.placement;
    }

    /** Where it lives by what it says and names; unsaid where it has no queue but its own. */
    public Placement effectivePlacement() {
        if (fields.placement != Placement.Chosen.UNSPECIFIED) {
            return fields.placement;
        }
        return fields.sendQueue
                .or(() -> fields.receiveQueue)
                .map(CompletionQueue::shard)
                .or(() -> fields.sharedReceives.map(SharedReceiveQueue::shard))
                .<Placement>map(Placement.On::new)
                .orElse(Placement.Chosen.UNSPECIFIED);
    }

    @Override
    public String toString() {
        return "%s queue pair, %s, sends complete on %s, receives %son %s%s%s"
                .formatted(
                        type,
                        fields.capacity,
                        fields.sendQueue.map(CompletionQueue::describe).orElse("a queue of its own"),
                        fields.sharedReceives
                                .map(srq -> "come from " + srq.describe() + " and complete ")
                                .orElse("complete "),
                        fields.receiveQueue.map(CompletionQueue::describe).orElse("the same"),
                        fields.options,
                        fields.placement.words());
    }
}
