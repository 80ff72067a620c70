// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.LiveCable;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.gateway.Gateway;
import org.hcaactors.fabric.gateway.PlayedCable;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.recording.RecordedPeer;
import org.hcaactors.fabric.uplink.Polling;
import org.hcaactors.fabric.uplink.Uplink;

/** The way of a network out of its JVM, if it has one: what it means for the network's adapters. */
record NetworkUplink(Optional<Uplink> uplink) {
    /** @throws CableException if the cable cannot be used, or the environment is a world's */
    static NetworkUplink open(Environment environment) {
        boolean leaves = environment.uplink().isPresent()
                || environment.cable().filter(LiveCable.class::isInstance).isPresent();
        if (leaves && environment.awaiter().isSimulation()) {
            throw new CableException("a world has no cable to peers outside: its time is virtual, and theirs is not;"
                    + " it may have a recorded one (Cable.recorded), and RdmaNetwork.start takes every cable");
        }
        return new NetworkUplink(environment
                .uplink()
                .or(() -> environment.cable().map(cable -> open(cable, environment.exceptionHandler()))));
    }

    private static Uplink open(Cable cable, Consumer<Throwable> refusals) {
        return switch (cable) {
            case LiveCable live -> Gateway.open(live);
            case RecordedCable recorded -> PlayedCable.of(recorded, refusals);
        };
    }

    /** Creates what uses the uplink, and closes it if that fails. */
    RdmaNetwork orClose(Function<NetworkUplink, RdmaNetwork> user) {
        try {
            return user.apply(this);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    boolean isPresent() {
        return uplink.isPresent();
    }

    void ifPresent(Consumer<Uplink> user) {
        uplink.ifPresent(user);
    }

    /**
     * Returns the addresses of an adapter: the uplink's, or 10.0.0.0 plus its number.
     *
     * @param number from 1
     * @throws IllegalArgumentException if the uplink has fewer adapters
     */
    List<Gid> addressesOf(String adapter, int number) {
        return uplink.map(up -> up.addressesOf(adapter, number).stream()
                        .map(NetworkUplink::gid)
                        .toList())
                .orElseGet(() -> List.of(Gid.ofIpv4(10, 0, number >> 8, number & 255)));
    }

    private static Gid gid(PortAddress address) {
        return new Gid(address.high(), address.low());
    }

    /**
     * Tells the uplink the addresses that an adapter has now.
     *
     * @param number from 1
     */
    void plug(int number, Adapter adapter) {
        List<PortAddress> addresses =
                adapter.port(1).gidTable().stream().map(LocalPort::addressOf).toList();
        uplink.ifPresent(up -> up.plug(adapter.name(), number, addresses));
    }

    /** Gives the addresses of an adapter up. */
    void unplug(int number, Adapter adapter) {
        uplink.ifPresent(up -> up.plug(adapter.name(), number, List.of()));
    }

    /** Returns the address of an adapter elsewhere. */
    Optional<Gid> locate(String adapter) {
        return uplink.flatMap(up -> up.resolve(adapter)).map(NetworkUplink::gid);
    }

    /** Returns the link with at most the MTU of the uplink. */
    LinkProperties bounded(LinkProperties link) {
        return uplink.map(up -> new LinkProperties(
                        link.latencyNanos(),
                        link.bitsPerSecond(),
                        Math.min(link.mtuBytes(), up.mtuBytes()),
                        link.queueBytes()))
                .orElse(link);
    }

    /** @throws IllegalStateException if the network has no recorded cable */
    RecordedPeer recordedPeer() {
        return uplink.filter(PlayedCable.class::isInstance)
                .map(PlayedCable.class::cast)
                .orElseThrow(() -> new IllegalStateException(
                        "the network has no recorded cable; Environment.withCable(Cable.recorded(...)) sets one"));
    }

    /** Reads what has come, as {@link Uplink#poll}. */
    int poll(Polling by) {
        return uplink.isPresent() ? uplink.get().poll(by) : 0;
    }

    SortedMap<String, Long> counters() {
        return uplink.map(Uplink::counters).orElseGet(Collections::emptySortedMap);
    }

    void close() {
        uplink.ifPresent(Uplink::close);
    }
}
