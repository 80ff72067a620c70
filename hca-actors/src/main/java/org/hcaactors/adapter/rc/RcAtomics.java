// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.work.Handled;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** Atomics at an RC responder. */
final class RcAtomics {
    private final QpSettings settings;
    private final Profile profile;
    private final LocalMemory memory;
    private final RequestSequence sequence;
    private final RcRefusals refusals;
    private final ResponseQueue answers;
    private final ReplayRing replays;

    RcAtomics(QpParts parts, RequestSequence sequence, RcRefusals refusals, ResponseQueue answers, ReplayRing replays) {
        settings = parts.settings();
        profile = parts.profile();
        memory = parts.memory();
        this.sequence = sequence;
        this.refusals = refusals;
        this.answers = answers;
        this.replays = replays;
    }

    // rules rc-not-enabled, rc-resources, rc-atomic-aligned
    Handled handle(Packet packet, Turn turn) {
        ExtendedHeader.AtomicEth request = packet.atomicEth();
        if (!settings.remoteAccess.allows(Access.REMOTE_ATOMIC)) {
            return refusals.refuse(packet, Refusal.notAllowed(Access.REMOTE_ATOMIC), turn);
        }
        if (!profile.atomics().eightBytes()) {
            return refusals.refuse(packet, Refusal.invalidRequest(new Refused.NoAtomics(profile.name())), turn);
        }
        if (answers.outstandingRdAtomic() >= settings.maxDestRdAtomic) {
            return refusals.refuse(packet, Refusal.beyondResources(settings.maxDestRdAtomic), turn);
        }
        if ((request.address() & 7) != 0) {
            Refused why = new Refused.AtomicMisaligned(request.address());
            return refusals.refuse(packet, Refusal.invalidRequest(why), turn);
        }
        Reach reach = memory.reach(request.rkey(), request.address(), Long.BYTES, Access.REMOTE_ATOMIC, turn);
        if (reach == Reach.AWAITING_LEASE) {
            return Handled.AWAITING;
        }
        if (reach == Reach.FORBIDDEN) {
            return refusals.denied(packet, memory.whyNot(), turn);
        }
        turn.count(Counter.RX_ATOMIC_REQUESTS);
        long original = packet.operation() == Operation.COMPARE_SWAP
                ? memory.compareAndSwap(request, turn)
                : memory.fetchAndAdd(request, turn);
        replays.remember(new ReplayRing.AtomicReplay(sequence.position(), original), settings.maxDestRdAtomic);
        sequence.accept(packet, IncomingMessage.NONE);
        answers.atomic(packet.psn(), sequence.msn(), original, turn.input());
        return Handled.DONE;
    }
}
