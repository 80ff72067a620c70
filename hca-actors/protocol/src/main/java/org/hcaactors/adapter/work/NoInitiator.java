// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;

/** An initiator without requests: whatever answers one is not for it, and it sends nothing that could fail. */
public interface NoInitiator extends Initiator {
    @Override
    default Optional<Reason> refusal(Packet packet, QpState state) {
        return Optional.of(PacketMismatch.OneWay.NO_REQUESTER);
    }

    @Override
    default int transmit(int budget, boolean mayStart, Turn turn) {
        return 0;
    }

    @Override
    default SideStatus settle(Turn turn) {
        return SideStatus.RUNNING;
    }

    @Override
    default QpState afterFailure() {
        return QpState.ERR;
    }
}
