// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.hcaactors.fabric.wire.DatagramDecoder;
import org.hcaactors.fabric.wire.DecodedDatagram;
import org.hcaactors.fabric.wire.IcrcCheck;
import org.hcaactors.fabric.wire.UdpPorts;

/**
 * Decides which datagrams of a socket enter the fabric: those of peers, up to the MTU, with a limit for requests to queue pair 1
 * (rule wire-peers). Callers pass the current time. Not thread-safe.
 */
final class Intake implements DatagramReader {
    /** Routes that are kept for each peer; beyond, they are made again. */
    private static final int MAX_ROUTES = 1024;

    /** The socket does not tell the hop limit; the ICRC does not cover it. */
    private static final int HOP_LIMIT = 64;

    private static final int IPV4_AND_UDP = 28;
    private static final int ATTRIBUTE_AT = 16;

    private record Way(PortAddress to, int sourcePort) {}

    private static final class Peer {
        final PortAddress address;
        final TokenBucket requests;
        /** The fabric is faster with packets whose route is the same object. */
        final Map<Way, Route> routes = new LinkedHashMap<>();

        Peer(InetAddress address, int requestsPerSecond) {
            this.address = Addresses.of(address);
            requests = TokenBucket.of(requestsPerSecond, requestsPerSecond);
        }

        Route route(PortAddress to, int sourcePort) {
            if (routes.size() >= MAX_ROUTES) {
                routes.clear();
            }
            return routes.computeIfAbsent(
                    new Way(to, sourcePort), way -> new Route(address, to, 0, HOP_LIMIT, 0, sourcePort));
        }
    }

    private final Map<InetAddress, Peer> peers = new LinkedHashMap<>();
    private final int port;
    private final int maxBytes;
    private final UplinkCounters<CableCounter> counters;

    /**
     * @param port UDP port of the sockets
     * @param mtuBytes largest IP packet
     */
    Intake(
            Collection<InetAddress> peers,
            int port,
            int mtuBytes,
            int requestsPerSecond,
            UplinkCounters<CableCounter> counters) {
        peers.forEach(address -> this.peers.put(address, new Peer(address, requestsPerSecond)));
        this.port = port;
        maxBytes = mtuBytes - IPV4_AND_UDP;
        this.counters = counters;
    }

    @Override
    public boolean accepts(InetSocketAddress from, int bytes) {
        if (!peers.containsKey(from.getAddress())) {
            counters.count(CableCounter.STRANGERS);
            return false;
        }
        if (bytes > maxBytes) {
            counters.count(CableCounter.TOO_LONG);
            return false;
        }
        return true;
    }

    @Override
    public Received read(InetSocketAddress from, PortAddress to, byte[] contents, long now) {
        Peer peer = peers.get(from.getAddress());
        UdpPorts ports = new UdpPorts(from.getPort(), port);
        Received read = peer == null
                ? new Received.Refused(CableCounter.STRANGERS)
                : switch (DatagramDecoder.decode(contents, peer.route(to, from.getPort()), ports)) {
                    case DecodedDatagram.Invalid invalid -> new Received.Refused(CableCounter.MALFORMED);
                    case DecodedDatagram.Whole(var packet, var icrc) -> checked(peer, packet, icrc, contents, now);
                };
        if (read instanceof Received.Refused(var reason)) {
            counters.count(reason);
        }
        return read;
    }

    /** Returns the number of routes that are kept for a peer. */
    int routesOf(InetAddress peer) {
        return Optional.ofNullable(peers.get(peer))
                .map(known -> known.routes.size())
                .orElse(0);
    }

    // rule wire-identification
    private Received checked(Peer peer, Packet packet, IcrcCheck icrc, byte[] contents, long now) {
        return switch (icrc) {
            case IcrcCheck.Verified verified -> {
                counters.count(CableCounter.ICRC_VERIFIED);
                yield limited(peer, packet, now);
            }
            case IcrcCheck.VerifiedWithIdentification(var identification) -> {
                counters.count(CableCounter.ICRC_VERIFIED_WITH_ID);
                yield limited(peer, identified(packet, identification), now);
            }
            case IcrcCheck.Bad bad -> {
                counters.count(CableCounter.ICRC_BAD);
                yield new Received.Damaged(packet, DatagramDecoder.damagedFrame(packet, contents, bad));
            }
        };
    }

    /** The identification shows only in the GRH of a UD receive, so other packets keep the common route. */
    private static Packet identified(Packet packet, int identification) {
        return packet.opcode().transport() == TransportClass.UD
                ? packet.withRoute(packet.route().withIdentification(identification))
                : packet;
    }

    private Received limited(Peer peer, Packet packet, long now) {
        return isRequest(packet) && !peer.requests.tryTake(1, now)
                ? new Received.Refused(CableCounter.TOO_MANY_REQUESTS)
                : new Received.Whole(packet);
    }

    /** True for messages that make communication management keep something about the sender. */
    static boolean isRequest(Packet packet) {
        if (packet.bth().destQp() != CmDatagram.QP_NUMBER || packet.payload().length() != CmDatagram.BYTES) {
            return false;
        }
        int attribute = (packet.payload().at(ATTRIBUTE_AT) & 0xFF) << 8
                | packet.payload().at(ATTRIBUTE_AT + 1) & 0xFF;
        return attribute == CmAttribute.REQ.id() || attribute == CmAttribute.SIDR_REQ.id();
    }
}
