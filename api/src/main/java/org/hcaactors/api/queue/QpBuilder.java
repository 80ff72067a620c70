// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;

/**
 * Describes a queue pair before it is created. Immutable: each call gives a new description, safe for several threads. What
 * is asked for is judged when the queue pair is created.
 *
 * @param <Q> the kind of queue pair
 */
public final class QpBuilder<Q extends QueuePair> {
    private final Optional<CompletionQueue> sendQueue;
    private final Optional<CompletionQueue> receiveQueue;
    private final Optional<SharedReceiveQueue> sharedReceives;
    private final QpCapacity capacity;
    private final Options options;
    private final Factory<Q> factory;

    private QpBuilder(
            Optional<CompletionQueue> sendQueue,
            Optional<CompletionQueue> receiveQueue,
            Optional<SharedReceiveQueue> sharedReceives,
            QpCapacity capacity,
            Options options,
            Factory<Q> factory) {
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.sharedReceives = sharedReceives;
        this.capacity = capacity;
        this.options = options;
        this.factory = factory;
    }

    /** What else a queue pair is; all of it off by {@link #DEFAULT}. Immutable, and will grow. */
    public static final class Options {
        public static final Options DEFAULT = new Options(false, false);

        private final boolean signalAll;
        private final boolean blockOwnMulticast;

        private Options(boolean signalAll, boolean blockOwnMulticast) {
            this.signalAll = signalAll;
            this.blockOwnMulticast = blockOwnMulticast;
        }

        public Options signalingAll() {
            return new Options(true, blockOwnMulticast);
        }

        public Options blockingOwnMulticast() {
            return new Options(signalAll, true);
        }

        /** Every work request writes a completion, whatever its flags say ({@code sq_sig_all}). */
        public boolean signalAll() {
            return signalAll;
        }

        /** Its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB}). */
        public boolean blockOwnMulticast() {
            return blockOwnMulticast;
        }
    }

    /** The adapter's side of the description. */
    @FunctionalInterface
    public interface Factory<Q extends QueuePair> {
        CompletionStage<Q> create(QpBuilder<Q> description);
    }

    /** Starts a description with nothing chosen yet. */
    public static <Q extends QueuePair> QpBuilder<Q> of(Factory<Q> factory) {
        return new QpBuilder<>(
                Optional.empty(), Optional.empty(), Optional.empty(), QpCapacity.DEFAULT, Options.DEFAULT, factory);
    }

    /** Send completions, and receive completions unless {@link #recvCq} names another queue. */
    public QpBuilder<Q> sendCq(CompletionQueue queue) {
        return new QpBuilder<>(Optional.of(queue), receiveQueue, sharedReceives, capacity, options, factory);
    }

    /** Receive completions; where no queue is named, they go where send completions go. */
    public QpBuilder<Q> recvCq(CompletionQueue queue) {
        return new QpBuilder<>(sendQueue, Optional.of(queue), sharedReceives, capacity, options, factory);
    }

    /** Receives come from {@code queue}; refused with EINVAL for unreliable connected (ibv_create_qp(3)). */
    public QpBuilder<Q> srq(SharedReceiveQueue queue) {
        return new QpBuilder<>(sendQueue, receiveQueue, Optional.of(queue), capacity, options, factory);
    }

    /** Sizes; {@link QpCapacity#DEFAULT} unless named. */
    public QpBuilder<Q> capacity(QpCapacity wanted) {
        return new QpBuilder<>(sendQueue, receiveQueue, sharedReceives, wanted, options, factory);
    }

    /** Every work request writes a completion, whatever its flags say ({@code sq_sig_all}). */
    public QpBuilder<Q> signalingAll() {
        return with(options.signalingAll());
    }

    /** Its own datagrams to a group don't come back to it ({@code BLOCK_SELF_MCAST_LB}). */
    public QpBuilder<Q> blockingOwnMulticast() {
        return with(options.blockingOwnMulticast());
    }

    private QpBuilder<Q> with(Options other) {
        return new QpBuilder<>(sendQueue, receiveQueue, sharedReceives, capacity, other, factory);
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

    /** Creates the queue pair in RESET ({@code ibv_create_qp}); EINVAL above the adapter's limits, or if a queue is closed. */
    public CompletionStage<Q> create() {
        return factory.create(this);
    }
}
