// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/** Encoder of RoCEv2 frames (rules wire-frame, wire-route, wire-icrc). */
public final class FrameEncoder {
    static final int ETHERNET = 14;
    private static final int UDP = 8;
    private static final int PROTOCOL_UDP = 17;
    private static final int NEXT_BTH = 0x1B;
    private static final Octets ZEROS = Octets.copyOf(new byte[3]);

    private FrameEncoder() {}

    /** Encodes a frame unchanged: same ICRC, same checksums, same trailer. */
    public static byte[] encode(RoceFrame frame) {
        Packet packet = frame.packet();
        int pad = frame.pad().length();
        boolean v1 = frame.ip() instanceof IpHeader.Grh;
        int udpBytes = udpBytes(packet, pad) - (v1 ? UDP : 0);
        int link = frame.link().length();
        int length =
                link + frame.ip().lengthBytes() + udpBytes + frame.trailer().length();
        ByteBuffer out = ByteBuffer.allocate(length);
        frame.link().writeTo(out);
        writeIp(frame.ip(), packet.route(), udpBytes, out);
        if (!v1) {
            writeUdp(packet.route(), frame.udpLength(), frame.udpChecksum(), out);
        }
        writeTransport(packet, frame.pad(), out);
        out.putInt(frame.icrc());
        frame.trailer().writeTo(out);
        return out.array();
    }

    /** Encodes a packet on Ethernet: locally administered MAC addresses, UDP checksum 0, correct ICRC. */
    public static byte[] encode(Packet packet) {
        Route route = packet.route();
        boolean v4 = route.source().isIpv4();
        int pad = packet.bth().padCount();
        int udpBytes = udpBytes(packet, pad);
        int ipBytes = v4 ? IpHeader.Ipv4.LENGTH_BYTES : IpHeader.Ipv6.LENGTH_BYTES;
        ByteBuffer out = ByteBuffer.allocate(ETHERNET + ipBytes + udpBytes);
        writeMac(route.destination(), out);
        writeMac(route.source(), out);
        out.putShort((short) (v4 ? 0x0800 : 0x86DD));
        writeIp(header(route), route, udpBytes, out);
        if (v4) {
            out.putShort(ETHERNET + 10, (short) ipv4Checksum(out.array(), ETHERNET));
        }
        writeUdp(route, udpBytes, 0, out);
        writeTransport(packet, zeros(pad), out);
        out.putInt(Icrc.compute(out.array(), ETHERNET, ipBytes, out.position()));
        return out.array();
    }

    /** Returns the IP header of a packet as a receiver sees it: 20 or 40 bytes. */
    public static byte[] ipHeader(Packet packet) {
        boolean v4 = packet.route().source().isIpv4();
        ByteBuffer out = ByteBuffer.allocate(v4 ? IpHeader.Ipv4.LENGTH_BYTES : IpHeader.Ipv6.LENGTH_BYTES);
        writeIp(
                header(packet.route()),
                packet.route(),
                udpBytes(packet, packet.bth().padCount()),
                out);
        if (v4) {
            out.putShort(10, (short) ipv4Checksum(out.array(), 0));
        }
        return out.array();
    }

    /** Returns the header of a packet that is never fragmented. */
    static IpHeader header(Route route, int identification) {
        return route.source().isIpv4()
                ? new IpHeader.Ipv4(identification, Route.DONT_FRAGMENT, 0)
                : new IpHeader.Ipv6();
    }

    /** The IPv4 checksum is written afterwards. */
    private static IpHeader header(Route route) {
        return route.source().isIpv4()
                ? new IpHeader.Ipv4(route.identification(), route.flags(), 0)
                : new IpHeader.Ipv6();
    }

    private static int udpBytes(Packet packet, int pad) {
        return UDP + transportBytes(packet, pad) + Icrc.LENGTH_BYTES;
    }

    /** Returns the bytes between the UDP header and the ICRC. */
    static int transportBytes(Packet packet, int pad) {
        return Bth.LENGTH_BYTES
                + packet.opcode().extendedBytes()
                + packet.payload().length()
                + pad;
    }

    private static void writeMac(PortAddress port, ByteBuffer out) {
        out.putShort((short) 0x0200).putInt((int) port.low());
    }

    static void writeIp(IpHeader ip, Route route, int udpBytes, ByteBuffer out) {
        switch (ip) {
            case IpHeader.Ipv4 v4 -> {
                out.put((byte) 0x45).put((byte) route.trafficClass());
                out.putShort((short) (IpHeader.Ipv4.LENGTH_BYTES + udpBytes));
                out.putShort((short) v4.identification()).putShort((short) v4.flagsAndFragment());
                out.put((byte) route.hopLimit()).put((byte) PROTOCOL_UDP);
                out.putShort((short) v4.checksum());
                out.putInt(route.source().ipv4()).putInt(route.destination().ipv4());
            }
            case IpHeader.Ipv6 v6 -> writeIpv6(PROTOCOL_UDP, route, udpBytes, out);
            case IpHeader.Grh v1 -> writeIpv6(NEXT_BTH, route, udpBytes, out);
        }
    }

    private static void writeIpv6(int nextHeader, Route route, int bytes, ByteBuffer out) {
        out.putInt(6 << 28 | route.trafficClass() << 20 | route.flowLabel());
        out.putShort((short) bytes).put((byte) nextHeader).put((byte) route.hopLimit());
        out.putLong(route.source().high()).putLong(route.source().low());
        out.putLong(route.destination().high()).putLong(route.destination().low());
    }

    private static void writeUdp(Route route, int length, int checksum, ByteBuffer out) {
        out.putShort((short) route.udpSourcePort()).putShort((short) Route.UDP_DESTINATION_PORT);
        out.putShort((short) length).putShort((short) checksum);
    }

    /** Returns the pad that senders write. */
    static Octets zeros(int pad) {
        return ZEROS.slice(0, pad);
    }

    static void writeTransport(Packet packet, Octets pad, ByteBuffer out) {
        TransportHeaders.writeBth(packet.bth(), out);
        for (ExtendedHeader header : packet.extended()) {
            TransportHeaders.write(header, out);
        }
        packet.payload().writeTo(out);
        pad.writeTo(out);
    }

    private static int ipv4Checksum(byte[] frame, int at) {
        int sum = 0;
        for (int i = 0; i < IpHeader.Ipv4.LENGTH_BYTES; i += 2) {
            sum += (frame[at + i] & 0xFF) << 8 | frame[at + i + 1] & 0xFF;
        }
        while (sum >> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >> 16);
        }
        return ~sum & 0xFFFF;
    }
}
