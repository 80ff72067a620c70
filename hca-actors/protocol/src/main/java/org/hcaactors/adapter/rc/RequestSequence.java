// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;

/** Sequence of a peer's requests at a responder: the expected PSN, the MSN, and the message being received. */
final class RequestSequence {
    @MutationPoint("request-sequence.expected-psn")
    private int expectedPsn;

    /** PSN of the newest SEND, WRITE or atomic; READs are acknowledged by their own responses (rule rc-duplicate). */
    private int acknowledgedPsn;

    @MutationPoint("request-sequence.msn")
    private int msn;

    /** Number of PSNs executed since numbering started: the position of the expected PSN. */
    private long executed;

    private IncomingMessage message = IncomingMessage.NONE;

    /** A NAK has been sent for the missing packet; further packets behind the gap are dropped silently (rule rc-nak-once). */
    @MutationPoint("request-sequence.nak-pending")
    private boolean nakPending;

    /** The expected packet was refused by an RNR NAK and is to be sent again. */
    private boolean rnrNakSent;

    @MutationPoint("request-sequence.start-at")
    void startAt(int psn) {
        expectedPsn = psn;
        acknowledgedPsn = newestPsn();
        msn = 0;
        executed = 0;
    }

    /** Resets everything except the numbering. */
    @MutationPoint("request-sequence.clear")
    void clear() {
        message = IncomingMessage.NONE;
        nakPending = false;
        rnrNakSent = false;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    /** PSN of the last executed packet. */
    int newestPsn() {
        return Psn.plus(expectedPsn, -1);
    }

    /** PSN that acknowledges a duplicate SEND or WRITE: never that of a READ (rule rc-duplicate). */
    int acknowledgedPsn() {
        return acknowledgedPsn;
    }

    /** Number of completed messages, modulo 2^24 (rule rc-msn). */
    int msn() {
        return msn;
    }

    /** Position of the expected packet among all PSNs of the connection, which recur after 2^24. */
    long position() {
        return executed;
    }

    IncomingMessage message() {
        return message;
    }

    /** Positive if a packet before this one is missing, negative if this one is a duplicate. */
    @MutationPoint("request-sequence.distance")
    int distance(Packet packet) {
        return Psn.compare(packet.psn(), expectedPsn);
    }

    /** Records that a gap is reported; returns false if it has been reported already. */
    @MutationPoint("request-sequence.tells-gap")
    boolean reportGap() {
        boolean first = !nakPending;
        nakPending = true;
        return first;
    }

    /** Records that the expected packet was answered by an RNR NAK. */
    void rnrSent(boolean silentBehind) {
        nakPending = silentBehind;
        rnrNakSent = true;
    }

    /** True if the peer received an RNR NAK and nothing was executed since. */
    boolean rnrNakSent() {
        return rnrNakSent;
    }

    /** Records that the packet or run is executed: advances the PSN, and counts the message if it ends (rule rc-msn). */
    @MutationPoint("request-sequence.accept")
    void accept(Packet packet, IncomingMessage kind) {
        moveOn(packet.packets());
        acknowledgedPsn = packet.lastPsn();
        boolean ends = packet.operation().ends();
        message = ends ? IncomingMessage.NONE : kind;
        if (ends) {
            msn = Psn.plus(msn, 1);
        }
    }

    /** Records that a READ is accepted: its responses use the PSNs from its request's on, and acknowledge it. */
    @MutationPoint("request-sequence.accept-read")
    void acceptRead(int packets) {
        moveOn(packets);
        msn = Psn.plus(msn, 1);
    }

    private void moveOn(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
        executed += packets;
        nakPending = false;
        rnrNakSent = false;
    }
}
