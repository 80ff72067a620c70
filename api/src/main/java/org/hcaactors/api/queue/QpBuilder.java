package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.ProtectionDomain;

/**
 * Describes a queue pair before it is created. Immutable: each call gives a new description.
 *
 * @param <Q> the kind of queue pair
 * @param domain whose keys it can use
 * @param sendQueue where its send completions go; empty: a queue of its own, shared by both directions, that
 *     goes with it unless another queue pair uses it, too
 * @param receiveQueue where its receive completions go; empty: the same as for sends
 * @param sharedReceives where its receives come from; empty: a queue of its own
 * @param capacity sizes asked for
 * @param options what else it is
 * @param factory what the adapter creates it with
 */
public record QpBuilder<Q extends QueuePair>(
        ProtectionDomain domain,
        Optional<CompletionQueue> sendQueue,
        Optional<CompletionQueue> receiveQueue,
        Optional<SharedReceiveQueue> sharedReceives,
        QpCapacity capacity,
        Options options,
        Factory<Q> factory) {
    /**
     * @param signalAll every work request writes a completion, whatever its flags say ({@code sq_sig_all})
     * @param blockOwnMulticast its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB})
     */
    public record Options(boolean signalAll, boolean blockOwnMulticast) {
        public static final Options DEFAULT = new Options(false, false);
    }

    /** The adapter's side of the description. */
    @FunctionalInterface
    public interface Factory<Q extends QueuePair> {
        CompletionStage<Q> create(QpBuilder<Q> description);
    }

    /** Starts a description with nothing chosen yet. */
    public static <Q extends QueuePair> QpBuilder<Q> of(ProtectionDomain domain, Factory<Q> factory) {
        return new QpBuilder<>(
                domain,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                QpCapacity.DEFAULT,
                Options.DEFAULT,
                factory);
    }

    /** Send completions, and receive completions unless {@link #recvCq} names another queue. */
    public QpBuilder<Q> sendCq(CompletionQueue queue) {
        return new QpBuilder<>(domain, Optional.of(queue), receiveQueue, sharedReceives, capacity, options, factory);
    }

    public QpBuilder<Q> recvCq(CompletionQueue queue) {
        return new QpBuilder<>(domain, sendQueue, Optional.of(queue), sharedReceives, capacity, options, factory);
    }

    /** Receives come from {@code queue}; refused with EINVAL for unreliable connected (ibv_create_qp(3)). */
    public QpBuilder<Q> srq(SharedReceiveQueue queue) {
        return new QpBuilder<>(domain, sendQueue, receiveQueue, Optional.of(queue), capacity, options, factory);
    }

    public QpBuilder<Q> capacity(QpCapacity wanted) {
        return new QpBuilder<>(domain, sendQueue, receiveQueue, sharedReceives, wanted, options, factory);
    }

    public QpBuilder<Q> signalingAll() {
        return with(new Options(true, options.blockOwnMulticast));
    }

    public QpBuilder<Q> blockingOwnMulticast() {
        return with(new Options(options.signalAll, true));
    }

    private QpBuilder<Q> with(Options other) {
        return new QpBuilder<>(domain, sendQueue, receiveQueue, sharedReceives, capacity, other, factory);
    }

    /** Creates the queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or if a queue is closed. */
    public CompletionStage<Q> create() {
        return factory.create(this);
    }
}
