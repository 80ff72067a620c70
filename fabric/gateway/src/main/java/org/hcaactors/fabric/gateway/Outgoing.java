// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * A packet on its way out.
 *
 * @param damagedFrame its frame, if its ICRC is wrong
 * @param event its arrival at the border, if it is traced
 * @param creditor the sender that gets a credit back when the packet has left, if there is one
 */
record Outgoing(Packet packet, Optional<Octets> damagedFrame, OptionalLong event, Optional<Endpoint> creditor) {
    /** Returns the packet with a request for an acknowledgement; unchanged if it is damaged. */
    Outgoing asking() {
        return damagedFrame.isPresent()
                ? this
                : new Outgoing(packet.withBth(packet.bth().withAckReq(true)), damagedFrame, event, creditor);
    }

    /** Called once, when the packet has left or is lost; on one thread at a time. */
    void ends() {
        creditor.ifPresent(sender -> sender.left(1));
    }
}
