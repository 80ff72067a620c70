// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicOperands;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Packet;

/** Atomics at an RC responder. */
final class RcAtomics {
    private final RcResponderParts on;

    RcAtomics(RcResponderParts on) {
        this.on = on;
    }

    /** Address and key of the value that a request changes. */
    private record Place(long address, int rkey) {
        static Place in(Packet packet) {
            return packet.operation().isMasked()
                    ? new Place(
                            packet.atomicAddress().address(),
                            packet.atomicAddress().rkey())
                    : new Place(packet.atomicEth().address(), packet.atomicEth().rkey());
        }
    }

    // rules rc-not-enabled, rc-resources, rc-atomic-aligned, atomic-sizes
    PacketOutcome handle(Packet packet, Turn turn) {
        if (!on.settings().remoteAccess.allows(Access.REMOTE_ATOMIC)) {
            return on.refusals().refuse(packet, Refusal.notAllowed(Access.REMOTE_ATOMIC), turn);
        }
        Optional<Atomic> request = AtomicOperands.in(packet);
        Optional<RequestRefused> refused = lacking(packet, request);
        if (refused.isPresent()) {
            return on.refusals().refuse(packet, Refusal.invalidRequest(refused.get()), turn);
        }
        if (on.answers().outstandingRdAtomic() >= on.settings().maxDestRdAtomic) {
            return on.refusals().refuse(packet, Refusal.beyondResources(on.settings().maxDestRdAtomic), turn);
        }
        Place place = Place.in(packet);
        Atomic atomic = request.orElseThrow();
        if (!isAligned(place.address, atomic)) {
            return misaligned(packet, place.address, atomic, turn);
        }
        Accessibility reach =
                on.memory().checkAccess(place.rkey, place.address, atomic.sizeBytes(), Access.REMOTE_ATOMIC, turn);
        if (reach != Accessibility.READY) {
            return on.unreached(reach, Use.ATOMIC, packet, turn);
        }
        long underlying = on.memory().underlyingAddress(place.rkey, place.address);
        return isAligned(underlying, atomic)
                ? execute(packet, place, atomic, turn)
                : misaligned(packet, underlying, atomic, turn);
    }

    private static boolean isAligned(long address, Atomic atomic) {
        return (address & atomic.sizeBytes() - 1) == 0;
    }

    private PacketOutcome misaligned(Packet packet, long address, Atomic atomic, Turn turn) {
        RequestRefused reason = packet.operation().isMasked()
                ? new RequestRefused.MaskedAtomicMisaligned(address, atomic.sizeBytes())
                : new RequestRefused.AtomicMisaligned(address);
        return on.refusals().refuse(packet, Refusal.invalidRequest(reason), turn);
    }

    private Optional<RequestRefused> lacking(Packet packet, Optional<Atomic> request) {
        AtomicCapabilities able = on.parts().profile().atomics();
        String profile = on.parts().profile().name();
        if (!able.eightBytes()) {
            return Optional.of(new RequestRefused.NoAtomics(profile));
        }
        if (!packet.operation().isMasked()) {
            return Optional.empty();
        }
        int bytes = packet.atomicSize().operandBytes();
        if (!able.hasMasked(bytes)) {
            return Optional.of(new RequestRefused.NoAtomicsOfThatSize(profile, bytes, able.maskedSizes()));
        }
        return request.isPresent()
                ? Optional.empty()
                : Optional.of(new RequestRefused.AtomicOperands(
                        packet.operation(), bytes, packet.payload().length()));
    }

    private PacketOutcome execute(Packet packet, Place place, Atomic atomic, Turn turn) {
        turn.count(Counter.RX_ATOMIC_REQUESTS);
        AtomicValue original = on.memory()
                .update(place.rkey, place.address, atomic, on.parts().plan().atomics(), turn);
        on.replays()
                .remember(
                        new ReplayRing.AtomicReplay(on.sequence().position(), original), on.settings().maxDestRdAtomic);
        on.sequence().accept(packet, IncomingMessage.NONE);
        on.answers().atomic(packet.psn(), on.sequence().msn(), original, turn.input());
        return PacketOutcome.DONE;
    }
}
