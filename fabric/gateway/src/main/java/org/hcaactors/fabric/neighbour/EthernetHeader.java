// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Header of a frame without VLAN tag.
 *
 * @param type 16 bits
 */
public record EthernetHeader(MacAddress destination, MacAddress source, int type) {
    public static final int BYTES = 14;
    public static final int TYPE_IPV4 = 0x0800;
    public static final int TYPE_ARP = 0x0806;
    public static final int TYPE_IPV6 = 0x86DD;

    private static final long IPV4_GROUPS = 0x0100_5E00_0000L;
    private static final int IPV4_GROUP_BITS = 0x7F_FFFF;
    private static final long IPV6_GROUPS = 0x3333_0000_0000L;

    /** Reads the header; empty if the frame is shorter. */
    public static Optional<EthernetHeader> read(byte[] frame) {
        if (frame.length < BYTES) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(frame);
        return Optional.of(new EthernetHeader(MacAddress.read(in), MacAddress.read(in), in.getShort() & 0xFFFF));
    }

    /** Writes the header. */
    void write(ByteBuffer out) {
        destination.write(out);
        source.write(out);
        out.putShort((short) type);
    }

    /** Returns a frame with this header and so many bytes behind it, for which the buffer is positioned. */
    ByteBuffer frame(int bytes) {
        ByteBuffer out = ByteBuffer.allocate(BYTES + bytes);
        write(out);
        return out;
    }

    /** Returns the MAC address of an IP multicast group (RFC 1112 6.4, RFC 2464 7). */
    public static MacAddress ofGroup(PortAddress group) {
        return new MacAddress(
                group.isIpv4()
                        ? IPV4_GROUPS | group.ipv4() & IPV4_GROUP_BITS
                        : IPV6_GROUPS | group.low() & 0xFFFF_FFFFL);
    }
}
