// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.message.PacketLengths;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** SENDs at an RC responder, which are written to the next receive. */
final class RcSends {
    private final RcResponderParts on;

    /** Length of the current message so far, in bytes. */
    private long received;

    /** Null until the first SEND with invalidate, since few connections have any. */
    private @Nullable RcInvalidation invalidation;

    RcSends(RcResponderParts on) {
        this.on = on;
    }

    void clear() {
        if (invalidation != null) {
            invalidation.clear();
        }
    }

    /** Takes the answer; returns false if it is no longer awaited. */
    boolean invalidated(long ticket, Optional<Denial> refusal) {
        return invalidation != null && invalidation.answered(ticket, refusal);
    }

    // rule rc-receive-memory
    PacketOutcome handle(Packet packet, Turn turn) {
        if (invalidation != null && invalidation.isUnderWay()) {
            return invalidation.isAwaited() ? PacketOutcome.AWAITING : invalidated(packet, invalidation.end(), turn);
        }
        boolean starts = packet.operation().starts();
        if (starts && on.buffer().supply(packet, turn) == Supply.EMPTY) {
            return on.refusals().notReady(packet, turn);
        }
        long from = starts ? 0 : received;
        Octets payload = on.buffer().landing(packet);
        if (PacketLengths.isWrong(packet, on.settings().mtuBytes)) {
            return on.refusals().refuseReceive(packet, Refusal.wrongLength(packet, on.settings().mtuBytes), turn);
        }
        if (on.buffer().carries(packet)) {
            on.buffer().takeAndCarry(payload, turn);
            return placed(packet, payload.length(), turn);
        }
        if (from + payload.length() > on.buffer().current().lengthBytes()) {
            return tooLong(packet, turn);
        }
        Accessibility reach = on.buffer().checkAccess(from, payload.length(), turn);
        if (reach == Accessibility.ABSENT) {
            reach = on.pages().raise(on.buffer().memory(), PageFault.Kind.RECEIVE, use(), turn);
        }
        if (reach == Accessibility.AWAITING) {
            return PacketOutcome.AWAITING;
        }
        if (reach == Accessibility.ABSENT) {
            return on.refusals().pageAbsent(packet, on.buffer().memory().whatIsAbsent(), turn);
        }
        if (reach == Accessibility.FORBIDDEN) {
            return on.refusals()
                    .refuseReceive(
                            packet,
                            Refusal.ownFault(Status.LOC_PROT_ERR, on.buffer().whyNot()),
                            turn);
        }
        if (starts) {
            begin(packet, turn);
        }
        on.buffer().scatter(from, payload, turn);
        return placed(packet, from + payload.length(), turn);
    }

    private void begin(Packet packet, Turn turn) {
        on.buffer().take();
        if (!packet.operation().ends()) {
            on.buffer().goesOn(turn);
        }
    }

    /** @param soFar bytes of the message written so far */
    private PacketOutcome placed(Packet packet, long soFar, Turn turn) {
        received = soFar;
        if (packet.operation().family() == Operation.Family.SEND_WITH_INVALIDATE) {
            return invalidate(packet.ieth().rkey(), turn);
        }
        return accept(packet, WorkCompletion.Details.of(packet.immediateIfAny()), turn);
    }

    private Use use() {
        return on.parts().plan().receives().isShared() ? Use.SHARED_RECEIVE : Use.RECEIVE;
    }

    // rule window-remote-invalidate
    private PacketOutcome invalidate(int key, Turn turn) {
        if (invalidation == null) {
            invalidation = new RcInvalidation();
        }
        invalidation.request(on.memory().user(), key, turn);
        return PacketOutcome.AWAITING;
    }

    private PacketOutcome invalidated(Packet packet, Optional<Denial> refusal, Turn turn) {
        int key = packet.ieth().rkey();
        if (refusal.isPresent()) {
            Reason reason = new RequestRefused.Invalidation(new KeyDenied(KeyDenied.Name.R_KEY, key, refusal.get()));
            return on.refusals().notInvalidated(packet, reason, turn);
        }
        return accept(packet, WorkCompletion.Details.NONE.withInvalidated(key), turn);
    }

    private PacketOutcome accept(Packet packet, WorkCompletion.Details details, Turn turn) {
        on.sequence().accept(packet, IncomingMessage.SEND);
        if (packet.operation().ends()) {
            on.buffer()
                    .complete(
                            CompletionKind.RECV, received, details, packet.bth().solicited(), turn);
        }
        on.answers().executed(packet, on.sequence().msn(), turn.input());
        return PacketOutcome.DONE;
    }

    // rule rc-send-too-long
    private PacketOutcome tooLong(Packet packet, Turn turn) {
        turn.count(Counter.RESP_LOCAL_LENGTH_ERROR);
        RequestRefused reason =
                new RequestRefused.LongerThanReceive(on.buffer().current().lengthBytes());
        Refusal refusal = on.parts().profile().has(Quirk.TOO_LONG_SEND_IS_REMOTE_OPERATION_ERROR)
                ? Refusal.ownFault(Status.LOC_QP_OP_ERR, reason)
                : Refusal.tooLong(reason);
        return on.refusals().refuseReceive(packet, refusal, turn);
    }
}
