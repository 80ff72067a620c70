// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.adapter.message.PacketLengths;
import org.hcaactors.adapter.work.Handled;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** RDMA READs at an RC responder. */
final class RcReads {
    private final QpSettings settings;
    private final LocalMemory memory;
    private final RequestSequence sequence;
    private final RcRefusals refusals;
    private final ResponseQueue answers;
    private final ReplayRing replays;
    private final boolean checksKeyOfNothing;

    RcReads(QpParts parts, RequestSequence sequence, RcRefusals refusals, ResponseQueue answers, ReplayRing replays) {
        settings = parts.settings();
        memory = parts.memory();
        this.sequence = sequence;
        this.refusals = refusals;
        this.answers = answers;
        this.replays = replays;
        checksKeyOfNothing = parts.profile().has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES);
    }

    // rules rc-not-enabled, rc-resources
    Handled handle(Packet packet, Turn turn) {
        ExtendedHeader.Reth request = packet.reth();
        if (!settings.remoteAccess.allows(Access.REMOTE_READ)) {
            return refusals.refuse(packet, Refusal.notAllowed(Access.REMOTE_READ), turn);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refusals.refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), turn);
        }
        if (request.lengthUnsigned() > PacketLengths.MAX_RDMA_BYTES) {
            return refusals.refuse(packet, Refusal.invalidRequest(new Refused.ReadTooLong()), turn);
        }
        Reach reach = reach(request, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Handled.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return refusals.denied(packet, memory.whyNot(), turn);
        }
        turn.count(Counter.RX_READ_REQUESTS);
        int packets = Psn.packets(request.lengthUnsigned(), settings.mtuBytes);
        replays.remember(new ReplayRing.ReadReplay(sequence.position(), packets, request), settings.maxDestRdAtomic);
        sequence.acceptRead(packets);
        answers.read(packet.psn(), request, sequence.msn(), turn.input());
        return Handled.DONE;
    }

    // rule rc-no-bytes
    private Reach reach(ExtendedHeader.Reth request, Turn turn) {
        return request.lengthUnsigned() == 0 && !checksKeyOfNothing
                ? Reach.READY
                : memory.reach(request.rkey(), request.address(), request.lengthUnsigned(), Access.REMOTE_READ, turn);
    }
}
