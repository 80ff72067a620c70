// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * A message of the address resolution protocol, for IPv4 on Ethernet (RFC 826).
 *
 * @param operation 1 for a request, 2 for a reply
 * @param senderMac of the sender
 * @param sender IPv4 address of the sender
 * @param targetMac of the target; anything in a request
 * @param target IPv4 address of the target
 */
record ArpMessage(int operation, MacAddress senderMac, PortAddress sender, MacAddress targetMac, PortAddress target) {
    static final int REQUEST = 1;
    static final int REPLY = 2;

    private static final int BYTES = 28;
    /** Hardware type Ethernet, protocol type IPv4, and the lengths of both addresses. */
    private static final long FORMAT = 0x0001_0800_0604L;

    /** Reads the message of a frame; empty if it is of another format. */
    static Optional<ArpMessage> read(byte[] frame) {
        if (frame.length < EthernetHeader.BYTES + BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(frame).position(EthernetHeader.BYTES);
        long format = (in.getInt() & 0xFFFF_FFFFL) << 16 | in.getShort() & 0xFFFF;
        int operation = in.getShort();
        ArpMessage message = new ArpMessage(
                operation,
                MacAddress.read(in),
                PortAddress.ofIpv4(in.getInt()),
                MacAddress.read(in),
                PortAddress.ofIpv4(in.getInt()));
        boolean known = format == FORMAT && (operation == REQUEST || operation == REPLY);
        return known ? Optional.of(message) : Optional.empty();
    }

    /** Returns the request for the MAC address of a host. */
    static ArpMessage request(MacAddress ownMac, PortAddress own, PortAddress target) {
        return new ArpMessage(REQUEST, ownMac, own, new MacAddress(0), target);
    }

    /** Returns the reply of a host that has the target address of this request. */
    ArpMessage reply(MacAddress ownMac) {
        return new ArpMessage(REPLY, ownMac, target, senderMac, sender);
    }

    /** Returns the frame of the message. */
    byte[] frame(MacAddress destination) {
        ByteBuffer out = new EthernetHeader(destination, senderMac, EthernetHeader.TYPE_ARP).frame(BYTES);
        out.putShort((short) (FORMAT >>> 32)).putInt((int) FORMAT).putShort((short) operation);
        senderMac.write(out);
        out.putInt(sender.ipv4());
        targetMac.write(out);
        out.putInt(target.ipv4());
        return out.array();
    }
}
