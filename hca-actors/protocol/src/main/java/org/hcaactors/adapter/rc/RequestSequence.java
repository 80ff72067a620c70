// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;

/** Where a responder stands in its peer's requests: which packet is due, and inside of which message. */
final class RequestSequence {
    @MutationPoint("request-sequence.expected-psn")
    private int expectedPsn;

    /** Of the newest SEND, WRITE or atomic: what answers a READ acknowledges that itself (rule rc-duplicate). */
    private int acknowledgedPsn;

    @MutationPoint("request-sequence.msn")
    private int msn;

    /** PSNs executed since numbering started: the position of the expected one. */
    private long executed;

    private IncomingMessage message = IncomingMessage.NONE;

    /** One NAK has been sent for what is missing; more packets behind it are dropped in silence (rule rc-nak-once). */
    @MutationPoint("request-sequence.nak-pending")
    private boolean nakPending;

    /** What was told to wait is expected again. */
    private boolean comesAgain;

    @MutationPoint("request-sequence.start-at")
    void startAt(int psn) {
        expectedPsn = psn;
        acknowledgedPsn = newestPsn();
        msn = 0;
        executed = 0;
    }

    /** Forgets everything but the numbering. */
    @MutationPoint("request-sequence.clear")
    void clear() {
        message = IncomingMessage.NONE;
        nakPending = false;
        comesAgain = false;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    /** Of what was executed last. */
    int newestPsn() {
        return Psn.plus(expectedPsn, -1);
    }

    /** What a SEND or WRITE that comes again is acknowledged with: never a READ's (rule rc-duplicate). */
    int acknowledgedPsn() {
        return acknowledgedPsn;
    }

    /** Messages completed, modulo 2^24 (rule rc-msn). */
    int msn() {
        return msn;
    }

    /** Where the expected packet stands among all PSNs of the connection, which come back after 2^24. */
    long position() {
        return executed;
    }

    IncomingMessage message() {
        return message;
    }

    /** Above 0 if something before the packet is missing, below if it came already. */
    @MutationPoint("request-sequence.distance")
    int distance(Packet packet) {
        return Psn.compare(packet.psn(), expectedPsn);
    }

    /** A gap is told; false if it is told already. */
    @MutationPoint("request-sequence.tells-gap")
    boolean reportGap() {
        boolean first = !nakPending;
        nakPending = true;
        return first;
    }

    /** The next packets were told to wait. */
    void rnrSent(boolean silentBehind) {
        nakPending = silentBehind;
        comesAgain = true;
    }

    /** Its peer was told to wait, and nothing was executed since. */
    boolean comesAgain() {
        return comesAgain;
    }

    /** The packet is executed: the PSN moves on, and a message that ends is counted (rule rc-msn). */
    @MutationPoint("request-sequence.accept")
    void accept(Packet packet, IncomingMessage kind) {
        moveOn(1);
        acknowledgedPsn = packet.psn();
        boolean ends = packet.operation().ends();
        message = ends ? IncomingMessage.NONE : kind;
        if (ends) {
            msn = Psn.plus(msn, 1);
        }
    }

    /** A READ is accepted: its responses take their PSNs from its request's on, and acknowledge it. */
    @MutationPoint("request-sequence.accept-read")
    void acceptRead(int packets) {
        moveOn(packets);
        msn = Psn.plus(msn, 1);
    }

    private void moveOn(int packets) {
        expectedPsn = Psn.plus(expectedPsn, packets);
        executed += packets;
        nakPending = false;
        comesAgain = false;
    }
}
