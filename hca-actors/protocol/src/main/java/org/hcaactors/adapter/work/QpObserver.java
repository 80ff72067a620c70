// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who is told what the machines of a queue pair do, and why: nothing comes of it. What others may follow from answers with the
 * number of its event, 0 where nobody watches.
 */
public interface QpObserver {
    /** Nobody watches. */
    QpObserver NONE = new QpObserver() {};

    /** Who watches the turn that begins: nobody, where this one looks elsewhere meanwhile. */
    default QpObserver ofThisTurn() {
        return this;
    }

    /** Something can't be done. */
    default long failed(long cause, Reason reason) {
        return 0;
    }

    /**
     * The same, because a retry budget is spent.
     *
     * @param psn the oldest packet that was not answered
     */
    default long gaveUp(long cause, int psn, Reason reason) {
        return 0;
    }

    default long stateChanged(long cause, QpState from, QpState to, Reason reason) {
        return 0;
    }

    /** @param psn where sending goes on */
    default long retransmitting(long cause, int psn, Reason reason) {
        return 0;
    }

    /** Nothing is sent for that time, then sending goes on at {@code psn}. */
    default long backingOff(long cause, int psn, long nanos) {
        return 0;
    }

    /**
     * A step in the life of a session.
     *
     * @param peer number of the other end
     * @param session that packets carry, 0 while it is not known
     */
    default long session(long cause, SessionStep step, PortAddress at, int peer, int session) {
        return 0;
    }

    /** A packet was ignored. */
    default void discarded(long cause, Packet packet, Reason reason) {}

    /** @param remote for a peer, else for a request of its own */
    default void memoryRead(long cause, int key, long address, int lengthBytes, boolean remote) {}

    /** The part {@code [from, from+count)} of {@code bytes} was written. */
    default void memoryWritten(long cause, int key, long address, Octets bytes, int from, int count, boolean remote) {}

    /** What came goes with the completion of that request. */
    default long carried(long cause, long workId, Octets bytes) {
        return 0;
    }

    default void atomicExecuted(long cause, int key, long address, AtomicValue before, AtomicValue after) {}

    default void leaseReleased(long cause, Lease lease) {}

    /** The adapter begins to fetch a message's data by itself. */
    default long fetching(long cause, long workId, RemoteAddress from, long lengthBytes) {
        return 0;
    }

    /** The adapter asks its peer for something by itself. */
    default long asks(long cause, WorkRequest work, @Nullable Destination to) {
        return 0;
    }

    default long fetched(long cause, long workId) {
        return 0;
    }

    default long notFetched(long cause, long workId, Reason reason) {
        return 0;
    }

    default void completedSend(long cause, WorkCompletion completion, PostedRequest posted) {}

    default void completedReceive(long cause, WorkCompletion completion) {}

    /** @param queue number of the completion queue that it goes to */
    default void completedNamed(long cause, int queue, WorkCompletion completion) {}

    /** A request that ends without completion. */
    default void requestDropped(PostedRequest posted) {}
}
