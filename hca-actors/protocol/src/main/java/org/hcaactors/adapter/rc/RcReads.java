// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.message.PacketLengths;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;

/** RDMA READs at an RC responder. */
final class RcReads {
    private final RcResponderParts on;

    RcReads(RcResponderParts on) {
        this.on = on;
    }

    // rules rc-not-enabled, rc-resources
    PacketOutcome handle(Packet packet, Turn turn) {
        ExtendedHeader.Reth request = packet.reth();
        if (!on.settings().remoteAccess.allows(Access.REMOTE_READ)) {
            return on.refusals().refuse(packet, Refusal.notAllowed(Access.REMOTE_READ), turn);
        }
        if (on.answers().outstandingRdAtomic() >= on.settings().maxDestRdAtomic) {
            return on.refusals().refuse(packet, Refusal.beyondResources(on.settings().maxDestRdAtomic), turn);
        }
        if (request.lengthUnsigned() > PacketLengths.MAX_RDMA_BYTES) {
            return on.refusals().refuse(packet, Refusal.invalidRequest(new RequestRefused.ReadTooLong()), turn);
        }
        Accessibility reach = checkAccess(request, turn);
        if (reach != Accessibility.READY) {
            return on.unreached(reach, Use.READ, packet, turn);
        }
        turn.count(Counter.RX_READ_REQUESTS);
        int packets = Psn.packets(request.lengthUnsigned(), on.settings().mtuBytes);
        on.replays()
                .remember(
                        new ReplayRing.ReadReplay(on.sequence().position(), packets, request, on.memory()),
                        on.settings().maxDestRdAtomic);
        on.sequence().acceptRead(packets);
        on.answers().read(packet.psn(), request, on.memory(), on.sequence().msn(), turn.input());
        return PacketOutcome.DONE;
    }

    // rule rc-no-bytes
    private Accessibility checkAccess(ExtendedHeader.Reth request, Turn turn) {
        long length = request.lengthUnsigned();
        if (length == 0 && !on.parts().profile().has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES)) {
            return Accessibility.READY;
        }
        long first = Math.min(length, on.settings().mtuBytes);
        return on.memory().checkAccess(request.rkey(), request.address(), length, first, Access.REMOTE_READ, turn);
    }
}
