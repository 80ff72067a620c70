// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

/**
 * Responder's handling of duplicate requests, which are never executed again (IBA 9.7.5.1.4, 9.7.5.1.5; rule rc-duplicate). A
 * SEND or WRITE is acknowledged with the newest PSN that is not a READ's, a READ reads the memory as it is now, an atomic
 * returns its saved result; a READ or atomic that is not remembered is dropped silently.
 */
final class DuplicateRequests {
    /**
     * Responses that may be queued in addition to the responder resources; beyond that, duplicates are dropped (rule
     * rc-answers-bounded).
     */
    private static final int SPARE_ANSWERS = 16;

    private final QpSettings settings;
    private final ReplayRing replays;
    private final ResponseQueue answers;

    DuplicateRequests(QpSettings settings, ReplayRing replays, ResponseQueue answers) {
        this.settings = settings;
        this.replays = replays;
        this.answers = answers;
    }

    // rules rc-duplicate-read, rc-duplicate-atomic
    /**
     * @param position position of the packet among all PSNs of the connection
     * @param acknowledgedPsn PSN of the newest SEND, WRITE or atomic
     */
    void answer(Packet packet, long position, int acknowledgedPsn, int msn, Turn turn) {
        switch (packet.operation().family()) {
            case SEND, SEND_WITH_INVALIDATE, WRITE -> answers.acknowledge(acknowledgedPsn, msn, turn.input());
            case READ ->
                replays.read(position, packet.reth(), settings.mtuBytes)
                        .filter(replay -> hasRoom())
                        .ifPresentOrElse(
                                replay -> answers.readAgain(
                                        packet.psn(), packet.reth(), replay.memory(), msn, turn.input()),
                                () -> turn.discarded(packet, Ignored.Plainly.FORGOTTEN_READ));
            case ATOMIC ->
                replays.atomic(position)
                        .filter(replay -> hasRoom())
                        .ifPresentOrElse(
                                replay -> answers.atomicAgain(packet.psn(), msn, replay.original(), turn.input()),
                                () -> turn.discarded(packet, Ignored.Plainly.FORGOTTEN_ATOMIC));
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION ->
                throw new IllegalArgumentException(packet.opcode() + " is not a request");
        }
    }

    @MutationPoint("duplicate-requests.has-room")
    private boolean hasRoom() {
        return answers.size() <= settings.maxDestRdAtomic + SPARE_ANSWERS;
    }
}
