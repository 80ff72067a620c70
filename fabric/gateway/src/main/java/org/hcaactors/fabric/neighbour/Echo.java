// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.packet.PortAddress;

/** Answers to ping: the echo of ICMP (RFC 792) and ICMPv6 (RFC 4443 4). */
final class Echo {
    static final int PROTOCOL_ICMP = 1;

    private static final int HOP_LIMIT = 64;
    private static final int IPV4 = 20;
    private static final int ECHO_BYTES = 8;
    private static final byte REQUEST = 8;
    private static final byte REPLY = 0;
    private static final int REQUEST_V6 = 128;
    private static final int REPLY_V6 = 129;
    private static final int AT = EthernetHeader.BYTES;
    private static final int ICMP_AT = AT + IPV4;

    private Echo() {}

    /**
     * Returns the answer to a request for an echo; empty for another packet.
     *
     * @param frame of IPv4 without options, not a fragment
     */
    static Optional<byte[]> replyV4(byte[] frame, EthernetHeader header) {
        int bytes = ByteBuffer.wrap(frame).getShort(AT + 2) & 0xFFFF;
        boolean asked = frame.length >= AT + bytes
                && bytes >= IPV4 + ECHO_BYTES
                && frame[AT + 9] == PROTOCOL_ICMP
                && frame[ICMP_AT] == REQUEST
                && frame[ICMP_AT + 1] == 0
                && InternetChecksum.isRight(frame, ICMP_AT, bytes - IPV4);
        return asked ? Optional.of(reply(Arrays.copyOf(frame, AT + bytes), header)) : Optional.empty();
    }

    private static byte[] reply(byte[] frame, EthernetHeader header) {
        ByteBuffer out = ByteBuffer.wrap(frame);
        new EthernetHeader(header.source(), header.destination(), header.type()).write(out);
        int source = out.getInt(AT + 12);
        out.putInt(AT + 12, out.getInt(AT + 16)).putInt(AT + 16, source);
        out.put(AT + 8, (byte) HOP_LIMIT).putShort(AT + 10, (short) 0);
        out.putShort(AT + 10, (short) InternetChecksum.of(InternetChecksum.sum(frame, AT, IPV4)));
        out.put(ICMP_AT, REPLY).putShort(ICMP_AT + 2, (short) 0);
        long sum = InternetChecksum.sum(frame, ICMP_AT, frame.length - ICMP_AT);
        out.putShort(ICMP_AT + 2, (short) InternetChecksum.of(sum));
        return frame;
    }

    /**
     * Returns the answer to a request for an echo; empty for another packet.
     *
     * @param own address from which the answer leaves
     */
    static Optional<byte[]> replyV6(Icmpv6 request, EthernetHeader header, MacAddress ownMac, PortAddress own) {
        return request.type() == REQUEST_V6
                        && request.code() == 0
                        && !request.source().isMulticast()
                ? Optional.of(new Icmpv6(own, request.source(), HOP_LIMIT, REPLY_V6, 0, request.body())
                        .frame(new EthernetHeader(header.source(), ownMac, header.type())))
                : Optional.empty();
    }
}
