// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.fabric.packet.Packet;

/** The half of a queue pair that is asked: it carries out its peer's requests, and answers where its transport does. */
public interface Target {
    /** Is asked for nothing. */
    Target NONE = new Target() {
        @Override
        public Optional<Reason> refusal(Packet packet, Turn turn) {
            return Optional.of(PacketMismatch.OneWay.NO_RESPONDER);
        }

        @Override
        public void request(Packet packet, Turn turn) {
            throw new IllegalArgumentException(packet.opcode() + " is taken by nobody");
        }

        @Override
        public SideStatus settle(Turn turn) {
            return SideStatus.RUNNING;
        }
    };

    /** Its peer's address is known, or has changed. Datagrams have none. */
    default void connect(Headers peer) {}

    /** The queue pair moves to RTR. */
    default void start() {}

    /** A packet raises COMM_EST when it arrives in RTR. */
    default boolean isConnected() {
        return true;
    }

    /** Why a request is dropped without an answer; empty if it is to be handled. */
    Optional<Reason> refusal(Packet packet, Turn turn);

    /** Only one that is not refused. */
    void request(Packet packet, Turn turn);

    /** It is executed, or was before, and left nothing to {@link #settle}. False where it can't be said. */
    default boolean isDoneWith(Packet request) {
        return false;
    }

    /**
     * Sends answers.
     *
     * @return packets sent, at most {@code budget}
     */
    default int transmit(int budget, Turn turn) {
        return 0;
    }

    /** A lease or a receive that was waited for is there or was refused. */
    default void resume(Turn turn) {}

    /** What a message of its peer asked for of a key is done or refused. */
    default void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Pages that a request of its peer found absent are there or can't be had. */
    default void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Called when an input was handled. */
    SideStatus settle(Turn turn);

    // rule dc-reclaim
    /** Somebody else needs what serves this peer: it ends, if nothing is half done. */
    default void yields() {}

    /** Why its queue pair leaves its state, where it is told to {@link #settle}. */
    default Reason whyFailed() {
        return StateReason.REFUSED_ITS_PEER;
    }

    /** Ends the message that is coming in with its own error, before the flush. */
    default void failReceive(Turn turn) {}

    /** Answers that its peer is owed. */
    default int answersOwed() {
        return 0;
    }

    /** Requests that wait for a lease or a receive. */
    default int packetsHeld() {
        return 0;
    }

    /** A message has begun, and its last packet is not here. */
    default boolean isInsideOfMessage() {
        return false;
    }

    /** Its peer was told to wait, and to come again. */
    default boolean rnrSent() {
        return false;
    }

    /** Next PSN expected. */
    default int expectedPsn() {
        return 0;
    }

    /** Forgets everything but the numbering. */
    default void quiesce() {}
}
