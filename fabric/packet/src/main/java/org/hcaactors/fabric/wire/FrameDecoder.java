// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import java.util.List;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded.Malformed;
import org.hcaactors.fabric.wire.Decoded.NotRoce;
import org.hcaactors.fabric.wire.Decoded.Problem;

/**
 * Decoder of RoCEv2 frames (rule wire-frame). It never throws because of its input: the result is a packet, another protocol,
 * or a defect.
 */
public final class FrameDecoder {
    private static final int ETHERNET = 14;
    private static final int VLAN_TAG = 4;
    private static final int TYPE_VLAN = 0x8100;
    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int PROTOCOL_UDP = 17;
    private static final int NEXT_BTH = 0x1B;
    private static final int UDP = 8;
    private static final int FRAGMENT_BITS = 0x3FFF;

    private FrameDecoder() {}

    /**
     * Decodes a frame as a port does: on Ethernet, or IP alone, with at most one VLAN tag. {@link Unwrapped} decodes frames of
     * captures.
     *
     * @param frame from the link header on, without the Ethernet FCS; not retained
     */
    public static Decoded decode(byte[] frame, LinkLayer layer) {
        byte[] bytes = frame.clone();
        return switch (layer) {
            case ETHERNET -> ethernet(bytes);
            case RAW_IP, IPV4, IPV6 -> rawIp(bytes);
            case NULL, LOOP, LINUX_SLL, LINUX_SLL2 ->
                Unwrapped.read(frame, frame.length, layer).content();
        };
    }

    private static Decoded ethernet(byte[] frame) {
        if (frame.length < ETHERNET) {
            return new NotRoce("a frame of " + frame.length + " bytes, shorter than an Ethernet header");
        }
        int type = u16(frame, 12);
        int link = ETHERNET;
        if (type == TYPE_VLAN && frame.length >= ETHERNET + VLAN_TAG) {
            type = u16(frame, 16);
            link = ETHERNET + VLAN_TAG;
        }
        return switch (type) {
            case TYPE_IPV4 -> ipv4(frame, link, false);
            case TYPE_IPV6 -> ipv6(frame, link, false);
            default -> new NotRoce("ethertype 0x%04x".formatted(type));
        };
    }

    private static Decoded rawIp(byte[] packet) {
        int version = packet.length == 0 ? 0 : (packet[0] & 0xFF) >> 4;
        return switch (version) {
            case 4 -> ipv4(packet, 0, false);
            case 6 -> ipv6(packet, 0, false);
            default -> new NotRoce("IP version " + version);
        };
    }

    /** @param cut missing bytes were removed by the capture */
    static Decoded ipv4(byte[] frame, int at, boolean cut) {
        if (frame.length < at + IpHeader.Ipv4.LENGTH_BYTES) {
            return new NotRoce("a frame that ends inside its IPv4 header");
        }
        int versionAndLength = frame[at] & 0xFF;
        if (versionAndLength != 0x45) {
            return new NotRoce("IPv4 with first byte 0x%02x; RoCEv2 has 0x45: no options".formatted(versionAndLength));
        }
        if ((frame[at + 9] & 0xFF) != PROTOCOL_UDP) {
            return new NotRoce("IP protocol " + (frame[at + 9] & 0xFF));
        }
        IpHeader.Ipv4 ip = new IpHeader.Ipv4(u16(frame, at + 4), u16(frame, at + 6), u16(frame, at + 10));
        if ((ip.flagsAndFragment() & FRAGMENT_BITS) != 0) {
            return new Malformed(Problem.FRAGMENT, "an IPv4 fragment; RoCEv2 is never fragmented");
        }
        PortAddress source = PortAddress.ofIpv4(i32(frame, at + 12));
        PortAddress destination = PortAddress.ofIpv4(i32(frame, at + 16));
        int udpLength = u16(frame, at + 2) - IpHeader.Ipv4.LENGTH_BYTES;
        Route route = new Route(
                source,
                destination,
                frame[at + 1] & 0xFF,
                frame[at + 8] & 0xFF,
                0,
                0,
                ip.identification(),
                ip.flagsAndFragment());
        return udp(frame, at, ip, route, udpLength, cut);
    }

    /** @param cut missing bytes were removed by the capture */
    static Decoded ipv6(byte[] frame, int at, boolean cut) {
        if (frame.length < at + IpHeader.Ipv6.LENGTH_BYTES) {
            return new NotRoce("a frame that ends inside its IPv6 header");
        }
        int word = i32(frame, at);
        if (word >>> 28 != 6) {
            return new NotRoce("IP version " + (word >>> 28) + " behind an IPv6 type");
        }
        if ((frame[at + 6] & 0xFF) != PROTOCOL_UDP) {
            return new NotRoce("IPv6 next header " + (frame[at + 6] & 0xFF));
        }
        PortAddress source = new PortAddress(i64(frame, at + 8), i64(frame, at + 16));
        PortAddress destination = new PortAddress(i64(frame, at + 24), i64(frame, at + 32));
        if (source.isIpv4() || destination.isIpv4()) {
            return new NotRoce("an IPv4-mapped address in an IPv6 header");
        }
        Route route = new Route(source, destination, word >>> 20 & 0xFF, frame[at + 7] & 0xFF, word & 0xFFFFF, 0);
        return udp(frame, at, new IpHeader.Ipv6(), route, u16(frame, at + 4), cut);
    }

    /**
     * Decodes RoCEv1: BTH after a GRH, without UDP (IBA annex A16).
     *
     * @param cut missing bytes were removed by the capture
     */
    static Decoded grh(byte[] frame, int at, boolean cut) {
        if (frame.length < at + IpHeader.Grh.LENGTH_BYTES) {
            return new NotRoce("a frame that ends inside its GRH");
        }
        int word = i32(frame, at);
        if (word >>> 28 != 6 || frame[at + 6] != NEXT_BTH) {
            return new NotRoce("a GRH of version " + (word >>> 28) + " and next header " + (frame[at + 6] & 0xFF));
        }
        Route route = new Route(
                new PortAddress(i64(frame, at + 8), i64(frame, at + 16)),
                new PortAddress(i64(frame, at + 24), i64(frame, at + 32)),
                word >>> 20 & 0xFF,
                frame[at + 7] & 0xFF,
                word & 0xFFFFF,
                0,
                0,
                0);
        int start = at + IpHeader.Grh.LENGTH_BYTES;
        int bytes = u16(frame, at + 4);
        if (bytes < Bth.LENGTH_BYTES + Icrc.LENGTH_BYTES) {
            return new Malformed(Problem.BAD_LENGTH, bytes + " bytes behind a GRH; a BTH and an ICRC take at least 16");
        }
        IpHeader.Grh grh = new IpHeader.Grh();
        if (frame.length < start + bytes) {
            return cut
                    ? cut(frame, start, grh, route, start + bytes)
                    : new Malformed(
                            Problem.TRUNCATED,
                            "captured " + (frame.length - start) + " of " + bytes + " bytes behind a GRH");
        }
        return transport(frame, at, start, grh, route, start + bytes);
    }

    private static Decoded udp(byte[] frame, int ipStart, IpHeader ip, Route route, int udpBytes, boolean cut) {
        int at = ipStart + ip.lengthBytes();
        if (frame.length < at + UDP) {
            return new NotRoce("a frame that ends inside its UDP header");
        }
        int port = u16(frame, at + 2);
        if (port != Route.UDP_DESTINATION_PORT) {
            return new NotRoce("UDP port " + port);
        }
        if (udpBytes < UDP + Bth.LENGTH_BYTES + Icrc.LENGTH_BYTES) {
            return new Malformed(
                    Problem.BAD_LENGTH,
                    "an IP payload of " + udpBytes + " bytes; UDP, a BTH and an ICRC take at least 24");
        }
        Route whole = route.withUdpSourcePort(u16(frame, at));
        if (frame.length < at + udpBytes) {
            return cut
                    ? cut(frame, at + UDP, ip, whole, at + udpBytes)
                    : new Malformed(
                            Problem.TRUNCATED, "captured " + (frame.length - at) + " of " + udpBytes + " bytes of UDP");
        }
        return transport(frame, ipStart, at + UDP, ip, whole, at + udpBytes);
    }

    /**
     * @param start of the BTH
     * @param end of the packet on the wire, after the end of the frame
     */
    private static Decoded cut(byte[] frame, int start, IpHeader ip, Route route, int end) {
        int captured = frame.length - start;
        boolean transportKnown = captured >= Bth.LENGTH_BYTES
                && (!Opcode.isShared(frame[start]) || captured >= TransportPart.IDENTIFYING_BYTES);
        if (!transportKnown) {
            return new Malformed(Problem.TRUNCATED, "captured " + captured + " bytes of its transport headers");
        }
        Opcode opcode = TransportPart.opcode(frame, start).orElse(null);
        if (opcode == null) {
            return new Malformed(Problem.UNKNOWN_OPCODE, TransportPart.unknown(frame, start));
        }
        int headers = Bth.LENGTH_BYTES + opcode.extendedBytes();
        int payload = end - Icrc.LENGTH_BYTES - start - headers - (frame[start + 1] >> 4 & 3);
        if (payload < 0) {
            return new Malformed(
                    Problem.BAD_LENGTH, opcode + " needs more than the " + (end - start) + " bytes of the frame");
        }
        if (payload > 0 && !opcode.carriesPayload()) {
            return new Malformed(Problem.UNEXPECTED_PAYLOAD, opcode + " with " + payload + " bytes of payload");
        }
        ByteBuffer in = ByteBuffer.wrap(frame, start, Math.min(headers, captured));
        Bth bth = TransportHeaders.readBth(in, opcode);
        List<ExtendedHeader> extended = TransportHeaders.readWhole(in, opcode);
        int capturedPayload = Math.clamp(captured - headers, 0, payload);
        Octets body = capturedPayload == 0 ? Octets.NONE : Octets.wrap(frame, start + headers, capturedPayload);
        return new Decoded.Truncated(new TruncatedFrame(ip, route, bth, extended, body, payload));
    }

    private static Decoded transport(byte[] frame, int ipStart, int start, IpHeader ip, Route route, int end) {
        int icrcAt = end - Icrc.LENGTH_BYTES;
        return switch (TransportPart.read(frame, start, icrcAt)) {
            case TransportPart.Invalid(var defect) -> defect;
            case TransportPart.Valid part -> new Decoded.Frame(whole(frame, ipStart, start, ip, route, part, end));
        };
    }

    private static RoceFrame whole(
            byte[] frame, int ipStart, int start, IpHeader ip, Route route, TransportPart.Valid part, int end) {
        int udp = ipStart + ip.lengthBytes();
        boolean v1 = start == udp;
        int icrcAt = end - Icrc.LENGTH_BYTES;
        int icrc = i32(frame, icrcAt);
        return new RoceFrame(
                Octets.wrap(frame, 0, ipStart),
                ip,
                v1 ? 0 : u16(frame, udp + 4),
                v1 ? 0 : u16(frame, udp + 6),
                part.packet(frame, route),
                Octets.wrap(frame, part.padAt(), part.padBytes()),
                icrc,
                icrc == Icrc.compute(frame, ipStart, ip.lengthBytes(), start - udp, icrcAt),
                Octets.wrap(frame, end, frame.length - end));
    }

    private static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
    }

    private static int i32(byte[] bytes, int at) {
        return u16(bytes, at) << 16 | u16(bytes, at + 2);
    }

    private static long i64(byte[] bytes, int at) {
        return (long) i32(bytes, at) << 32 | Integer.toUnsignedLong(i32(bytes, at + 4));
    }
}
