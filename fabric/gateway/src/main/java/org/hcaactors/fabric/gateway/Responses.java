// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Syndrome;

/** The reader's reports to the windows of peers; wakes the writer if it waits for one. */
record Responses(Map<PortAddress, PeerWindow> windows, Outbox outbox) {
    void arrived(Packet packet) {
        if (packet.operation().isResponse()) {
            Optional.ofNullable(windows.get(packet.route().source()))
                    .filter(window -> isRefusal(packet) ? window.refused(packet.psn()) : window.answered(packet.psn()))
                    .ifPresent(opened -> outbox.wake());
        }
    }

    private static boolean isRefusal(Packet packet) {
        return packet.operation() == Operation.ACKNOWLEDGE
                && !Syndrome.isAck(packet.aeth().syndrome());
    }
}
