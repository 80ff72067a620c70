// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.network.RdmaNetwork;

/**
 * Description of an end before it is connected: its side and its queues, for any transport. Immutable.
 *
 * @param sendCq empty: as {@link QpDescription#sendQueue} says
 * @param recvCq empty: as {@link QpDescription#receiveQueue} says
 * @param srq shared receive queue; empty: the end has its own receive queue
 * @param signalAll as in {@link QpDescription#signalingAll}
 * @param inlineEntries as in {@link QpDescription#fillingKeys(int)}; 0: it fills no keys
 * @param leaseRequest settings that have no field here
 */
public record Half(
        Side side,
        Optional<CompletionQueue> sendCq,
        Optional<CompletionQueue> recvCq,
        Optional<SharedReceiveQueue> srq,
        QpCapacity capacity,
        boolean signalAll,
        int inlineEntries,
        Wish leaseRequest) {
    /** Further settings of a queue pair of any transport. */
    public interface Wish {
        Wish NONE = new Wish() {
            @Override
            public <Q extends QueuePair> QpBuilder<Q> of(QpBuilder<Q> plain) {
                return plain;
            }
        };

        <Q extends QueuePair> QpBuilder<Q> of(QpBuilder<Q> plain);
    }

    /** Returns a description with defaults for everything but the side. */
    public static Half on(Side side) {
        return new Half(
                side, Optional.empty(), Optional.empty(), Optional.empty(), QpCapacity.DEFAULT, false, 0, Wish.NONE);
    }

    /** Returns a description with its own side and completion queues. */
    public static Half of(RdmaNetwork network, Adapter adapter, Shape shape) {
        return on(Side.of(network, adapter, "app", shape.memoryBytes()))
                .capacity(shape.capacity())
                .withQueues(network, shape.cqEntries());
    }

    public Half sendCq(CompletionQueue queue) {
        return new Half(side, Optional.of(queue), recvCq, srq, capacity, signalAll, inlineEntries, leaseRequest);
    }

    public Half recvCq(CompletionQueue queue) {
        return new Half(side, sendCq, Optional.of(queue), srq, capacity, signalAll, inlineEntries, leaseRequest);
    }

    public Half srq(SharedReceiveQueue queue) {
        return new Half(side, sendCq, recvCq, Optional.of(queue), capacity, signalAll, inlineEntries, leaseRequest);
    }

    public Half capacity(QpCapacity requested) {
        return new Half(side, sendCq, recvCq, srq, requested, signalAll, inlineEntries, leaseRequest);
    }

    /** Every request writes a completion, as with {@link QpDescription#signalingAll}. */
    public Half signalingAll() {
        return new Half(side, sendCq, recvCq, srq, capacity, true, inlineEntries, leaseRequest);
    }

    /** Short messages arrive in their completions, as with {@link QpCapacity#withMaxInlineReceiveBytes}. */
    public Half receivingInline() {
        return capacity(capacity.withMaxInlineReceiveBytes(1));
    }

    public Half fillingKeys(int entries) {
        return new Half(side, sendCq, recvCq, srq, capacity, signalAll, entries, leaseRequest);
    }

    public Half wishing(Wish other) {
        return new Half(side, sendCq, recvCq, srq, capacity, signalAll, inlineEntries, other);
    }

    /** Creates one completion queue for each direction. */
    public Half withQueues(RdmaNetwork network, int entries) {
        Half sending = sendCq(network.await(side.context().createCq(entries)));
        return sending.recvCq(network.await(side.context().createCq(entries)));
    }

    ProtectionDomain domain() {
        return side.domain();
    }

    /** For an initiator, which receives nothing. */
    Half withoutReceives() {
        return new Half(side, sendCq, recvCq, Optional.empty(), capacity, signalAll, inlineEntries, leaseRequest);
    }

    /** Describes a queue pair on these queues. */
    <Q extends QueuePair> QpBuilder<Q> describe(QpBuilder<Q> plain) {
        QpBuilder<Q> requested = plain.capacity(capacity);
        requested = sendCq.map(requested::sendCq).orElse(requested);
        requested = recvCq.map(requested::recvCq).orElse(requested);
        requested = srq.map(requested::srq).orElse(requested);
        requested = signalAll ? requested.signalingAll() : requested;
        return leaseRequest.of(inlineEntries == 0 ? requested : requested.fillingKeys(inlineEntries));
    }
}
