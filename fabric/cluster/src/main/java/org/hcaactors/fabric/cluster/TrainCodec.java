// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramDecoder;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.DecodedDatagram;
import org.hcaactors.fabric.wire.IcrcCheck;
import org.hcaactors.fabric.wire.UdpPorts;

/**
 * Codec of the packets of a train: each as the contents of its UDP datagram with ICRC, behind its route, which is left out if it is
 * that of the packet before (rule cluster-train).
 */
final class TrainCodec {
    /** Bytes of a route and of what stands before each packet. */
    static final int MAX_OVERHEAD_BYTES = 64;

    private static final int SAME_ROUTE = 1;
    private static final int DAMAGED = 2;

    private TrainCodec() {}

    /** Returns an upper bound for the bytes of a packet. */
    static int boundBytes(Carried carried) {
        return MAX_OVERHEAD_BYTES + DatagramEncoder.lengthBytes(carried.packet());
    }

    /** @param out big-endian */
    static void encode(List<Carried> packets, ByteBuffer out) {
        out.putInt(packets.size());
        Optional<Route> before = Optional.empty();
        for (Carried carried : packets) {
            Route route = carried.packet().route();
            boolean same = before.filter(route::equals).isPresent();
            boolean damaged = carried.damagedFrame().isPresent();
            out.put((byte) ((same ? SAME_ROUTE : 0) | (damaged ? DAMAGED : 0)));
            if (!same) {
                putRoute(route, out);
            }
            encode(carried, out);
            before = Optional.of(route);
        }
    }

    private static void encode(Carried carried, ByteBuffer out) {
        out.putInt(DatagramEncoder.lengthBytes(carried.packet()));
        UdpPorts ports = ports(carried.packet().route());
        carried.damagedFrame()
                .ifPresentOrElse(
                        frame -> DatagramEncoder.encodeDamaged(carried.packet(), frame, ports, out),
                        () -> DatagramEncoder.encode(carried.packet(), ports, out));
    }

    private static UdpPorts ports(Route route) {
        return new UdpPorts(route.udpSourcePort(), Route.UDP_DESTINATION_PORT);
    }

    private static void putRoute(Route route, ByteBuffer out) {
        putAddress(route.source(), out);
        putAddress(route.destination(), out);
        out.put((byte) route.trafficClass()).put((byte) route.hopLimit()).putInt(route.flowLabel());
        out.putShort((short) route.udpSourcePort());
        out.putShort((short) route.identification()).putShort((short) route.flags());
    }

    private static void putAddress(PortAddress address, ByteBuffer out) {
        out.putLong(address.high()).putLong(address.low());
    }

    /**
     * Decodes a train.
     *
     * @param in big-endian
     * @return as many as were sent; empty ones are no packets
     * @throws java.nio.BufferUnderflowException if bytes are missing
     */
    static List<Optional<Carried>> decode(ByteBuffer in) {
        int count = checked(in.getInt(), in);
        List<Optional<Carried>> packets = new ArrayList<>();
        Optional<Route> route = Optional.empty();
        for (int i = 0; i < count; i++) {
            byte flags = in.get();
            if (route.isEmpty() || (flags & SAME_ROUTE) == 0) {
                route = Optional.of(getRoute(in));
            }
            packets.add(decode(in, route.get(), (flags & DAMAGED) != 0));
        }
        return packets;
    }

    private static Optional<Carried> decode(ByteBuffer in, Route route, boolean damaged) {
        byte[] contents = new byte[checked(in.getInt(), in)];
        in.get(contents);
        return switch (DatagramDecoder.decode(contents, route, ports(route))) {
            case DecodedDatagram.Invalid invalid -> Optional.empty();
            case DecodedDatagram.Whole(var packet, var icrc) ->
                switch (icrc) {
                    case IcrcCheck.Verified verified -> Optional.of(new Carried(packet, Optional.empty()));
                    case IcrcCheck.Bad bad -> {
                        Octets frame = DatagramDecoder.damagedFrame(packet, contents, bad);
                        yield damaged ? Optional.of(new Carried(packet, Optional.of(frame))) : Optional.empty();
                    }
                    // Here the identification is known, so a damaged packet is not taken for a good one.
                    case IcrcCheck.VerifiedWithIdentification other -> Optional.empty();
                };
        };
    }

    /** Neither a length nor a number of packets is larger than the number of bytes. */
    private static int checked(int length, ByteBuffer in) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return length;
    }

    private static Route getRoute(ByteBuffer in) {
        PortAddress source = new PortAddress(in.getLong(), in.getLong());
        PortAddress destination = new PortAddress(in.getLong(), in.getLong());
        int trafficClass = in.get() & 0xFF;
        int hopLimit = in.get() & 0xFF;
        int flowLabel = in.getInt();
        return new Route(source, destination, trafficClass, hopLimit, flowLabel, u16(in), u16(in), u16(in));
    }

    private static int u16(ByteBuffer in) {
        return in.getShort() & 0xFFFF;
    }
}
