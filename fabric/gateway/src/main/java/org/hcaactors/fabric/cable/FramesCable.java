// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;

/**
 * RoCEv2 over Ethernet whose frames are carried in UDP datagrams, one frame in each: the point-to-point transport of QEMU ({@code
 * -netdev dgram}) and of user-mode Linux ({@code ucast}). Virtual machines with RoCEv2 adapters are reached so without privileges.
 * Addresses are those in the frames, of IPv4 and IPv6, and need not be addresses of this machine.
 *
 * <p>Frames have neither encryption nor authentication. So the socket only accepts datagrams of the other end, both ends must be
 * loopback addresses unless {@link #beyondLoopback} is called, and only packets of the named peers are accepted.
 *
 * <p>Immutable.
 */
public final class FramesCable implements LiveCable {
    /** MTU if none is set, in bytes: that of Ethernet. */
    public static final int DEFAULT_MTU_BYTES = 1500;

    /** Smallest MTU, in bytes. */
    public static final int MIN_MTU_BYTES = UdpCable.MIN_MTU_BYTES;

    /** Largest MTU, in bytes: what a UDP datagram of IPv4 can carry besides the Ethernet header. */
    public static final int MAX_MTU_BYTES = 65_507 - 14;

    /**
     * Addresses of an adapter.
     *
     * <p>Immutable.
     *
     * @param mac address of its port
     * @param addresses at least one; the adapter has them in this order in its GID table
     */
    public record AdapterAddresses(MacAddress mac, List<InetAddress> addresses) {
        /** @throws CableException for an address that no host can have, and for one that is named twice */
        public AdapterAddresses {
            if (!mac.isOfOneHost()) {
                throw new CableException(mac + " is not the MAC address of one host");
            }
            if (addresses.isEmpty()) {
                throw new CableException("the adapter with MAC address " + mac + " has no IP address");
            }
            addresses = addresses.stream().map(FramesCable::withoutScope).toList();
            checkAll(addresses);
        }
    }

    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final Settings settings;

    private record Settings(
            List<AdapterAddresses> adapters,
            Set<InetAddress> peers,
            int mtuBytes,
            boolean beyondLoopback,
            PeerLimits limits,
            FrameObserver observer) {
        static final Settings DEFAULT =
                new Settings(List.of(), Set.of(), DEFAULT_MTU_BYTES, false, PeerLimits.DEFAULT, FrameObserver.NONE);
    }

    private FramesCable(InetSocketAddress local, InetSocketAddress remote, Settings settings) {
        this.local = local;
        this.remote = remote;
        this.settings = settings;
    }

    static FramesCable of(InetSocketAddress local, InetSocketAddress remote) {
        Stream.of(local, remote).forEach(FramesCable::check);
        if (local.equals(remote)) {
            throw new CableException(text(local) + " can't be both ends of the cable");
        }
        if (local.getAddress().getAddress().length != remote.getAddress().getAddress().length) {
            throw new CableException("both ends of the cable must be IPv4 or both IPv6: " + text(local) + " and "
                    + text(remote) + " are not");
        }
        return new FramesCable(local, remote, Settings.DEFAULT);
    }

    private static void check(InetSocketAddress end) {
        if (end.isUnresolved()) {
            throw new CableException(end + " is not resolved: no host has that name");
        }
        if (end.getPort() == 0) {
            throw new CableException(text(end) + " has no port; 1 to 65535 is allowed");
        }
        check(end.getAddress());
    }

    private static void check(InetAddress address) {
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new CableException(address.getHostAddress() + " is not the address of one host");
        }
    }

    private static void checkAll(List<InetAddress> addresses) {
        addresses.forEach(FramesCable::check);
        if (Set.copyOf(addresses).size() < addresses.size()) {
            throw new CableException("an address is named twice in " + texts(addresses));
        }
    }

    /** The scope of an address of this machine says nothing about frames. */
    private static InetAddress withoutScope(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of 4 or 16 bytes is always legal", impossible);
        }
    }

    private static String texts(List<InetAddress> addresses) {
        return String.join(
                ", ", addresses.stream().map(InetAddress::getHostAddress).toList());
    }

    private static String text(InetSocketAddress end) {
        return end.getAddress().getHostAddress() + " port " + end.getPort();
    }

    private FramesCable with(Settings other) {
        return new FramesCable(local, remote, other);
    }

    /**
     * Adds an adapter whose MAC address is made from its first IP address ({@link MacAddress#of}).
     *
     * @param first its address, of IPv4 or IPv6
     * @param others further ones, which follow in its GID table
     * @throws CableException for an address that no adapter can have, and for one that is named twice
     */
    public FramesCable withAdapter(InetAddress first, InetAddress... others) {
        return withAdapter(MacAddress.of(first), first, others);
    }

    /**
     * Adds an adapter. The network's adapters have these addresses in the order in which they are plugged in.
     *
     * @param mac MAC address of its port
     * @param first its address, of IPv4 or IPv6
     * @param others further ones, which follow in its GID table
     * @throws CableException for an address that no adapter can have, and for one that is named twice
     */
    public FramesCable withAdapter(MacAddress mac, InetAddress first, InetAddress... others) {
        AdapterAddresses added = new AdapterAddresses(
                mac, Stream.concat(Stream.of(first), Stream.of(others)).toList());
        List<AdapterAddresses> all =
                Stream.concat(settings.adapters.stream(), Stream.of(added)).toList();
        checkAll(all.stream().flatMap(each -> each.addresses.stream()).toList());
        if (settings.adapters.stream().anyMatch(each -> each.mac.equals(mac))) {
            throw new CableException("two adapters have the MAC address " + mac);
        }
        return with(new Settings(
                all, settings.peers, settings.mtuBytes, settings.beyondLoopback, settings.limits, settings.observer));
    }

    /**
     * Sets the peers: addresses of adapters outside, of IPv4 or IPv6, whose packets are accepted, and to which packets leave.
     *
     * @throws CableException for an address that no adapter can have, and for one that is named twice
     */
    public FramesCable withPeers(InetAddress... others) {
        List<InetAddress> all = Stream.of(others).map(FramesCable::withoutScope).toList();
        checkAll(all);
        return with(new Settings(
                settings.adapters,
                new LinkedHashSet<>(all),
                settings.mtuBytes,
                settings.beyondLoopback,
                settings.limits,
                settings.observer));
    }

    /**
     * Sets the MTU in place of {@value #DEFAULT_MTU_BYTES}: bytes of the largest IP packet, {@value #MIN_MTU_BYTES} to {@value
     * #MAX_MTU_BYTES}. The interfaces of the hosts at the other end need the same.
     *
     * @throws IllegalArgumentException for another number
     */
    public FramesCable withMtu(int bytes) {
        if (bytes < MIN_MTU_BYTES || bytes > MAX_MTU_BYTES) {
            throw new IllegalArgumentException(
                    "the MTU is " + bytes + "; " + MIN_MTU_BYTES + " to " + MAX_MTU_BYTES + " is allowed");
        }
        return with(new Settings(
                settings.adapters, settings.peers, bytes, settings.beyondLoopback, settings.limits, settings.observer));
    }

    /** Sets the limits for each peer. */
    public FramesCable withLimits(PeerLimits other) {
        return with(new Settings(
                settings.adapters,
                settings.peers,
                settings.mtuBytes,
                settings.beyondLoopback,
                other,
                settings.observer));
    }

    /** Sets the observer of every frame. */
    public FramesCable withObserver(FrameObserver other) {
        return with(new Settings(
                settings.adapters, settings.peers, settings.mtuBytes, settings.beyondLoopback, settings.limits, other));
    }

    /** Allows sockets of other interfaces than loopback. Only for networks whose hosts are all trusted. */
    public FramesCable beyondLoopback() {
        return with(new Settings(
                settings.adapters, settings.peers, settings.mtuBytes, true, settings.limits, settings.observer));
    }

    /** Returns the address of the socket. */
    public InetSocketAddress local() {
        return local;
    }

    /** Returns the address of the other end's socket. */
    public InetSocketAddress remote() {
        return remote;
    }

    /** Returns the adapters, in the order in which they are plugged in. */
    public List<AdapterAddresses> adapters() {
        return settings.adapters;
    }

    @Override
    public List<InetAddress> addresses() {
        return settings.adapters.stream().map(each -> each.addresses.getFirst()).toList();
    }

    @Override
    public List<InetAddress> peers() {
        return List.copyOf(settings.peers);
    }

    /** Returns the MTU in bytes. */
    public int mtuBytes() {
        return settings.mtuBytes;
    }

    /** Returns the limits for each peer. */
    public PeerLimits limits() {
        return settings.limits;
    }

    /** Returns the observer of every frame. */
    public FrameObserver observer() {
        return settings.observer;
    }

    /**
     * Checks that the addresses are allowed.
     *
     * @throws CableException if an end is no loopback address and others are not allowed, or if a peer is one of the adapters
     */
    public void checkAllowed() {
        Stream.of(local, remote)
                .filter(end -> !settings.beyondLoopback && !end.getAddress().isLoopbackAddress())
                .findFirst()
                .ifPresent(end -> {
                    throw new CableException(
                            end.getAddress().getHostAddress() + " is no loopback address: RoCEv2 trusts"
                                    + " every host that can send with the address of a peer; if it may, call beyondLoopback()");
                });
        settings.adapters.stream()
                .flatMap(each -> each.addresses.stream())
                .filter(settings.peers::contains)
                .findFirst()
                .ifPresent(own -> {
                    throw new CableException(own.getHostAddress() + " is both an address of the cable and a peer");
                });
    }

    /** Returns both ends and the adapters' addresses. */
    @Override
    public String toString() {
        return "frames on UDP " + text(local) + " to " + text(remote) + ", adapters "
                + texts(settings.adapters.stream()
                        .flatMap(each -> each.addresses.stream())
                        .toList());
    }
}
