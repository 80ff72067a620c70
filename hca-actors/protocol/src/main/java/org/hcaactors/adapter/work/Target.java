// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.fabric.packet.Packet;

/** Responder half of a queue pair: executes its peer's requests, and responds if its transport does. */
public interface Target {
    /** A responder that refuses every request. */
    Target NONE = new Target() {
        @Override
        public Optional<Reason> refusal(Packet packet, Turn turn) {
            return Optional.of(PacketMismatch.OneWay.NO_RESPONDER);
        }

        @Override
        public void request(Packet packet, Turn turn) {
            throw new IllegalArgumentException(packet.opcode() + " has no responder");
        }

        @Override
        public SideStatus settle(Turn turn) {
            return SideStatus.RUNNING;
        }
    };

    /** The peer's address is known or has changed. Not called for datagrams. */
    default void connect(Headers peer) {}

    // rule qp-query
    /** Returns the headers of the last {@link #connect}; empty if there was none, or if only the other half keeps them. */
    default Optional<Headers> peer() {
        return Optional.empty();
    }

    /** The queue pair moves to RTR. */
    default void start() {}

    /** True if a packet that arrives in RTR raises COMM_EST. */
    default boolean isConnected() {
        return true;
    }

    /** Returns why a request is dropped without a response; empty if it is to be handled. */
    Optional<Reason> refusal(Packet packet, Turn turn);

    /** Handles a request that {@link #refusal} accepts. */
    void request(Packet packet, Turn turn);

    /** True if the request is executed, or is a duplicate, and left nothing to {@link #settle}. False if unknown. */
    default boolean isDoneWith(Packet request) {
        return false;
    }

    /**
     * Sends responses.
     *
     * @return number of packets sent, at most {@code budget}
     */
    default int transmit(int budget, Turn turn) {
        return 0;
    }

    /** A lease or a receive that the responder waited for was granted or refused. */
    default void resume(Turn turn) {}

    /** A key invalidation for a peer's message was made or refused. */
    default void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Pages that a peer's request found absent are present or not available. */
    default void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Called after each input; returns the status. */
    SideStatus settle(Turn turn);

    // rule dc-reclaim
    /** The responder is needed for another peer: ends the session if nothing is incomplete. */
    default void yields() {}

    /** Returns why the queue pair leaves its state after {@link #settle} reported a failure. */
    default Reason whyFailed() {
        return StateReason.REFUSED_ITS_PEER;
    }

    /** Completes the message being received with its own error, before the flush. */
    default void failReceive(Turn turn) {}

    /** Number of responses owed to the peer. */
    default int pendingResponses() {
        return 0;
    }

    /** Number of requests that wait for a lease or a receive. */
    default int packetsHeld() {
        return 0;
    }

    /** True if a message has begun and its last packet has not arrived. */
    default boolean isInsideOfMessage() {
        return false;
    }

    /** True if the peer was answered by an RNR NAK and must send again. */
    default boolean rnrSent() {
        return false;
    }

    /** Returns the expected PSN. */
    default int expectedPsn() {
        return 0;
    }

    /** Resets everything except the numbering. */
    default void quiesce() {}
}
