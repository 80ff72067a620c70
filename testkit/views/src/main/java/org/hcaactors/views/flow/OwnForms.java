// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Parts of a packet's form that are this model's own, as no standard or vendor has published them. Captures mark them for
 * readers of other tools.
 */
final class OwnForms {
    private OwnForms() {}

    /** Returns {@code this model's own: version 1 in the DCETH (rule wire-dc-header)}; empty for a packet of published form. */
    static Optional<String> of(Packet packet) {
        List<String> own = new ArrayList<>();
        if (packet.operation().isMasked()) {
            own.add("opcode 0x%02x and what is behind the BTH (rule %s)"
                    .formatted(
                            packet.opcode().code(), maskedRule(packet.opcode().transport())));
        }
        if (packet.opcode().transport() == TransportClass.DC) {
            inDc(packet, own);
        }
        return own.isEmpty() ? Optional.empty() : Optional.of("this model's own: " + String.join("; ", own));
    }

    private static String maskedRule(TransportClass transport) {
        return switch (transport) {
            case DC -> "wire-dc-masked";
            case XRC -> "wire-xrc-masked";
            case RC, UC, UD, CNP -> "wire-masked-atomic";
        };
    }

    private static void inDc(Packet packet, List<String> own) {
        ExtendedHeader.DcEth dc = packet.dcEth();
        if (dc.flags() != 0 || dc.channel() != 0) {
            own.add("version " + dc.version() + (dc.asksForFullHandshake() ? ", full handshake" : "")
                    + (dc.channel() == 0 ? "" : ", channel " + dc.channel()) + " in the DCETH (rule wire-dc-header)");
        }
        switch (packet.operation()) {
            case CONNECT, ACKNOWLEDGE, MASKED_COMPARE_SWAP, MASKED_FETCH_ADD -> {}
            case DISCONNECT -> own.add("0x55 with the solicited bit ends the session (rule wire-dc-connect)");
            default -> own.add("what is behind the DCETH is as in RC (rule wire-dc-class)");
        }
    }
}
