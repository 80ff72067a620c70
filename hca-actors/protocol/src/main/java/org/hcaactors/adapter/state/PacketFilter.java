// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.QueuePairSides;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;

/** Filter of packets that a queue pair drops without an answer (rules qp-packet-filter, qp-pkey). */
final class PacketFilter {
    private PacketFilter() {}

    /** True if the packet is dropped; the drop is reported. */
    static boolean drops(
            Packet packet, QpState state, QueuePairSides halves, QpSettings settings, LocalPort port, Turn turn) {
        Optional<Reason> refusal = refusal(packet, state, halves, settings, port, turn);
        refusal.ifPresent(reason -> packet.split().forEach(each -> report(each, reason, turn)));
        return refusal.isPresent();
    }

    private static void report(Packet packet, Reason reason, Turn turn) {
        if (reason instanceof PacketMismatch.Pkey) {
            turn.count(Counter.BAD_PKEY_CNTR);
        }
        turn.discarded(packet, reason);
    }

    @MutationPoint("packet-filter.refusal")
    private static Optional<Reason> refusal(
            Packet packet, QpState state, QueuePairSides halves, QpSettings settings, LocalPort port, Turn turn) {
        Bth bth = packet.bth();
        Optional<Reason> another = PacketMismatch.ofAnother(packet, halves.transport());
        if (another.isPresent()) {
            return another;
        }
        if (state == QpState.RESET || state == QpState.INIT || state == QpState.ERR) {
            return Optional.of(new PacketMismatch.WrongState(state));
        }
        if (!PortAttributes.pkeysMatch(bth.pkey(), port.pkey(settings.pkeyIndex))) {
            return Optional.of(new PacketMismatch.Pkey(bth.pkey(), port.pkey(settings.pkeyIndex)));
        }
        return packet.operation().isResponse()
                ? halves.initiator().refusal(packet, state)
                : halves.target().refusal(packet, turn);
    }
}
