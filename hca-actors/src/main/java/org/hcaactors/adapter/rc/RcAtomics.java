// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.work.Handled;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** Atomics at an RC responder. */
final class RcAtomics {
    private final RcAnswering on;

    RcAtomics(RcAnswering on) {
        this.on = on;
    }

    // rules rc-not-enabled, rc-resources, rc-atomic-aligned
    Handled handle(Packet packet, Turn turn) {
        ExtendedHeader.AtomicEth request = packet.atomicEth();
        if (!on.settings().remoteAccess.allows(Access.REMOTE_ATOMIC)) {
            return on.refusals().refuse(packet, Refusal.notAllowed(Access.REMOTE_ATOMIC), turn);
        }
        if (!on.parts().profile().atomics().eightBytes()) {
            return on.refusals()
                    .refuse(
                            packet,
                            Refusal.invalidRequest(
                                    new Refused.NoAtomics(on.parts().profile().name())),
                            turn);
        }
        if (on.answers().outstandingRdAtomic() >= on.settings().maxDestRdAtomic) {
            return on.refusals().refuse(packet, Refusal.beyondResources(on.settings().maxDestRdAtomic), turn);
        }
        if ((request.address() & 7) != 0) {
            Refused why = new Refused.AtomicMisaligned(request.address());
            return on.refusals().refuse(packet, Refusal.invalidRequest(why), turn);
        }
        Reach reach = on.memory().reach(request.rkey(), request.address(), Long.BYTES, Access.REMOTE_ATOMIC, turn);
        if (reach != Reach.READY) {
            return on.unreached(reach, Use.ATOMIC, packet, turn);
        }
        turn.count(Counter.RX_ATOMIC_REQUESTS);
        long original = packet.operation() == Operation.COMPARE_SWAP
                ? on.memory().compareAndSwap(request, turn)
                : on.memory().fetchAndAdd(request, turn);
        on.replays()
                .remember(
                        new ReplayRing.AtomicReplay(on.sequence().position(), original), on.settings().maxDestRdAtomic);
        on.sequence().accept(packet, IncomingMessage.NONE);
        on.answers().atomic(packet.psn(), on.sequence().msn(), original, turn.input());
        return Handled.DONE;
    }
}
