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
 * Observer of what the machines of a queue pair do, and why. It has no influence on them. Methods for events that may cause
 * other events return the event's number, 0 if nothing is traced.
 */
public interface QpObserver {
    /** Observes nothing. */
    QpObserver NONE = new QpObserver() {};

    /** Returns the observer for the turn that begins; it may be {@link #NONE} while this observer is not interested. */
    default QpObserver ofThisTurn() {
        return this;
    }

    /** The queue pair can't do something. */
    default long failed(long cause, Reason reason) {
        return 0;
    }

    /**
     * The queue pair gives up since a retry count is exhausted.
     *
     * @param psn the oldest unacknowledged packet
     */
    default long gaveUp(long cause, int psn, Reason reason) {
        return 0;
    }

    default long stateChanged(long cause, QpState from, QpState to, Reason reason) {
        return 0;
    }

    /** @param psn the first PSN to be sent again */
    default long retransmitting(long cause, int psn, Reason reason) {
        return 0;
    }

    /** Nothing is sent for that time, then sending continues at {@code psn}. */
    default long backingOff(long cause, int psn, long nanos) {
        return 0;
    }

    /**
     * A step in the life of a session.
     *
     * @param peer number of the remote queue pair
     * @param session session number that packets carry, 0 while unknown
     */
    default long session(long cause, SessionStep step, PortAddress at, int peer, int session) {
        return 0;
    }

    /** A packet was discarded. */
    default void discarded(long cause, Packet packet, Reason reason) {}

    /** @param remote on behalf of a peer, else for a local request */
    default void memoryRead(long cause, int key, long address, int lengthBytes, boolean remote) {}

    /** The range {@code [from, from+count)} of {@code bytes} was written. */
    default void memoryWritten(long cause, int key, long address, Octets bytes, int from, int count, boolean remote) {}

    /** Received data travels in the completion of that request (inline receive). */
    default long carried(long cause, long workId, Octets bytes) {
        return 0;
    }

    default void atomicExecuted(long cause, int key, long address, AtomicValue before, AtomicValue after) {}

    default void leaseReleased(long cause, Lease lease) {}

    /** The adapter begins to fetch a message's data by itself. */
    default long fetching(long cause, long workId, RemoteAddress from, long lengthBytes) {
        return 0;
    }

    /** The adapter sends a request of its own to its peer. */
    default long adapterRequest(long cause, WorkRequest work, @Nullable Destination to) {
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

    /** @param queue number of the completion queue */
    default void completedNamed(long cause, int queue, WorkCompletion completion) {}

    /** A request ends without completion. */
    default void requestDropped(PostedRequest posted) {}
}
