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
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.gateway.Gateway;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.PortAddress;

/** The cable of a network, if it has one: what it means for the network's adapters. */
record NetworkCable(Optional<Gateway> gateway) {
    /** @throws CableException if the cable cannot be used, or the environment is a world's */
    static NetworkCable open(Environment environment) {
        if (environment.cable().isPresent() && environment.awaiter().isSimulation()) {
            throw new CableException("a world has no cable: its time is virtual, and that of the peers is not;"
                    + " RdmaNetwork.start takes it");
        }
        return new NetworkCable(environment.cable().map(Gateway::open));
    }

    /** Creates what uses the cable, and closes the cable if that fails. */
    RdmaNetwork orClose(Function<NetworkCable, RdmaNetwork> user) {
        try {
            return user.apply(this);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    void ifPresent(Consumer<Gateway> user) {
        gateway.ifPresent(user);
    }

    /**
     * Returns the addresses of an adapter: the cable's, or 10.0.0.0 plus its number.
     *
     * @param number from 1
     * @throws IllegalArgumentException if the cable has fewer adapters
     */
    List<Gid> addressesOf(String adapter, int number) {
        return gateway.map(cable -> addressesOn(cable, adapter, number))
                .orElseGet(() -> List.of(Gid.ofIpv4(10, 0, number >> 8, number & 255)));
    }

    private static List<Gid> addressesOn(Gateway cable, String adapter, int number) {
        int adapters = cable.addresses().size();
        if (number > adapters) {
            throw new IllegalArgumentException("adapter " + adapter + " can't be added: the cable has " + adapters
                    + (adapters == 1 ? " address" : " addresses") + ", one for each adapter");
        }
        return cable.addresses().get(number - 1).stream().map(Gid::of).toList();
    }

    /**
     * Tells the cable the addresses that an adapter has now.
     *
     * @param number from 1
     */
    void plug(int number, Adapter adapter) {
        List<PortAddress> addresses = adapter.port(1).gidTable().stream()
                .map(LocalPort::addressOf)
                .toList();
        gateway.ifPresent(cable -> cable.plug(number - 1, addresses));
    }

    /** Returns the link with at most the MTU of the cable. */
    LinkProperties bounded(LinkProperties link) {
        return gateway.map(cable -> new LinkProperties(
                        link.latencyNanos(),
                        link.bitsPerSecond(),
                        Math.min(link.mtuBytes(), cable.mtuBytes()),
                        link.queueBytes()))
                .orElse(link);
    }

    SortedMap<String, Long> counters() {
        return gateway.map(Gateway::counters).orElseGet(Collections::emptySortedMap);
    }

    void close() {
        gateway.ifPresent(Gateway::close);
    }
}
