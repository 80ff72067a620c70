// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.hcaactors.fabric.packet.Route;

/**
 * The invariant CRC of RoCEv2 (IBA annex A17.3.3; rule wire-icrc): CRC-32 over eight bytes of ones, the headers with
 * the fields that may change on the way set to ones, and everything after as sent.
 */
final class Icrc {
    static final int LENGTH_BYTES = 4;

    private static final int LRH_PLACEHOLDER_BYTES = 8;
    private static final int BTH_HEAD = 5;
    private static final int UDP = 8;
    private static final int IDENTIFICATION_END = 6;

    private Icrc() {}

    /**
     * @param frame holds an IP packet from {@code ipStart}
     * @param ipHeaderBytes 20 for IPv4, 40 for IPv6
     * @param end where the ICRC begins
     * @return the four bytes, first on the wire in the high byte
     */
    static int compute(byte[] frame, int ipStart, int ipHeaderBytes, int end) {
        return compute(frame, ipStart, ipHeaderBytes, UDP, end);
    }

    /** @param udpBytes 8; 0 behind a GRH */
    static int compute(byte[] frame, int ipStart, int ipHeaderBytes, int udpBytes, int end) {
        int masked = LRH_PLACEHOLDER_BYTES + ipHeaderBytes + udpBytes + BTH_HEAD;
        byte[] head = new byte[masked];
        Arrays.fill(head, 0, LRH_PLACEHOLDER_BYTES, (byte) 0xFF);
        System.arraycopy(frame, ipStart, head, LRH_PLACEHOLDER_BYTES, masked - LRH_PLACEHOLDER_BYTES);
        maskIp(head, ipHeaderBytes);
        int udp = LRH_PLACEHOLDER_BYTES + ipHeaderBytes;
        if (udpBytes > 0) {
            head[udp + 6] = (byte) 0xFF;
            head[udp + 7] = (byte) 0xFF;
        }
        head[masked - 1] = (byte) 0xFF;
        CRC32 crc = new CRC32();
        crc.update(head);
        int rest = ipStart + masked - LRH_PLACEHOLDER_BYTES;
        crc.update(frame, rest, end - rest);
        return Integer.reverseBytes((int) crc.getValue());
    }

    /**
     * Computes the ICRC of a UDP datagram as it is on the wire, of its source and destination address, with identification 0 and
     * "don't fragment".
     *
     * @param route addresses; its UDP source port is not used
     * @param transport from the BTH to the last byte before the ICRC; its position and limit do not change
     * @return the four bytes, first on the wire in the high byte
     */
    static int compute(Route route, UdpPorts ports, ByteBuffer transport) {
        IpHeader ip = FrameEncoder.header(route, 0);
        ByteBuffer head = ByteBuffer.allocate(LRH_PLACEHOLDER_BYTES + ip.lengthBytes() + UDP + BTH_HEAD);
        head.putLong(-1);
        int udpBytes = UDP + transport.remaining() + LENGTH_BYTES;
        FrameEncoder.writeIp(ip, route, udpBytes, head);
        maskIp(head.array(), ip.lengthBytes());
        head.putShort((short) ports.source()).putShort((short) ports.destination());
        head.putShort((short) udpBytes).putShort((short) -1);
        head.putInt(transport.getInt(transport.position())).put((byte) -1);
        CRC32 crc = new CRC32();
        crc.update(head.array());
        crc.update(transport.slice(transport.position() + BTH_HEAD, transport.remaining() - BTH_HEAD));
        return Integer.reverseBytes((int) crc.getValue());
    }

    /** Returns the number of bytes from behind the IPv4 identification to the ICRC. */
    static int bytesBehindIdentification(int transportBytes) {
        return IpHeader.Ipv4.LENGTH_BYTES - IDENTIFICATION_END + UDP + transportBytes;
    }

    private static void maskIp(byte[] head, int ipHeaderBytes) {
        int ip = LRH_PLACEHOLDER_BYTES;
        if (ipHeaderBytes == IpHeader.Ipv4.LENGTH_BYTES) {
            head[ip + 1] = (byte) 0xFF;
            head[ip + 8] = (byte) 0xFF;
            head[ip + 10] = (byte) 0xFF;
            head[ip + 11] = (byte) 0xFF;
        } else {
            head[ip] |= 0x0F;
            head[ip + 1] = (byte) 0xFF;
            head[ip + 2] = (byte) 0xFF;
            head[ip + 3] = (byte) 0xFF;
            head[ip + 7] = (byte) 0xFF;
        }
    }
}
