// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.Optional;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * What differs between the transports of a queue pair: how messages become packets and packets messages. States, queues,
 * leases and flushing are {@link QueuePairMachine}'s.
 */
sealed interface Transport permits RcTransport, UcTransport, UdTransport {
    /** The class of its packets; others are not for it. */
    TransportClass speaks();

    /** The address is known, or has changed. Datagrams have none. */
    default void connect(Headers peer) {}

    /** At the move to RTR. */
    void startReceiving();

    /** At the move from RTR to RTS. */
    void startSending();

    /** The retry counts may have changed. */
    default void modified() {}

    /** A packet raises COMM_EST when it arrives in RTR. */
    boolean isConnected();

    /** Why a packet of this transport is dropped without an answer; empty if it is to be handled. */
    Optional<String> refusal(Packet packet, QpState state, Turn turn);

    void receive(Packet packet, Turn turn);

    /**
     * @param maySend requests may be sent at all, answers always
     * @param mayStart a request that was never started may be
     * @return packets sent, at most {@code budget}
     */
    int transmit(int budget, boolean maySend, boolean mayStart, Turn turn);

    /** When {@link #timeout} has something to do; Long.MAX_VALUE for never. */
    default long nextDeadline() {
        return Long.MAX_VALUE;
    }

    default void timeout(Turn turn) {}

    /** It waits out a receiver-not-ready NAK. */
    default boolean isBackingOff() {
        return false;
    }

    /** Nothing but its peer's answer ends its wait for that: it has no local ACK timeout. */
    default boolean waitsForEver() {
        return false;
    }

    /** Answers that its peer is owed. */
    default int answersOwed() {
        return 0;
    }

    /** Packets that wait for a lease or a receive. */
    int packetsHeld();

    /** Something that was waited for, a lease or a receive, is there or was refused. */
    void resume(Turn turn);

    /** Called when an input was handled: fails what can't go on. */
    default void settle(Turn turn) {}

    /** The receiving half can't go on: the queue pair goes to ERR. */
    boolean hasReceiveFailed();

    /** Where a failed request takes the queue pair: ERR, or SQE where the receiving half goes on (IBA 10.3.1). */
    QpState afterSendFailure();

    /** A started request is not finished. */
    boolean isBusySending();

    /** Ends the message that is coming in with its own error, before the flush. */
    default void failReceive(Turn turn) {}

    /** Forgets everything but the numbering. */
    void quiesce();

    /** Next PSN expected. */
    int expectedPsn();
}
