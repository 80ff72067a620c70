// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.link.Tap;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramDecoder;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.DecodedDatagram;
import org.hcaactors.fabric.wire.IcrcCheck;
import org.hcaactors.fabric.wire.UdpPorts;

/**
 * The way of packets between two hosts: their addresses are replaced, they pass the faults, and leave with a new ICRC. For each
 * direction there is a fabric with the ports {@code a} and {@code b}. Callers pass the current time. Not thread-safe.
 */
final class BetweenFabric {
    private static final int IPV4_AND_UDP = 28;
    private static final int HOP_LIMIT = 64;

    private final BetweenAddresses addresses;
    private final UdpPorts ports;
    private final int mtuBytes;
    private final BetweenCounters counters;
    private final Output output;
    private final ByteBuffer buffer;
    private final Map<HostSide, Way> ways = new EnumMap<>(HostSide.class);

    /** Takes what leaves. */
    interface Output {
        /** @param datagram from its position to its limit; read before the method returns */
        void send(HostSide to, ByteBuffer datagram);
    }

    /** The way from one host to the other. */
    private record Way(Switchboard board, Endpoint entry, CmTranslation cm, Route route) {}

    /**
     * @param port UDP port of both hosts and of the gateway
     * @param mtuBytes largest IP packet
     * @param failed gets exceptions of the interceptor and of taps
     */
    BetweenFabric(
            BetweenAddresses addresses,
            int port,
            int mtuBytes,
            BetweenCounters counters,
            Output output,
            Consumer<Throwable> failed) {
        this.addresses = addresses;
        this.mtuBytes = mtuBytes;
        this.counters = counters;
        this.output = output;
        ports = new UdpPorts(port, port);
        buffer = ByteBuffer.allocate(mtuBytes);
        for (HostSide side : HostSide.values()) {
            ways.put(side, way(side, failed));
        }
    }

    private Way way(HostSide from, Consumer<Throwable> failed) {
        Translation translation = addresses.from(from);
        Switchboard board = new Switchboard(FabricLimits.DEFAULT, TraceSink.NONE, failed, new Epoch());
        LinkProperties link = new LinkProperties(0, 0, mtuBytes, Long.MAX_VALUE);
        PortAddress source = translation.senderSeen();
        board.port(from.toString(), source, link);
        board.border(from.other().toString(), Endpoint.border(new Exit(from.other())), link);
        Route route = new Route(source, translation.receiverSeen(), 0, HOP_LIMIT, 0, ports.source());
        return new Way(board, new Endpoint(source, 0, new Entry()), new CmTranslation(translation), route);
    }

    /** Nothing is sent to where packets enter. */
    private static final class Entry implements Receiver {
        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            throw new IllegalStateException("packets go to the other host only");
        }

        @Override
        public void corrupted() {
            throw new IllegalStateException("packets go to the other host only");
        }

        @Override
        public void credit(int packets) {
            // The sockets' buffers bound what enters.
        }
    }

    /** Encodes the packets for a host. */
    private final class Exit implements Receiver {
        private final HostSide to;

        Exit(HostSide to) {
            this.to = to;
        }

        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            for (Packet packet : batch) {
                buffer.clear();
                DatagramEncoder.encode(packet, ports, buffer);
                output.send(to, buffer.flip());
            }
        }

        @Override
        public void damaged(Packet packet, Octets frame) {
            buffer.clear();
            DatagramEncoder.encodeDamaged(packet, frame, ports, buffer);
            output.send(to, buffer.flip());
        }

        @Override
        public void corrupted() {
            // All damaged packets come with their frames.
        }

        @Override
        public void credit(int packets) {
            // It sends nothing into the fabric.
        }
    }

    /** Sets the faults on the packets of both directions. */
    void intercept(Interceptor faults) {
        ways.values().forEach(way -> way.board.intercept(faults));
    }

    /** Adds an observer of both directions. */
    void tap(Tap tap) {
        ways.values().forEach(way -> way.board.tap(tap));
    }

    /** True if a datagram of the socket of that side may be read; a refused one is counted. */
    boolean accepts(HostSide side, InetSocketAddress from, int bytes) {
        if (!from.getAddress().equals(addresses.host(side))) {
            counters.count(side, BetweenCounter.STRANGERS);
            return false;
        }
        if (bytes > mtuBytes - IPV4_AND_UDP) {
            counters.count(side, BetweenCounter.TOO_LONG);
            return false;
        }
        return true;
    }

    /**
     * Takes an accepted datagram of a host.
     *
     * @param contents not written any more
     */
    void arrived(HostSide side, InetSocketAddress from, byte[] contents, long now) {
        Translation translation = addresses.from(side);
        Route route = new Route(translation.sender(), translation.receiver(), 0, HOP_LIMIT, 0, from.getPort());
        switch (DatagramDecoder.decode(contents, route, new UdpPorts(from.getPort(), ports.destination()))) {
            case DecodedDatagram.Invalid invalid -> counters.count(side, BetweenCounter.MALFORMED);
            case DecodedDatagram.Whole(var packet, var icrc) -> pass(side, packet, icrc, contents, now);
        }
    }

    private void pass(HostSide side, Packet packet, IcrcCheck icrc, byte[] contents, long now) {
        counters.count(side, BetweenCounter.RECEIVED);
        Way way = ways(side);
        if (icrc instanceof IcrcCheck.Bad bad) {
            counters.count(side, BetweenCounter.ICRC_BAD);
            Packet renamed = packet.withRoute(way.route);
            way.board.enterDamaged(way.entry, renamed, DatagramDecoder.damagedFrame(renamed, contents, bad), now);
            return;
        }
        Packet translated = way.cm.of(packet);
        if (translated != packet) {
            counters.count(side, BetweenCounter.TRANSLATED);
        }
        way.board.transmit(way.entry, new Packet[] {translated.withRoute(way.route)}, Switchboard.UNTRACED, now);
    }

    private Way ways(HostSide side) {
        Way way = ways.get(side);
        if (way == null) {
            throw new IllegalStateException("there is a way for each side");
        }
        return way;
    }

    /** Sends what was delayed until now. */
    void advance(long now) {
        ways.values().forEach(way -> way.board.advance(now));
    }

    /** Returns when {@link #advance} has to be called next; Long.MAX_VALUE for never. */
    long nextDeadline() {
        return ways.values().stream()
                .mapToLong(way -> way.board.nextDeadline())
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
