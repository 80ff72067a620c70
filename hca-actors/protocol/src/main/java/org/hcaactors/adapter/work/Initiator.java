// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;

/**
 * Requester half of a queue pair: turns requests into packets and completes them. States, leases and flushing are the task of
 * the queue pair's machine.
 */
public interface Initiator {
    /** A requester without requests. */
    Initiator NONE = new NoInitiator() {};

    /** The peer's address is known or has changed. Not called for datagrams. */
    default void connect(Headers peer) {}

    // rule qp-query
    /** Returns the headers of the last {@link #connect}; empty if there was none, or if only the other half keeps them. */
    default Optional<Headers> peer() {
        return Optional.empty();
    }

    /** The queue pair moves from RTR to RTS. */
    default void start() {}

    /** The queue pair returns to RTS from SQE, the state that a failure of its own caused. */
    default void recover() {}

    /** The retry counts may have been modified. */
    default void modified() {}

    /** Returns why a response is dropped silently; empty if it is to be handled. */
    Optional<Reason> refusal(Packet packet, QpState state);

    /** Handles a response that {@link #refusal} accepts. */
    default void response(Packet packet, Turn turn) {
        throw new IllegalArgumentException(packet.opcode() + " is a response, and this queue pair sends no requests");
    }

    /**
     * Sends packets. Called only in RTS and SQD.
     *
     * @param mayStart whether requests that were never started may be started
     * @return number of packets sent, at most {@code budget}
     */
    int transmit(int budget, boolean mayStart, Turn turn);

    /** A lease that the requester waited for was granted or refused. */
    default void resume(Turn turn) {}

    /** A key change for a request was made or refused. */
    default void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Pages that the requester waited for are present or not available. */
    default void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {}

    // rule dc-stream-reset
    /** Makes a stream that is in error accept requests again; VerbsException (EINVAL) if there are no streams. */
    default void resetStream(int stream) {
        throw VerbsException.invalid("the queue pair has no streams");
    }

    /** Returns the time of the next {@link #timeout}; Long.MAX_VALUE for never. */
    default long nextDeadline() {
        return Long.MAX_VALUE;
    }

    default void timeout(Turn turn) {}

    /** Called after each input: fails a request that can't continue. */
    SideStatus settle(Turn turn);

    /** Returns the state after a failed request: ERR, or SQE if receiving continues (IBA 10.3.1). */
    QpState afterFailure();

    /** True if a started request is not finished. */
    default boolean isBusy() {
        return false;
    }

    /** Returns the PSN of the next request. */
    default int nextPsn() {
        return 0;
    }

    /** True while the requester waits out an RNR NAK. */
    default boolean isBackingOff() {
        return false;
    }

    /** True if only a response ends the wait for it: there is no local ACK timeout. */
    default boolean hasNoTimeout() {
        return false;
    }

    /** Number of responses that wait for a lease. */
    default int packetsHeld() {
        return 0;
    }

    /** Resets everything except the numbering. */
    default void quiesce() {}
}
