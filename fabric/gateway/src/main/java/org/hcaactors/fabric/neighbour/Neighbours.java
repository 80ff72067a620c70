// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.cable.MacAddress;
import org.hcaactors.fabric.neighbour.NeighbourMessage.Advertisement;
import org.hcaactors.fabric.neighbour.NeighbourMessage.Solicitation;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The hosts of a link and their MAC addresses, by ARP for IPv4 and neighbor discovery for IPv6 (rule wire-neighbours). It answers
 * for the addresses of the adapters of this end, and learns the MAC addresses of the peers and of no other host, so that its size
 * is bounded by their number. Packets wait while the MAC address of their destination is not known, and leave in order.
 *
 * <p>Callers pass the current time, and do what the returned actions say, in their order. Not thread-safe.
 *
 * @param <T> packets
 */
public final class Neighbours<T> {
    /** Packets that wait for one MAC address; further ones are lost. */
    public static final int MAX_WAITING = 64;

    /** Time between two questions to a host that does not answer (RFC 4861 10: RETRANS_TIMER). */
    static final long RETRY_NANOS = 1_000_000_000;

    /** Questions to a host that does not answer (RFC 4861 10: MAX_MULTICAST_SOLICIT, MAX_UNICAST_SOLICIT). */
    static final int MAX_QUESTIONS = 3;

    /** Time for which a MAC address is used without another question (RFC 4861 10: REACHABLE_TIME). */
    static final long FRESH_NANOS = 30_000_000_000L;

    /** Announcements of an address, and the time between them (RFC 5227 1.1: ANNOUNCE_NUM, ANNOUNCE_INTERVAL). */
    static final int ANNOUNCEMENTS = 2;

    static final long ANNOUNCE_NANOS = 2_000_000_000;

    /** Something that the caller has to do. */
    public sealed interface Action<T> {
        /** Transmit a frame of ARP, neighbor discovery or ping. */
        record Transmit<T>(byte[] frame) implements Action<T> {}

        /** Send a packet to that MAC address. */
        record Send<T>(T packet, MacAddress destination) implements Action<T> {}

        /** Report a packet that cannot be sent. */
        record Lost<T>(T packet, Why why) implements Action<T> {}
    }

    /** Reasons for which a packet is lost. */
    public enum Why {
        NOT_OURS,
        NOT_A_PEER,
        TOO_MANY_WAIT,
        NO_ANSWER
    }

    /** A peer. */
    private static final class Neighbour<T> {
        final PortAddress address;
        Optional<MacAddress> mac = Optional.empty();
        long confirmedAt;
        /** Questions that were asked without an answer. */
        int asked;
        /** Time of the next question, or of giving up; Long.MAX_VALUE if nothing is asked. */
        long askAt = Long.MAX_VALUE;
        /** Own address that asks. */
        PortAddress asker = PortAddress.unspecified(false);

        final ArrayDeque<T> waiting = new ArrayDeque<>();

        Neighbour(PortAddress address) {
            this.address = address;
        }

        void answered() {
            asked = 0;
            askAt = Long.MAX_VALUE;
        }
    }

    private static final class Announcement {
        final PortAddress address;
        final MacAddress mac;
        int left = ANNOUNCEMENTS;
        long at = Long.MIN_VALUE;

        Announcement(PortAddress address, MacAddress mac) {
            this.address = address;
            this.mac = mac;
        }
    }

    private final Map<PortAddress, Neighbour<T>> peers = new LinkedHashMap<>();
    private final Map<MacAddress, List<PortAddress>> adapters = new LinkedHashMap<>();
    private final Map<PortAddress, MacAddress> own = new LinkedHashMap<>();
    private final List<Announcement> announcements = new ArrayList<>();
    /** Not later than the next thing that is due. */
    private long deadline = Long.MAX_VALUE;

    /** @param peers addresses of adapters outside */
    public Neighbours(Collection<PortAddress> peers) {
        peers.forEach(address -> this.peers.put(address, new Neighbour<>(address)));
    }

    /** Sets the addresses of an adapter of this end; new ones will be announced. */
    public void plug(MacAddress mac, List<PortAddress> addresses) {
        adapters.put(
                mac,
                addresses.stream()
                        .filter(address -> !address.isUnspecified() && !address.isMulticast())
                        .toList());
        Map<PortAddress, MacAddress> before = Map.copyOf(own);
        own.clear();
        // As the fabric has it: the first adapter with an address holds it.
        adapters.forEach((each, all) -> all.forEach(address -> own.putIfAbsent(address, each)));
        announcements.removeIf(each -> !own.containsKey(each.address));
        own.forEach((address, holder) -> {
            if (!holder.equals(before.get(address))) {
                announcements.removeIf(each -> each.address.equals(address));
                announcements.add(new Announcement(address, holder));
                deadline = Long.MIN_VALUE;
            }
        });
    }

    /** Returns the MAC address of an adapter of this end; empty if none has that address. */
    public Optional<MacAddress> ownMac(PortAddress address) {
        return Optional.ofNullable(own.get(address));
    }

    /** Sends a packet, or keeps it until the MAC address of its destination is known. */
    public List<Action<T>> send(T packet, PortAddress source, PortAddress destination, long now) {
        MacAddress ownMac = own.get(source);
        if (ownMac == null) {
            return List.of(new Action.Lost<>(packet, Why.NOT_OURS));
        }
        if (destination.isMulticast()) {
            return List.of(new Action.Send<>(packet, EthernetHeader.ofGroup(destination)));
        }
        Neighbour<T> peer = peers.get(destination);
        if (peer == null) {
            return List.of(new Action.Lost<>(packet, Why.NOT_A_PEER));
        }
        if (peer.mac.isPresent()) {
            Action<T> sent = new Action.Send<>(packet, peer.mac.get());
            boolean old = now - peer.confirmedAt >= FRESH_NANOS && peer.asked == 0;
            return old ? List.of(sent, ask(peer, ownMac, source, now)) : List.of(sent);
        }
        if (peer.waiting.size() >= MAX_WAITING) {
            return List.of(new Action.Lost<>(packet, Why.TOO_MANY_WAIT));
        }
        peer.waiting.add(packet);
        return peer.asked == 0 ? List.of(ask(peer, ownMac, source, now)) : List.of();
    }

    /** A host whose MAC address is known is asked alone. */
    private Action<T> ask(Neighbour<T> peer, MacAddress mac, PortAddress asker, long now) {
        peer.asker = asker;
        peer.asked++;
        peer.askAt = now + RETRY_NANOS;
        deadline = Math.min(deadline, peer.askAt);
        return new Action.Transmit<>(
                asker.isIpv4()
                        ? ArpMessage.request(mac, asker, peer.address).frame(peer.mac.orElse(MacAddress.BROADCAST))
                        : new Solicitation(asker, peer.address, Optional.of(mac)).frame(mac, peer.mac));
    }

    /** Does what is due by now: asks again, gives up, announces. */
    public List<Action<T>> advance(long now) {
        if (now < deadline) {
            return List.of();
        }
        List<Action<T>> actions = new ArrayList<>();
        announce(now, actions);
        deadline = announcements.stream().mapToLong(each -> each.at).min().orElse(Long.MAX_VALUE);
        for (Neighbour<T> peer : peers.values()) {
            if (peer.askAt <= now) {
                MacAddress mac = own.get(peer.asker);
                if (peer.asked < MAX_QUESTIONS && mac != null) {
                    actions.add(ask(peer, mac, peer.asker, now));
                } else {
                    giveUp(peer, actions);
                }
            }
            deadline = Math.min(deadline, peer.askAt);
        }
        return actions;
    }

    private void announce(long now, List<Action<T>> actions) {
        for (Iterator<Announcement> all = announcements.iterator(); all.hasNext(); ) {
            Announcement each = all.next();
            if (each.at <= now) {
                actions.add(new Action.Transmit<>(announcement(each.address, each.mac)));
                each.left--;
                each.at = now + ANNOUNCE_NANOS;
            }
            if (each.left == 0) {
                all.remove();
            }
        }
    }

    private static byte[] announcement(PortAddress address, MacAddress mac) {
        return address.isIpv4()
                ? ArpMessage.request(mac, address, address).frame(MacAddress.BROADCAST)
                : new Advertisement(address, address, Optional.of(mac), false, true)
                        .frame(mac, EthernetHeader.ofGroup(NeighbourMessage.ALL_NODES), NeighbourMessage.ALL_NODES);
    }

    private void giveUp(Neighbour<T> peer, List<Action<T>> actions) {
        peer.answered();
        peer.mac = Optional.empty();
        peer.waiting.forEach(packet -> actions.add(new Action.Lost<>(packet, Why.NO_ANSWER)));
        peer.waiting.clear();
    }

    /** Returns when {@link #advance} has to be called next, at least now; Long.MAX_VALUE for never. */
    public long nextDeadline(long now) {
        return Math.max(now, deadline);
    }

    /** Receives a frame of ARP. */
    public List<Action<T>> arp(byte[] frame, long now) {
        Optional<ArpMessage> read = ArpMessage.read(frame);
        if (read.isEmpty() || !isForeign(read.get().senderMac())) {
            return List.of();
        }
        ArpMessage message = read.get();
        List<Action<T>> actions = new ArrayList<>(learn(message.sender(), message.senderMac(), true, now));
        MacAddress asked = own.get(message.target());
        if (message.operation() == ArpMessage.REQUEST && asked != null) {
            actions.add(new Action.Transmit<>(message.reply(asked).frame(message.senderMac())));
        }
        return actions;
    }

    /** True for the MAC address of one host outside. */
    private boolean isForeign(MacAddress mac) {
        return mac.isOfOneHost() && !adapters.containsKey(mac);
    }

    /** Receives a frame of ICMPv6: neighbor discovery or ping. */
    public List<Action<T>> icmpv6(byte[] frame, EthernetHeader header, long now) {
        Optional<Icmpv6> packet = Icmpv6.read(frame);
        if (packet.isEmpty() || !isForeign(header.source())) {
            return List.of();
        }
        Optional<NeighbourMessage> message = NeighbourMessage.of(packet.get());
        return message.isPresent()
                ? switch (message.get()) {
                    case Solicitation asked -> answer(asked, header, now);
                    case Advertisement told -> learn(told, now);
                }
                : echo(packet.get(), header);
    }

    private List<Action<T>> answer(Solicitation asked, EthernetHeader header, long now) {
        List<Action<T>> actions = new ArrayList<>();
        asked.mac().ifPresent(mac -> actions.addAll(learn(asked.source(), mac, true, now)));
        MacAddress mac = own.get(asked.target());
        if (mac != null) {
            boolean nameless = asked.source().isUnspecified();
            Advertisement told = new Advertisement(asked.target(), asked.target(), Optional.of(mac), !nameless, true);
            actions.add(new Action.Transmit<>(
                    nameless
                            ? told.frame(
                                    mac, EthernetHeader.ofGroup(NeighbourMessage.ALL_NODES), NeighbourMessage.ALL_NODES)
                            : told.frame(mac, asked.mac().orElse(header.source()), asked.source())));
        }
        return actions;
    }

    private List<Action<T>> learn(Advertisement told, long now) {
        Neighbour<T> peer = peers.get(told.target());
        Optional<MacAddress> mac = told.mac().or(() -> peer == null ? Optional.empty() : peer.mac);
        return mac.map(known -> learn(told.target(), known, told.override(), now))
                .orElseGet(List::of);
    }

    /** @param override it replaces another MAC address */
    private List<Action<T>> learn(PortAddress address, MacAddress mac, boolean override, long now) {
        Neighbour<T> peer = peers.get(address);
        boolean contradicted = peer != null
                && !override
                && peer.mac.filter(known -> !known.equals(mac)).isPresent();
        if (peer == null || contradicted || !isForeign(mac)) {
            return List.of();
        }
        peer.mac = Optional.of(mac);
        peer.confirmedAt = now;
        peer.answered();
        List<Action<T>> released = new ArrayList<>(peer.waiting.size());
        peer.waiting.forEach(packet -> released.add(new Action.Send<>(packet, mac)));
        peer.waiting.clear();
        return released;
    }

    private List<Action<T>> echo(Icmpv6 request, EthernetHeader header) {
        PortAddress asked = request.destination();
        return ownMac(asked)
                .flatMap(mac -> Echo.replyV6(request, header, mac, asked))
                .<List<Action<T>>>map(reply -> List.of(new Action.Transmit<>(reply)))
                .orElseGet(List::of);
    }

    /**
     * Receives a frame of ICMP.
     *
     * @param frame of IPv4 without options, not a fragment
     * @param destination of the packet
     */
    public List<Action<T>> icmp(byte[] frame, EthernetHeader header, PortAddress destination) {
        return own.containsKey(destination) && isForeign(header.source())
                ? Echo.replyV4(frame, header)
                        .<List<Action<T>>>map(reply -> List.of(new Action.Transmit<>(reply)))
                        .orElseGet(List::of)
                : List.of();
    }

    /** Returns the number of hosts whose MAC address is known. */
    int known() {
        return (int)
                peers.values().stream().filter(peer -> peer.mac.isPresent()).count();
    }
}
