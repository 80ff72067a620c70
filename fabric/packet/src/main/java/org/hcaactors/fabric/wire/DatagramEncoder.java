// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * Encoder of the contents of UDP datagrams: transport headers, payload, pad and ICRC, for a socket that lets the kernel write
 * the IP and UDP headers (rules wire-frame, wire-icrc, wire-identification). The addresses are the packet's; the ports are the
 * socket's and its peer's.
 */
public final class DatagramEncoder {
    private DatagramEncoder() {}

    /** Returns the length of the contents of the datagram. */
    public static int lengthBytes(Packet packet) {
        return FrameEncoder.transportBytes(packet, packet.bth().padCount()) + Icrc.LENGTH_BYTES;
    }

    /**
     * Writes a packet with a correct ICRC.
     *
     * @param out big-endian; its position moves behind the ICRC
     * @throws java.nio.BufferOverflowException if the buffer has less room than {@link #lengthBytes}
     */
    public static void encode(Packet packet, UdpPorts ports, ByteBuffer out) {
        int start = out.position();
        FrameEncoder.writeTransport(packet, FrameEncoder.zeros(packet.bth().padCount()), out);
        out.putInt(icrc(packet, ports, out, start));
    }

    /**
     * Writes a packet with the damage of its frame: the bytes as they are in the frame, and an ICRC that differs from the
     * correct one in the same bits.
     *
     * @param frame on Ethernet without VLAN tag and trailer, of {@link Packet#frameBytes} bytes
     * @throws IllegalArgumentException if the frame has another length
     */
    public static void encodeDamaged(Packet packet, Octets frame, UdpPorts ports, ByteBuffer out) {
        if (frame.length() != packet.frameBytes()) {
            throw new IllegalArgumentException("the damaged frame has " + frame.length()
                    + " bytes; the frame of its packet has " + packet.frameBytes());
        }
        int transport = FrameEncoder.transportBytes(packet, packet.bth().padCount());
        int from = frame.length() - Icrc.LENGTH_BYTES - transport;
        int start = out.position();
        frame.slice(from, transport).writeTo(out);
        out.putInt(icrc(packet, ports, out, start) ^ difference(packet, frame.toArray()));
    }

    /** Returns xor of the ICRC in the frame and the correct one. */
    private static int difference(Packet packet, byte[] frame) {
        int ipBytes = packet.route().source().isIpv4() ? IpHeader.Ipv4.LENGTH_BYTES : IpHeader.Ipv6.LENGTH_BYTES;
        int icrcAt = frame.length - Icrc.LENGTH_BYTES;
        int sent = ByteBuffer.wrap(frame).getInt(icrcAt);
        return sent ^ Icrc.compute(frame, FrameEncoder.ETHERNET, ipBytes, icrcAt);
    }

    private static int icrc(Packet packet, UdpPorts ports, ByteBuffer out, int start) {
        return Icrc.compute(packet.route(), ports, out.slice(start, out.position() - start));
    }
}
