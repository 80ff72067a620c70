// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Stray;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;

/** An initiator without requests: whatever answers one is not for it, and it sends nothing that could fail. */
public interface AsksForNothing extends Initiator {
    @Override
    default Optional<Reason> refusal(Packet packet, QpState state) {
        return Optional.of(Stray.OneWay.ASKS_FOR_NOTHING);
    }

    @Override
    default int transmit(int budget, boolean mayStart, Turn turn) {
        return 0;
    }

    @Override
    default Standing settle(Turn turn) {
        return Standing.GOES_ON;
    }

    @Override
    default QpState afterFailure() {
        return QpState.ERR;
    }
}
