// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.message.IncomingWrite;
import org.hcaactors.adapter.work.Handled;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.MessageBuffer;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** RDMA WRITEs at an RC responder. */
final class RcWrites {
    private final QpSettings settings;
    private final LocalMemory memory;
    private final MessageBuffer buffer;
    private final RequestSequence sequence;
    private final RcRefusals refusals;
    private final ResponseQueue answers;
    private final IncomingWrite incoming;

    RcWrites(QpParts parts, RequestSequence sequence, RcRefusals refusals, ResponseQueue answers) {
        settings = parts.settings();
        memory = parts.memory();
        buffer = parts.buffer();
        this.sequence = sequence;
        this.refusals = refusals;
        this.answers = answers;
        incoming = new IncomingWrite(parts.profile().has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES));
    }

    // rules rc-not-enabled, rc-write-immediate
    Handled handle(Packet packet, Turn turn) {
        Operation operation = packet.operation();
        if (!settings.remoteAccess.allows(Access.REMOTE_WRITE)) {
            return refusals.refuse(packet, Refusal.notAllowed(Access.REMOTE_WRITE), turn);
        }
        Supply supply = operation.carriesImmediate() ? buffer.supply(packet, turn) : Supply.READY;
        if (supply != Supply.READY) {
            return refusals.without(supply, packet, turn);
        }
        if (incoming.isWrongLength(packet, settings.mtuBytes)) {
            return refusals.refuse(packet, Refusal.wrongLength(packet, settings.mtuBytes), turn);
        }
        Reach reach = incoming.reach(packet, memory, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Handled.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return refusals.denied(packet, memory.whyNot(), turn);
        }
        incoming.take(packet, memory, turn);
        sequence.accept(packet, IncomingMessage.WRITE);
        if (operation.carriesImmediate()) {
            buffer.take();
            buffer.complete(
                    CompletionKind.RECV_RDMA_WITH_IMM,
                    incoming.lengthBytes(),
                    WorkCompletion.Details.of(packet.immediateIfAny()),
                    packet.bth().solicited(),
                    turn);
        }
        answers.executed(packet, sequence.msn(), turn.input());
        return Handled.DONE;
    }
}
