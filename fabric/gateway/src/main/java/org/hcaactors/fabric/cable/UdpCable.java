// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.Route;

/**
 * RoCEv2 over UDP sockets of IPv4: one socket for each adapter, without privileges. The socket has the adapter's address, so that
 * a peer knows the adapter by it.
 *
 * <p>RoCEv2 has neither encryption nor authentication: who can send packets with a peer's address can write the memory that is
 * open to this peer. So only addresses of the loopback interface are allowed, unless {@link #beyondLoopback} is called, and only
 * packets of the named peers are accepted.
 *
 * <p>Immutable.
 */
public final class UdpCable implements LiveCable {
    /** Pace that sets no limit. */
    public static final long UNPACED = 0;

    /** Bytes that leave at once for one peer, if nothing else is set. */
    public static final int DEFAULT_BURST_BYTES = 256 * 1024;

    /** Packets that wait for one peer, if nothing else is set. */
    public static final int DEFAULT_QUEUED_PACKETS = 8192;

    /** Maximum of packets under way to one peer. */
    public static final int MAX_WINDOW_PACKETS = 16_384;

    /** Connection requests of one peer in a second, if nothing else is set. */
    public static final int DEFAULT_REQUESTS_PER_SECOND = 1000;

    /** Smallest MTU: IPv6, UDP and all headers of RoCEv2 with a payload of 256 bytes. */
    public static final int MIN_MTU_BYTES = 352;

    /** Largest MTU: the largest IPv4 packet. */
    public static final int MAX_MTU_BYTES = 65_535;

    /**
     * Limits for each peer.
     *
     * <p>Immutable.
     *
     * @param bitsPerSecond pace of the packets to it; {@link #UNPACED} for none
     * @param burstBytes bytes of frames that leave at once, at least 1
     * @param windowPackets packets under way that the peer has not read, as far as its responses tell, at most {@value
     *     #MAX_WINDOW_PACKETS}; {@link #WINDOW_OF_BUFFER} for as many as the socket of a peer holds that has a buffer like ours
     * @param queuedPackets packets that wait for it, at least 1; further ones are lost
     * @param requestsPerSecond connection requests and service requests accepted from it, at least 1
     */
    public record PeerLimits(
            long bitsPerSecond, int burstBytes, int windowPackets, int queuedPackets, int requestsPerSecond) {
        /** Window whose size follows from the receive buffer that the system grants to our own sockets. */
        public static final int WINDOW_OF_BUFFER = 0;

        /** Values that a cable has if nothing else is set. */
        public static final PeerLimits DEFAULT = new PeerLimits(
                UNPACED, DEFAULT_BURST_BYTES, WINDOW_OF_BUFFER, DEFAULT_QUEUED_PACKETS, DEFAULT_REQUESTS_PER_SECOND);

        /** Sets the pace, and the bytes that leave at once. */
        public PeerLimits withPace(long bits, int burst) {
            return new PeerLimits(bits, burst, windowPackets, queuedPackets, requestsPerSecond);
        }

        /** Sets the packets under way, of any length; {@link #WINDOW_OF_BUFFER} for as many as a buffer like ours holds. */
        public PeerLimits withWindow(int packets) {
            return new PeerLimits(bitsPerSecond, burstBytes, packets, queuedPackets, requestsPerSecond);
        }

        /** Sets the packets that wait. */
        public PeerLimits withQueue(int packets) {
            return new PeerLimits(bitsPerSecond, burstBytes, windowPackets, packets, requestsPerSecond);
        }

        /** @throws IllegalArgumentException if a number is not allowed */
        public PeerLimits {
            boolean tooSmall = bitsPerSecond < 0
                    || burstBytes < 1
                    || windowPackets < WINDOW_OF_BUFFER
                    || queuedPackets < 1
                    || requestsPerSecond < 1;
            if (tooSmall || windowPackets > MAX_WINDOW_PACKETS) {
                throw new IllegalArgumentException(
                        "pace and window must be at least 0, the other limits at least 1, and the"
                                + " window at most " + MAX_WINDOW_PACKETS + ": " + bitsPerSecond + " bit/s, "
                                + burstBytes
                                + " bytes at once, " + windowPackets + " packets under way, " + queuedPackets
                                + " packets queued, " + requestsPerSecond + " requests in a second");
            }
        }
    }

    private final List<InetAddress> addresses;
    private final Set<InetAddress> peers;
    private final int port;
    private final OptionalInt mtu;
    private final boolean beyondLoopback;
    private final PeerLimits limits;

    private UdpCable(
            List<InetAddress> addresses,
            Set<InetAddress> peers,
            int port,
            OptionalInt mtu,
            boolean beyondLoopback,
            PeerLimits limits) {
        this.addresses = List.copyOf(addresses);
        this.peers = new LinkedHashSet<>(peers);
        this.port = port;
        this.mtu = mtu;
        this.beyondLoopback = beyondLoopback;
        this.limits = limits;
    }

    static UdpCable of(List<InetAddress> addresses) {
        checkAll(addresses);
        return new UdpCable(
                addresses, Set.of(), Route.UDP_DESTINATION_PORT, OptionalInt.empty(), false, PeerLimits.DEFAULT);
    }

    private static void checkAll(List<InetAddress> addresses) {
        addresses.forEach(UdpCable::check);
        if (Set.copyOf(addresses).size() < addresses.size()) {
            throw new CableException("an address is named twice in " + texts(addresses));
        }
    }

    private static void check(InetAddress address) {
        if (!(address instanceof Inet4Address)) {
            throw new CableException(address.getHostAddress() + " is an address of IPv6, where Linux sends RoCEv2"
                    + " without UDP checksum and sockets drop it; only IPv4 is allowed");
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new CableException(address.getHostAddress() + " is not the address of one host");
        }
    }

    private static String texts(List<InetAddress> addresses) {
        return String.join(
                ", ", addresses.stream().map(InetAddress::getHostAddress).toList());
    }

    /**
     * Sets the peers: addresses of adapters outside, whose packets are accepted, and to which packets leave.
     *
     * @throws CableException for an address of IPv6, for one that no adapter can have, and for one that is named twice
     */
    public UdpCable withPeers(InetAddress... others) {
        List<InetAddress> all = List.of(others);
        checkAll(all);
        return new UdpCable(addresses, new LinkedHashSet<>(all), port, mtu, beyondLoopback, limits);
    }

    /**
     * Sets the UDP port of this cable and of all peers, 1 to 65,535, in place of {@value Route#UDP_DESTINATION_PORT}. Other
     * RoCEv2 adapters have that port only.
     *
     * @throws IllegalArgumentException for another number
     */
    public UdpCable withPort(int other) {
        if (other < 1 || other > 0xFFFF) {
            throw new IllegalArgumentException("the UDP port is " + other + "; 1 to 65535 is allowed");
        }
        return new UdpCable(addresses, peers, other, mtu, beyondLoopback, limits);
    }

    /**
     * Sets the MTU: bytes of the largest IP packet, {@value #MIN_MTU_BYTES} to {@value #MAX_MTU_BYTES}. If it is not set, it is
     * the smallest of the network interfaces of the addresses.
     *
     * @throws IllegalArgumentException for another number
     */
    public UdpCable withMtu(int bytes) {
        if (bytes < MIN_MTU_BYTES || bytes > MAX_MTU_BYTES) {
            throw new IllegalArgumentException(
                    "the MTU is " + bytes + "; " + MIN_MTU_BYTES + " to " + MAX_MTU_BYTES + " is allowed");
        }
        return new UdpCable(addresses, peers, port, OptionalInt.of(bytes), beyondLoopback, limits);
    }

    /** Sets the limits for each peer. */
    public UdpCable withLimits(PeerLimits other) {
        return new UdpCable(addresses, peers, port, mtu, beyondLoopback, other);
    }

    /** Allows addresses of other interfaces than loopback. Only for networks whose hosts are all trusted. */
    public UdpCable beyondLoopback() {
        return new UdpCable(addresses, peers, port, mtu, true, limits);
    }

    @Override
    public List<InetAddress> addresses() {
        return addresses;
    }

    @Override
    public List<InetAddress> peers() {
        return List.copyOf(peers);
    }

    /** Returns the UDP port. */
    public int port() {
        return port;
    }

    /** Returns the MTU in bytes, if one is set. */
    public OptionalInt mtu() {
        return mtu;
    }

    /** Returns the limits for each peer. */
    public PeerLimits limits() {
        return limits;
    }

    /**
     * Checks that the addresses are allowed.
     *
     * @throws CableException if one is no loopback address and others are not allowed, or if a peer is one of them
     */
    public void checkAllowed() {
        first(all(), address -> !beyondLoopback && !address.isLoopbackAddress(), """
                %s is no loopback address: RoCEv2 trusts every host that can send with the address of a peer; if it may, \
                call beyondLoopback()""");
        first(addresses, peers::contains, "%s is both an address of the cable and a peer");
    }

    private List<InetAddress> all() {
        return Stream.concat(addresses.stream(), peers.stream()).toList();
    }

    private static void first(List<InetAddress> all, Predicate<InetAddress> refused, String reason) {
        all.stream().filter(refused).findFirst().ifPresent(address -> {
            throw new CableException(reason.formatted(address.getHostAddress()));
        });
    }

    /** Returns the addresses and the port, for example {@code UDP 127.0.0.2 port 4791}. */
    @Override
    public String toString() {
        return "UDP " + texts(addresses) + " port " + port;
    }
}
