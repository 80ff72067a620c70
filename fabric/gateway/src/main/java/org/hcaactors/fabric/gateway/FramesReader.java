// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.FramesCable;
import org.hcaactors.fabric.cable.FramesCable.AdapterAddresses;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.neighbour.EthernetHeader;
import org.hcaactors.fabric.neighbour.InternetChecksum;
import org.hcaactors.fabric.neighbour.Neighbours;
import org.hcaactors.fabric.neighbour.Neighbours.Action;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.uplink.UplinkCounters;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.fabric.wire.RoceFrame;

/**
 * Decides which frames of the other end enter the fabric: packets of peers, with a limit for requests to queue pair 1 (rules
 * wire-peers, wire-frames-cable). Frames of ARP, neighbor discovery and ping are answered.
 */
final class FramesReader implements DatagramReader {
    /** Routes that are kept for each peer; beyond, they are made again. */
    private static final int MAX_ROUTES = 1024;

    private static final int IP_AT = EthernetHeader.BYTES;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int WITHOUT_OPTIONS = 0x45;
    private static final int FRAGMENT_BITS = 0x3FFF;
    private static final int ICMP = 1;
    private static final int FRAGMENT_HEADER = 44;
    private static final int ICMPV6 = 58;

    private static final class Peer {
        final TokenBucket requests;
        /** The fabric is faster with packets whose route is the same object. */
        final Map<Route, Route> routes = new LinkedHashMap<>();

        Peer(int requestsPerSecond) {
            requests = TokenBucket.of(requestsPerSecond, requestsPerSecond);
        }

        /** Linux counts the identification up, so that a route with one would not be used again. */
        Route shared(Route route) {
            if (routes.size() >= MAX_ROUTES) {
                routes.clear();
            }
            Route common = routes.computeIfAbsent(route.withIdentification(0), Function.identity());
            return route.identification() == 0 ? common : common.withIdentification(route.identification());
        }
    }

    private final FramesCable cable;
    private final FramesLink link;
    private final Losses losses;
    private final UplinkCounters<CableCounter> counters;
    private final Set<MacAddress> own;
    private final Map<PortAddress, Peer> peers;

    FramesReader(FramesCable cable, FramesLink link, Losses losses) {
        this.cable = cable;
        this.link = link;
        this.losses = losses;
        counters = losses.counters();
        own = cable.adapters().stream().map(AdapterAddresses::mac).collect(Collectors.toUnmodifiableSet());
        peers = cable.peers().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Addresses::of, peer -> new Peer(cable.limits().requestsPerSecond())));
    }

    @Override
    public boolean accepts(InetSocketAddress from, int bytes) {
        if (!from.equals(cable.remote())) {
            counters.count(CableCounter.STRANGERS);
            return false;
        }
        if (bytes > EthernetHeader.BYTES + cable.mtuBytes()) {
            counters.count(CableCounter.TOO_LONG);
            return false;
        }
        return true;
    }

    @Override
    public Received read(InetSocketAddress from, PortAddress to, byte[] frame, long now) throws ClosedChannelException {
        cable.observer().received(frame);
        Optional<EthernetHeader> header = EthernetHeader.read(frame);
        Received read =
                header.isPresent() ? read(frame, header.get(), now) : new Received.Refused(CableCounter.MALFORMED);
        if (read instanceof Received.Refused(var reason)) {
            counters.count(reason);
        }
        return read;
    }

    private Received read(byte[] frame, EthernetHeader header, long now) throws ClosedChannelException {
        if (!header.destination().isGroup() && !own.contains(header.destination())) {
            return new Received.Refused(CableCounter.OTHER_FRAMES);
        }
        return switch (header.type()) {
            case EthernetHeader.TYPE_ARP -> answered(hosts -> hosts.arp(frame, now));
            case EthernetHeader.TYPE_IPV4 -> ipv4(frame, header, now);
            case EthernetHeader.TYPE_IPV6 -> ipv6(frame, header, now);
            default -> new Received.Refused(CableCounter.OTHER_FRAMES);
        };
    }

    private Received answered(Function<Neighbours<Outgoing>, List<Action<Outgoing>>> event)
            throws ClosedChannelException {
        link.perform(losses, event);
        return new Received.Refused(CableCounter.NEIGHBOUR_RECEIVED);
    }

    private Received ipv4(byte[] frame, EthernetHeader header, long now) throws ClosedChannelException {
        if (frame.length < IP_AT + IPV4) {
            return new Received.Refused(CableCounter.MALFORMED);
        }
        ByteBuffer ip = ByteBuffer.wrap(frame).position(IP_AT).slice();
        if (ip.get(0) != WITHOUT_OPTIONS) {
            return new Received.Refused(CableCounter.OTHER_FRAMES);
        }
        if (!InternetChecksum.isRight(frame, IP_AT, IPV4)) {
            return new Received.Refused(CableCounter.MALFORMED);
        }
        if ((ip.getShort(6) & FRAGMENT_BITS) != 0) {
            return new Received.Refused(CableCounter.FRAGMENTS);
        }
        PortAddress destination = PortAddress.ofIpv4(ip.getInt(16));
        return ip.get(9) == ICMP ? answered(hosts -> hosts.icmp(frame, header, destination)) : roce(frame, header, now);
    }

    private Received ipv6(byte[] frame, EthernetHeader header, long now) throws ClosedChannelException {
        if (frame.length < IP_AT + IPV6) {
            return new Received.Refused(CableCounter.MALFORMED);
        }
        return switch (frame[IP_AT + 6]) {
            case FRAGMENT_HEADER -> new Received.Refused(CableCounter.FRAGMENTS);
            case ICMPV6 -> answered(hosts -> hosts.icmpv6(frame, header, now));
            default -> roce(frame, header, now);
        };
    }

    private Received roce(byte[] frame, EthernetHeader header, long now) {
        return switch (FrameDecoder.decode(frame, LinkLayer.ETHERNET)) {
            case Decoded.Frame(var roce) -> checked(roce, header, frame, now);
            case Decoded.NotRoce other -> new Received.Refused(CableCounter.OTHER_FRAMES);
            case Decoded.Malformed malformed -> new Received.Refused(CableCounter.MALFORMED);
            case Decoded.Truncated truncated -> new Received.Refused(CableCounter.MALFORMED);
        };
    }

    // rule wire-peers
    private Received checked(RoceFrame roce, EthernetHeader header, byte[] frame, long now) {
        Route route = roce.packet().route();
        Peer peer = peers.get(route.source());
        if (peer == null) {
            return new Received.Refused(CableCounter.STRANGERS);
        }
        if (header.destination().isGroup() != route.destination().isMulticast()) {
            return new Received.Refused(CableCounter.OTHER_FRAMES);
        }
        Packet packet = roce.packet().withRoute(peer.shared(route));
        if (!roce.icrcOk()) {
            counters.count(CableCounter.ICRC_BAD);
            return new Received.Damaged(
                    packet, Octets.wrap(frame, 0, frame.length - roce.trailer().length()));
        }
        counters.count(CableCounter.ICRC_VERIFIED);
        return Intake.isRequest(packet) && !peer.requests.tryTake(1, now)
                ? new Received.Refused(CableCounter.TOO_MANY_REQUESTS)
                : new Received.Whole(packet);
    }
}
