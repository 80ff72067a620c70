package org.hcaactors.api.queue;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.memory.ProtectionDomain;

/**
 * Describes a reliable connected queue pair before it is created. Immutable: each call gives a new description.
 *
 * @param domain whose keys it can use
 * @param sendQueue where its send completions go; empty: a queue of its own, shared by both directions
 * @param receiveQueue where its receive completions go; empty: the same as for sends
 * @param capacity sizes asked for
 * @param signalAll every work request writes a completion, whatever its flags say ({@code sq_sig_all})
 * @param factory what the adapter creates it with
 */
public record RcBuilder(
        ProtectionDomain domain,
        Optional<CompletionQueue> sendQueue,
        Optional<CompletionQueue> receiveQueue,
        RcCapacity capacity,
        boolean signalAll,
        Factory factory) {

    /** The adapter's side of the description. */
    @FunctionalInterface
    public interface Factory {
        CompletionStage<RcQueuePair> create(RcBuilder description);
    }

    /** Send completions, and receive completions unless {@link #recvCq} names another queue. */
    public RcBuilder sendCq(CompletionQueue queue) {
        return new RcBuilder(domain, Optional.of(queue), receiveQueue, capacity, signalAll, factory);
    }

    public RcBuilder recvCq(CompletionQueue queue) {
        return new RcBuilder(domain, sendQueue, Optional.of(queue), capacity, signalAll, factory);
    }

    public RcBuilder capacity(RcCapacity wanted) {
        return new RcBuilder(domain, sendQueue, receiveQueue, wanted, signalAll, factory);
    }

    public RcBuilder signalingAll() {
        return new RcBuilder(domain, sendQueue, receiveQueue, capacity, true, factory);
    }

    /** Creates the queue pair in RESET ({@code ibv_create_qp}); EINVAL if a size is above the adapter's limit. */
    public CompletionStage<RcQueuePair> create() {
        return factory.create(this);
    }
}
