// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;

/**
 * Refusals of an RC responder: fatal ones, which end the connection, and temporary ones, when no receive is posted or a page is
 * absent.
 */
final class RcRefusals {
    private final QpSettings settings;
    private final Profile profile;

    @MutationPoint("rc-refusals.buffer")
    private final MessageBuffer buffer;

    private final RequestSequence sequence;
    private final ResponseQueue answers;

    // rules window-invalidate-fails, dc-silence
    /** If set, a failed invalidation is not reported to the peer. */
    private final boolean suppressesNak;

    /** A fatal NAK is queued; no request is accepted any more (rule rc-fatal-ends). */
    private boolean dying;

    /** The connection ends without a NAK. */
    private boolean silent;

    private Status receiveFault = Status.SUCCESS;

    RcRefusals(QpParts parts, RequestSequence sequence, ResponseQueue answers) {
        settings = parts.settings();
        profile = parts.profile();
        buffer = parts.buffer();
        suppressesNak = parts.profile().has(Quirk.SILENT_WHEN_INVALIDATION_FAILS)
                && !parts.plan().kind().answersFailedInvalidation();
        this.sequence = sequence;
        this.answers = answers;
    }

    void clear() {
        dying = false;
        silent = false;
        receiveFault = Status.SUCCESS;
    }

    boolean isDying() {
        return dying;
    }

    /** True if the responder has failed and sends no NAK. */
    boolean isSilent() {
        return silent;
    }

    // rule window-invalidate-fails
    /** Fails a message whose data is written and whose key could not be invalidated. */
    PacketOutcome notInvalidated(Packet packet, Reason reason, Turn turn) {
        if (!suppressesNak) {
            turn.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
            return die(packet, Refusal.accessDenied(reason), AsyncEvent.Kind.QP_ACCESS_ERR, turn);
        }
        dying = true;
        silent = true;
        receiveFault = Status.REM_INV_REQ_ERR;
        turn.failed(reason);
        return PacketOutcome.DONE;
    }

    /** Completes the receive of the current message with the message's error, if it failed. */
    void failReceive(Turn turn) {
        if (receiveFault != Status.SUCCESS) {
            buffer.fail(receiveFault, turn);
        }
    }

    // rules rc-rnr-nak, rc-silent-behind-rnr
    PacketOutcome notReady(Packet packet, Turn turn) {
        turn.count(Counter.OUT_OF_BUFFER);
        turn.failed(buffer.whyEmpty());
        sequence.rnrSent(!profile.has(Quirk.NAKS_BEHIND_RNR_NAK));
        answers.nak(packet.psn(), Syndrome.rnr(settings.minRnrTimer), sequence.msn(), false, turn.input());
        return PacketOutcome.DONE;
    }

    // rules paging-rnr, rc-silent-behind-rnr
    /** Sends an RNR NAK since pages are absent: nothing of the request was executed, and the peer sends it again. */
    @MutationPoint("rc-refusals.page-absent")
    PacketOutcome pageAbsent(Packet packet, Reason reason, Turn turn) {
        turn.failed(reason);
        sequence.rnrSent(!profile.has(Quirk.NAKS_BEHIND_RNR_NAK));
        int timer = profile.paging().rnrTimer();
        answers.nak(packet.psn(), Syndrome.rnr(timer), sequence.msn(), false, turn.input());
        return PacketOutcome.DONE;
    }

    /** Refuses a request that its R_Key does not permit (rule rc-key-denied). */
    PacketOutcome denied(Packet packet, Reason reason, Turn turn) {
        turn.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
        if (packet.operation().carriesImmediate()) {
            buffer.take();
        }
        return die(packet, Refusal.accessDenied(reason), AsyncEvent.Kind.QP_ACCESS_ERR, turn);
    }

    // rules xrc-domain, xrc-one-queue
    /** Refuses a request whose shared receive queue is not accessible. */
    PacketOutcome notLetIn(Packet packet, RequestRefused reason, Turn turn) {
        Refusal refusal = reason instanceof RequestRefused.SharedReceivesFailed
                ? Refusal.ownFault(Status.LOC_QP_OP_ERR, reason)
                : Refusal.invalidRequest(reason);
        return die(packet, refusal, AsyncEvent.Kind.QP_ACCESS_ERR, turn);
    }

    PacketOutcome refuse(Packet packet, Refusal refusal, Turn turn) {
        return die(packet, refusal, AsyncEvent.Kind.QP_REQ_ERR, turn);
    }

    /** Refuses a request that holds a receive, as a SEND does: the completion reports the error, and no event is raised. */
    PacketOutcome refuseReceive(Packet packet, Refusal refusal, Turn turn) {
        if (!buffer.isInUse()) {
            buffer.take();
        }
        return refuse(packet, refusal, turn);
    }

    // rule rc-fault-told
    /** @param event raised if the message holds no receive, so that no completion reports the error */
    private PacketOutcome die(Packet packet, Refusal refusal, AsyncEvent.Kind event, Turn turn) {
        dying = true;
        receiveFault = refusal.fault();
        turn.failed(refusal.reason());
        if (!buffer.isInUse()) {
            turn.raise(event, EventDetail.Plainly.SEE_CAUSE);
        }
        answers.nak(packet.psn(), refusal.syndrome(), sequence.msn(), true, turn.input());
        return PacketOutcome.DONE;
    }
}
