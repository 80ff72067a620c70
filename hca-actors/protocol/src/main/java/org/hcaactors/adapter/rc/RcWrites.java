// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.BadCommand;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.message.IncomingWrite;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** RDMA WRITEs at an RC responder. */
final class RcWrites {
    private final RcResponderParts on;
    private final IncomingWrite incoming;

    RcWrites(RcResponderParts on) {
        this.on = on;
        incoming = new IncomingWrite(on.parts().plan());
    }

    /** Executes a run of middle packets; returns false, and writes nothing, if its packets must be handled one by one. */
    boolean executeWhole(Packet run, Turn turn) {
        boolean can = on.settings().remoteAccess.allows(Access.REMOTE_WRITE)
                && !incoming.isWrongLength(run, on.settings().mtuBytes)
                && !incoming.carriesCommands()
                && incoming.checkAccess(run, on.memory(), turn) == Accessibility.READY;
        if (can) {
            execute(run, turn);
        }
        return can;
    }

    // rules rc-not-enabled, rc-write-immediate
    PacketOutcome handle(Packet packet, Turn turn) {
        Operation operation = packet.operation();
        if (!on.settings().remoteAccess.allows(Access.REMOTE_WRITE)) {
            return on.refusals().refuse(packet, Refusal.notAllowed(Access.REMOTE_WRITE), turn);
        }
        if (operation.carriesImmediate() && on.buffer().supply(packet, turn) == Supply.EMPTY) {
            return on.refusals().notReady(packet, turn);
        }
        if (incoming.isWrongLength(packet, on.settings().mtuBytes)) {
            return refuse(packet, Refusal.wrongLength(packet, on.settings().mtuBytes), turn);
        }
        Accessibility reach = incoming.checkAccess(packet, on.memory(), turn);
        if (reach != Accessibility.READY) {
            return on.unreached(reach, Use.WRITE, packet, turn);
        }
        Optional<BadCommand> bad = incoming.refusal(packet, on.memory(), turn);
        if (bad.isPresent()) {
            return refuse(packet, Refusal.invalidRequest(bad.get()), turn);
        }
        execute(packet, turn);
        return PacketOutcome.DONE;
    }

    private void execute(Packet packet, Turn turn) {
        incoming.take(packet, on.memory(), turn);
        on.sequence().accept(packet, IncomingMessage.WRITE);
        if (packet.operation().carriesImmediate()) {
            on.buffer().take();
            on.buffer()
                    .complete(
                            CompletionKind.RECV_RDMA_WITH_IMM,
                            incoming.lengthBytes(),
                            WorkCompletion.Details.of(packet.immediateIfAny()),
                            packet.bth().solicited(),
                            turn);
        }
        on.answers().executed(packet, on.sequence().msn(), turn.input());
    }

    // rules rc-write-immediate, rc-fault-told
    /** Refuses a WRITE; the packet with immediate data holds a receive. */
    private PacketOutcome refuse(Packet packet, Refusal reason, Turn turn) {
        return packet.operation().carriesImmediate()
                ? on.refusals().refuseReceive(packet, reason, turn)
                : on.refusals().refuse(packet, reason, turn);
    }
}
