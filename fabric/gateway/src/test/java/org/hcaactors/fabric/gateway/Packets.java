// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.UdpPorts;

/** Packets for tests, between addresses of the loopback interface. */
final class Packets {
    private Packets() {}

    static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static PortAddress port(int last) {
        return Addresses.of(loopback(last));
    }

    static Route route(int from, int to) {
        return new Route(port(from), port(to), 0, 64, 0, 0xC000);
    }

    static Packet send(int from, int to, int psn, int bytes) {
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, bytes, Bth.DEFAULT_PKEY, 0x11, false, psn);
        return new Packet(route(from, to), bth, List.of(), Octets.wrap(new byte[bytes], 0, bytes));
    }

    static Packet datagram(int from, int to, int qp, Octets payload) {
        Bth bth = Bth.of(Opcode.UD_SEND_ONLY, false, true, payload.length(), Bth.DEFAULT_PKEY, qp, false, 0);
        return new Packet(route(from, to), bth, List.of(new ExtendedHeader.Deth(0x8001_0000, 0, 1)), payload);
    }

    static byte[] contents(Packet packet, int sourcePort, int destinationPort) {
        ByteBuffer out = ByteBuffer.allocate(DatagramEncoder.lengthBytes(packet));
        DatagramEncoder.encode(packet, new UdpPorts(sourcePort, destinationPort), out);
        return out.array();
    }
}
