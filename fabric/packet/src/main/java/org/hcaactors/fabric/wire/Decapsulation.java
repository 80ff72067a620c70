// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded.NotRoce;
import org.hcaactors.fabric.wire.Wrapping.PacketType;

/**
 * Remover of the headers around the packet of a captured frame: cooked and loopback headers, VLAN tags, and the headers of
 * mirror ports and overlays. The port of an adapter removes none of these.
 */
final class Decapsulation {
    /** Maximum headers around one packet; a frame with more is reported as such and not decoded further. */
    static final int MAX_WRAPPINGS = 8;

    static final int TYPE_VLAN = 0x8100;

    private static final int TYPE_SERVICE_VLAN = 0x88A8;
    private static final int TYPE_OLD_QINQ = 0x9100;
    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86DD;
    private static final int TYPE_ROCE_V1 = 0x8915;
    private static final int TYPE_ETHERNET = 0x6558;
    private static final int TYPE_ERSPAN = 0x88BE;
    private static final int TYPE_ERSPAN_III = 0x22EB;
    private static final int ETHERNET = 14;
    private static final int TAG = 4;
    private static final int FAMILY = 4;
    private static final int SLL = 16;
    private static final int SLL2 = 20;
    /** ARPHRD_NETLINK and the wireless types, for which no ethertype describes the next header. */
    private static final int HARDWARE_WITHOUT_TYPES = 801;

    private static final int UDP = 8;
    private static final int PROTOCOL_UDP = 17;
    private static final int PROTOCOL_GRE = 47;
    private static final int NEXT_FRAGMENT = 44;
    private static final int FRAGMENT_BITS = 0x3FFF;
    private static final int PORT_VXLAN = 4789;
    private static final int PORT_VXLAN_LINUX = 8472;
    private static final int PORT_GENEVE = 6081;
    private static final int OVERLAY = 8;
    private static final int GRE = 4;
    private static final int GRE_CHECKSUM = 0x8000;
    private static final int GRE_ROUTING = 0x4000;
    private static final int GRE_KEY = 0x2000;
    private static final int GRE_SEQUENCE = 0x1000;
    private static final int ERSPAN_II = 8;
    private static final int ERSPAN_III = 12;
    private static final int ERSPAN_III_MORE = 8;

    private final byte[] frame;
    private final boolean cut;
    private final List<Wrapping> wrappings = new ArrayList<>();

    /** @param cut the frame was longer on the wire */
    Decapsulation(byte[] frame, boolean cut) {
        this.frame = frame;
        this.cut = cut;
    }

    Unwrapped unwrap(LinkLayer layer) {
        Decoded content = switch (layer) {
            case ETHERNET -> ethernet(0);
            case RAW_IP, IPV4, IPV6 -> ip(0);
            case NULL, LOOP -> loopback();
            case LINUX_SLL -> cooked();
            case LINUX_SLL2 -> cooked2();
        };
        return new Unwrapped(wrappings, content);
    }

    /** Adds the header; false if there are too many. */
    private boolean enter(Wrapping wrapping) {
        boolean room = wrappings.size() < MAX_WRAPPINGS;
        if (room) {
            wrappings.add(wrapping);
        }
        return room;
    }

    private static NotRoce tooDeep() {
        return new NotRoce("a frame with more than " + MAX_WRAPPINGS + " encapsulating headers");
    }

    private boolean has(int at, int bytes) {
        return frame.length - at >= bytes;
    }

    private static NotRoce endsInside(String header) {
        return new NotRoce("a frame that ends inside its " + header + " header");
    }

    private Decoded loopback() {
        if (!has(0, FAMILY)) {
            return endsInside("loopback");
        }
        int family = i32(0);
        // An address family is a small number, so it shows the byte order of the capturing host.
        family = family >>> 16 == 0 ? family : Integer.reverseBytes(family);
        return enter(new Wrapping.Loopback(family)) ? ip(FAMILY) : tooDeep();
    }

    private Decoded cooked() {
        if (!has(0, SLL)) {
            return endsInside("cooked");
        }
        return cooked(new Wrapping.Cooked(1, PacketType.of(u16(0)), OptionalInt.empty()), u16(2), u16(14), SLL);
    }

    private Decoded cooked2() {
        if (!has(0, SLL2)) {
            return endsInside("cooked");
        }
        PacketType type = PacketType.of(frame[10] & 0xFF);
        return cooked(new Wrapping.Cooked(2, type, OptionalInt.of(i32(4))), u16(8), u16(0), SLL2);
    }

    private Decoded cooked(Wrapping.Cooked wrapping, int hardware, int type, int next) {
        if (!enter(wrapping)) {
            return tooDeep();
        }
        return hardware >= HARDWARE_WITHOUT_TYPES && hardware <= 824
                ? new NotRoce("a cooked frame of hardware type " + hardware)
                : typed(type, next);
    }

    private Decoded ethernet(int at) {
        if (!has(at, ETHERNET)) {
            return new NotRoce("a frame of " + (frame.length - at) + " bytes, shorter than an Ethernet header");
        }
        return typed(u16(at + 12), at + ETHERNET);
    }

    private Decoded typed(int type, int at) {
        return switch (type) {
            case TYPE_VLAN, TYPE_SERVICE_VLAN, TYPE_OLD_QINQ -> vlan(type, at);
            case TYPE_IPV4, TYPE_IPV6 -> ip(at);
            case TYPE_ROCE_V1 -> FrameDecoder.grh(frame, at, mayBeCut());
            default -> new NotRoce("ethertype 0x%04x".formatted(type));
        };
    }

    private Decoded vlan(int type, int at) {
        if (!has(at, TAG)) {
            return endsInside("VLAN");
        }
        return enter(new Wrapping.Vlan(type, u16(at) & 0xFFF)) ? typed(u16(at + 2), at + TAG) : tooDeep();
    }

    private boolean mayBeCut() {
        return cut || wrappings.stream().anyMatch(Wrapping::isMirror);
    }

    private Decoded ip(int at) {
        int version = has(at, 1) ? (frame[at] & 0xFF) >> 4 : 0;
        return switch (version) {
            case 4 -> ipv4(at);
            case 6 -> ipv6(at);
            default -> new NotRoce("IP version " + version);
        };
    }

    private Decoded ipv4(int at) {
        if (has(at, IpHeader.Ipv4.LENGTH_BYTES) && (u16(at + 6) & FRAGMENT_BITS) == 0) {
            int header = (frame[at] & 0xF) * 4;
            if (header >= IpHeader.Ipv4.LENGTH_BYTES && isTunnel(frame[at + 9], at + header)) {
                return tunnel(frame[at + 9], at + header);
            }
        }
        return FrameDecoder.ipv4(frame, at, mayBeCut());
    }

    private Decoded ipv6(int at) {
        if (has(at, IpHeader.Ipv6.LENGTH_BYTES)) {
            int next = at + IpHeader.Ipv6.LENGTH_BYTES;
            if (frame[at + 6] == NEXT_FRAGMENT) {
                return new NotRoce("an IPv6 fragment");
            }
            if (isTunnel(frame[at + 6], next)) {
                return tunnel(frame[at + 6], next);
            }
        }
        return FrameDecoder.ipv6(frame, at, mayBeCut());
    }

    private boolean isTunnel(byte protocol, int at) {
        return protocol == PROTOCOL_GRE || protocol == PROTOCOL_UDP && has(at, UDP) && isOverlay(u16(at + 2));
    }

    private static boolean isOverlay(int port) {
        return port != Route.UDP_DESTINATION_PORT
                && (port == PORT_VXLAN || port == PORT_VXLAN_LINUX || port == PORT_GENEVE);
    }

    private Decoded tunnel(byte protocol, int at) {
        if (protocol == PROTOCOL_GRE) {
            return gre(at);
        }
        return u16(at + 2) == PORT_GENEVE ? geneve(at + UDP) : vxlan(at + UDP);
    }

    private Decoded vxlan(int at) {
        if (!has(at, OVERLAY)) {
            return endsInside("VXLAN");
        }
        return enter(new Wrapping.Vxlan(i32(at + 4) >>> 8)) ? ethernet(at + OVERLAY) : tooDeep();
    }

    private Decoded geneve(int at) {
        int header = has(at, 1) ? OVERLAY + (frame[at] & 0x3F) * 4 : OVERLAY;
        if (!has(at, header)) {
            return endsInside("Geneve");
        }
        return enter(new Wrapping.Geneve(i32(at + 4) >>> 8)) ? carried(u16(at + 2), at + header) : tooDeep();
    }

    /** Decodes after a protocol type that may also be Ethernet. */
    private Decoded carried(int type, int at) {
        return type == TYPE_ETHERNET ? ethernet(at) : typed(type, at);
    }

    private Decoded gre(int at) {
        if (!has(at, GRE)) {
            return endsInside("GRE");
        }
        int flags = u16(at);
        if ((flags & 7) != 0 || (flags & GRE_ROUTING) != 0) {
            return new NotRoce("GRE with flags 0x%04x".formatted(flags));
        }
        int keyAt = at + GRE + ((flags & GRE_CHECKSUM) == 0 ? 0 : 4);
        int sequenceAt = keyAt + ((flags & GRE_KEY) == 0 ? 0 : 4);
        boolean numbered = (flags & GRE_SEQUENCE) != 0;
        int next = sequenceAt + (numbered ? 4 : 0);
        if (!has(next, 0)) {
            return endsInside("GRE");
        }
        int type = u16(at + 2);
        if (type == TYPE_ERSPAN) {
            return numbered ? erspan(2, next, ERSPAN_II) : erspan(1, next, 0);
        }
        if (type == TYPE_ERSPAN_III) {
            return erspan(3, next, ERSPAN_III);
        }
        OptionalInt key = (flags & GRE_KEY) == 0 ? OptionalInt.empty() : OptionalInt.of(i32(keyAt));
        return enter(new Wrapping.Gre(key)) ? carried(type, next) : tooDeep();
    }

    private Decoded erspan(int version, int at, int header) {
        if (!has(at, header)) {
            return endsInside("ERSPAN");
        }
        OptionalInt session = header == 0 ? OptionalInt.empty() : OptionalInt.of(u16(at + 2) & 0x3FF);
        // The last bit of an ERSPAN III header announces a platform-specific subheader.
        int more = header == ERSPAN_III && (frame[at + ERSPAN_III - 1] & 1) != 0 ? ERSPAN_III_MORE : 0;
        return enter(new Wrapping.Erspan(version, session)) ? ethernet(at + header + more) : tooDeep();
    }

    private int u16(int at) {
        return (frame[at] & 0xFF) << 8 | frame[at + 1] & 0xFF;
    }

    private int i32(int at) {
        return u16(at) << 16 | u16(at + 2);
    }
}
