// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.Optional;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.network.RdmaNetwork;

/**
 * Description of one end of a connection, of any transport: its side and the settings of its queue pair. Immutable.
 *
 * @param sendCq queue of send completions; empty: see {@link QpDescription#sendCq}
 * @param recvCq queue of receive completions; empty: see {@link QpDescription#recvCq}
 * @param srq shared receive queue; empty: a receive queue of its own
 * @param signalAll true for {@link QpDescription#withSignalAll}
 * @param inlineEntries argument of {@link QpDescription#withKeyFilling(int)}; 0: the queue pair fills no keys
 * @param settings further settings, applied last
 */
public record Half(
        Side side,
        Optional<CompletionQueue> sendCq,
        Optional<CompletionQueue> recvCq,
        Optional<SharedReceiveQueue> srq,
        QpCapacity capacity,
        boolean signalAll,
        int inlineEntries,
        Settings settings) {
    /** Further settings of a queue pair of any transport. */
    public interface Settings {
        Settings NONE = new Settings() {
            @Override
            public <Q extends QueuePair> QpDescription<Q> of(QpDescription<Q> plain) {
                return plain;
            }
        };

        <Q extends QueuePair> QpDescription<Q> of(QpDescription<Q> plain);
    }

    /** Returns a description with defaults for everything but the side. */
    public static Half on(Side side) {
        return new Half(
                side,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                QpCapacity.DEFAULT,
                false,
                0,
                Settings.NONE);
    }

    /** Returns a description with its own side and completion queues. */
    public static Half of(RdmaNetwork network, Adapter adapter, Shape shape) {
        return on(Side.of(network, adapter, "app", shape.memoryBytes()))
                .withCapacity(shape.capacity())
                .withQueues(network, shape.cqEntries());
    }

    public Half withSendCq(CompletionQueue queue) {
        return new Half(side, Optional.of(queue), recvCq, srq, capacity, signalAll, inlineEntries, settings);
    }

    public Half withRecvCq(CompletionQueue queue) {
        return new Half(side, sendCq, Optional.of(queue), srq, capacity, signalAll, inlineEntries, settings);
    }

    public Half withSrq(SharedReceiveQueue queue) {
        return new Half(side, sendCq, recvCq, Optional.of(queue), capacity, signalAll, inlineEntries, settings);
    }

    public Half withCapacity(QpCapacity requested) {
        return new Half(side, sendCq, recvCq, srq, requested, signalAll, inlineEntries, settings);
    }

    /** Writes a completion for every request; see {@link QpDescription#withSignalAll}. */
    public Half withSignalAll() {
        return new Half(side, sendCq, recvCq, srq, capacity, true, inlineEntries, settings);
    }

    /** Receives short messages in their completions; see {@link QpCapacity#withMaxInlineReceiveBytes}. */
    public Half withInlineReceives() {
        return withCapacity(capacity.withMaxInlineReceiveBytes(1));
    }

    public Half withKeyFilling(int entries) {
        return new Half(side, sendCq, recvCq, srq, capacity, signalAll, entries, settings);
    }

    public Half withSettings(Settings other) {
        return new Half(side, sendCq, recvCq, srq, capacity, signalAll, inlineEntries, other);
    }

    /** Creates one completion queue for each direction. */
    public Half withQueues(RdmaNetwork network, int entries) {
        Half sending = withSendCq(network.await(side.context().createCq(entries)));
        return sending.withRecvCq(network.await(side.context().createCq(entries)));
    }

    ProtectionDomain domain() {
        return side.domain();
    }

    /** Returns the description without a shared receive queue, for an initiator, which receives nothing. */
    Half withoutReceives() {
        return new Half(side, sendCq, recvCq, Optional.empty(), capacity, signalAll, inlineEntries, settings);
    }

    /** Describes a queue pair on these queues. */
    <Q extends QueuePair> QpDescription<Q> describe(QpDescription<Q> plain) {
        QpDescription<Q> requested = plain.withCapacity(capacity);
        requested = sendCq.map(requested::withSendCq).orElse(requested);
        requested = recvCq.map(requested::withRecvCq).orElse(requested);
        requested = srq.map(requested::withSrq).orElse(requested);
        requested = signalAll ? requested.withSignalAll() : requested;
        return settings.of(inlineEntries == 0 ? requested : requested.withKeyFilling(inlineEntries));
    }
}
