// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.util.StringJoiner;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/** Texts of packets for messages of a recorded cable. */
public final class PacketText {
    private PacketText() {}

    /** Returns what a packet is, for example {@code RC SEND_ONLY psn 7 64 B to qp 17}. */
    public static String of(Packet packet) {
        return CmCodec.decode(packet).map(PacketText::of).orElseGet(() -> {
            Operation operation = packet.operation();
            StringJoiner text = new StringJoiner(" ");
            text.add(packet.opcode().transport().toString()).add(nameOf(packet, operation));
            text.add("psn " + packet.psn());
            if (packet.opcode().carriesPayload()) {
                text.add(packet.payload().length() + " B");
            }
            if (operation == Operation.READ_REQUEST) {
                text.add("of " + packet.reth().lengthUnsigned() + " B");
            }
            return text.add("to qp " + packet.bth().destQp()).toString();
        });
    }

    private static String nameOf(Packet packet, Operation operation) {
        return operation == Operation.ACKNOWLEDGE && packet.opcode().extended().contains(HeaderKind.AETH)
                ? Syndrome.describe(packet.aeth().syndrome())
                : operation.toString();
    }

    /** Returns what a message of communication management is, for example {@code REQ to port 7174, qp 40}. */
    public static String of(CmDatagram datagram) {
        CmMessage message = datagram.message();
        return message.attribute()
                + switch (message) {
                    case CmMessage.ConnectRequest m ->
                        " to " + service(m.serviceId()) + ", qp "
                                + m.queuePair().number();
                    case CmMessage.ConnectReply m -> ", qp " + m.qpNumber();
                    case CmMessage.ConnectReject m -> " of reason " + m.reason();
                    case CmMessage.ServiceRequest m -> " to " + service(m.serviceId());
                    case CmMessage.ServiceReply m -> " of status " + m.status() + ", qp " + m.qpNumber();
                    case CmMessage.DisconnectRequest m -> " for qp " + m.remoteQpn();
                    case CmMessage other -> "";
                };
    }

    private static String service(long id) {
        return IpService.isIp(id) ? "port " + IpService.port(id) : "service 0x%016x".formatted(id);
    }
}
