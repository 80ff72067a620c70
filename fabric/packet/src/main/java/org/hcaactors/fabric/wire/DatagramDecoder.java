// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded.Malformed;
import org.hcaactors.fabric.wire.Decoded.Problem;

/**
 * Decoder of the contents of UDP datagrams, whose IP header the receiver does not know (rules wire-frame, wire-identification).
 */
public final class DatagramDecoder {
    private static final int MIN_BYTES = Bth.LENGTH_BYTES + Icrc.LENGTH_BYTES;

    private DatagramDecoder() {}

    /**
     * Decodes a datagram.
     *
     * @param contents from the BTH to the ICRC; not copied, so it may not be written any more
     * @param route the route of the packet; its source and destination are the addresses of the datagram
     */
    public static DecodedDatagram decode(byte[] contents, Route route, UdpPorts ports) {
        if (contents.length < MIN_BYTES) {
            return new DecodedDatagram.Invalid(new Malformed(
                    Problem.BAD_LENGTH,
                    "a datagram of " + contents.length + " bytes; a BTH and an ICRC take " + MIN_BYTES));
        }
        int icrcAt = contents.length - Icrc.LENGTH_BYTES;
        return switch (TransportPart.read(contents, 0, icrcAt)) {
            case TransportPart.Invalid(var defect) -> new DecodedDatagram.Invalid(defect);
            case TransportPart.Valid part ->
                new DecodedDatagram.Whole(part.packet(contents, route), check(contents, icrcAt, route, ports));
        };
    }

    // rule wire-identification
    private static IcrcCheck check(byte[] contents, int icrcAt, Route route, UdpPorts ports) {
        int computed = Icrc.compute(route, ports, ByteBuffer.wrap(contents, 0, icrcAt));
        int difference = ByteBuffer.wrap(contents).getInt(icrcAt) ^ computed;
        if (difference == 0) {
            return new IcrcCheck.Verified();
        }
        OptionalInt identification = route.source().isIpv4()
                ? IdentificationSolver.solve(Integer.reverseBytes(difference), Icrc.bytesBehindIdentification(icrcAt))
                : OptionalInt.empty();
        return identification.isPresent()
                ? new IcrcCheck.VerifiedWithIdentification(identification.getAsInt())
                : new IcrcCheck.Bad(difference);
    }

    /**
     * Returns a datagram with a bad ICRC as a frame on Ethernet from and to the RoCEv2 port, with an ICRC that differs from the
     * correct one in the same bits.
     *
     * @param packet decoded from these contents
     */
    public static Octets damagedFrame(Packet packet, byte[] contents, IcrcCheck.Bad icrc) {
        byte[] frame = FrameEncoder.encode(packet);
        int start = frame.length - contents.length;
        int icrcAt = frame.length - Icrc.LENGTH_BYTES;
        System.arraycopy(contents, 0, frame, start, contents.length - Icrc.LENGTH_BYTES);
        int ipBytes = packet.route().source().isIpv4() ? IpHeader.Ipv4.LENGTH_BYTES : IpHeader.Ipv6.LENGTH_BYTES;
        int correct = Icrc.compute(frame, FrameEncoder.ETHERNET, ipBytes, icrcAt);
        ByteBuffer.wrap(frame).putInt(icrcAt, correct ^ icrc.difference());
        return Octets.wrap(frame, 0, frame.length);
    }
}
