// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * A message of ICMPv6 in an IPv6 packet without extension headers (RFC 4443, RFC 8200).
 *
 * @param hopLimit 8 bits
 * @param type 8 bits
 * @param code 8 bits
 * @param body what follows the checksum
 */
record Icmpv6(PortAddress source, PortAddress destination, int hopLimit, int type, int code, byte[] body) {
    static final int PROTOCOL = 58;

    private static final int IPV6 = 40;
    private static final int HEAD = 4;
    private static final int VERSION = 6 << 28;
    private static final int NEXT_HEADER_AT = EthernetHeader.BYTES + 6;
    private static final int ADDRESSES_AT = EthernetHeader.BYTES + 8;
    private static final int ADDRESSES = 32;

    /** Reads the message of a frame with the type of IPv6; empty if it has none, or a wrong checksum. */
    static Optional<Icmpv6> read(byte[] frame) {
        if (frame.length < EthernetHeader.BYTES + IPV6 + HEAD || frame[NEXT_HEADER_AT] != PROTOCOL) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(frame).position(EthernetHeader.BYTES);
        int version = in.getInt() >>> 28;
        int bytes = in.getShort() & 0xFFFF;
        in.get();
        int hopLimit = in.get() & 0xFF;
        PortAddress source = new PortAddress(in.getLong(), in.getLong());
        PortAddress destination = new PortAddress(in.getLong(), in.getLong());
        if (version != 6 || bytes < HEAD || bytes > in.remaining() || checksum(frame, bytes) != 0) {
            return Optional.empty();
        }
        int type = in.get() & 0xFF;
        int code = in.get() & 0xFF;
        in.getShort();
        byte[] body = new byte[bytes - HEAD];
        in.get(body);
        return Optional.of(new Icmpv6(source, destination, hopLimit, type, code, body));
    }

    /** Over the pseudo-header and the message; 0 if the message has the right one. */
    private static int checksum(byte[] frame, int bytes) {
        long sum = InternetChecksum.sum(frame, ADDRESSES_AT, ADDRESSES) + bytes + PROTOCOL;
        return InternetChecksum.of(sum + InternetChecksum.sum(frame, ADDRESSES_AT + ADDRESSES, bytes));
    }

    /** Returns the frame of the message; the type of the header is that of IPv6. */
    byte[] frame(EthernetHeader header) {
        int bytes = HEAD + body.length;
        ByteBuffer out = header.frame(IPV6 + bytes);
        out.putInt(VERSION).putShort((short) bytes).put((byte) PROTOCOL).put((byte) hopLimit);
        out.putLong(source.high()).putLong(source.low());
        out.putLong(destination.high()).putLong(destination.low());
        int at = out.position();
        out.put((byte) type).put((byte) code).putShort((short) 0).put(body);
        out.putShort(at + 2, (short) checksum(out.array(), bytes));
        return out.array();
    }
}
