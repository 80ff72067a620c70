// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.jspecify.annotations.Nullable;

/** Routing table: the ports, their addresses, and the endpoints behind them. */
final class Routing {
    /** By the address with which each port was created, whatever its addresses are now. */
    private final Map<PortAddress, Port> ports = new LinkedHashMap<>();

    private final AddressTable addresses = new AddressTable();

    /** Incremented by every change; an endpoint's cached route is valid for one epoch. */
    private long epoch;

    void port(String name, PortAddress address, LinkProperties link) {
        Port known = ports.get(address);
        if (known == null) {
            Port made = new Port(name, link);
            ports.put(address, made);
            addresses.claim(made, List.of(address));
        } else {
            known.link = link;
        }
        epoch++;
    }

    void addresses(PortAddress portAddress, List<PortAddress> all) {
        addresses.claim(portAt(portAddress), all);
        epoch++;
    }

    void plugged(PortAddress address, boolean up) {
        portAt(address).up = up;
        epoch++;
    }

    void attach(Endpoint endpoint) {
        portOf(endpoint).endpoints.put(endpoint.qpNumber(), endpoint);
        epoch++;
    }

    void detach(Endpoint endpoint) {
        QpTable<Endpoint> attached = portOf(endpoint).endpoints;
        if (attached.get(endpoint.qpNumber()) == endpoint) {
            attached.remove(endpoint.qpNumber());
        }
        endpoint.forgetRoute();
        epoch++;
    }

    Map<String, Integer> endpoints() {
        Map<String, Integer> attached = new LinkedHashMap<>();
        ports.values().forEach(port -> attached.put(port.name, port.endpoints.size()));
        return attached;
    }

    Port portOf(Endpoint endpoint) {
        return portAt(endpoint.port());
    }

    private Port portAt(PortAddress address) {
        Port port = ports.get(address);
        if (port == null) {
            throw new IllegalArgumentException("no port on this fabric has the address " + address);
        }
        return port;
    }

    /** Returns the port that has that address now. */
    @Nullable
    Port holder(PortAddress address) {
        return addresses.holder(address);
    }

    String nameAt(PortAddress address) {
        Port port = holder(address);
        return port == null ? address.toString() : port.name;
    }

    /**
     * Returns the endpoint at the end of a route; null if there is none, or its port is down. The result is cached in {@code
     * from}.
     */
    @Nullable
    Endpoint resolve(Endpoint from, Route route, int qp) {
        if (from.routeEpoch != epoch || from.routeCached != route || from.routeQp != qp) {
            Port sender = portOf(from);
            Port port = holder(route.destination());
            from.routeEnd = port == null || !port.up ? null : port.endpoints.get(qp);
            from.routeMtu = sender.addresses.contains(route.source()) ? minMtu(sender, port) : 0;
            from.routeCached = route;
            from.routeQp = qp;
            from.routeEpoch = epoch;
        }
        return from.routeEnd;
    }

    private static int minMtu(Port from, @Nullable Port to) {
        return to == null ? from.link.mtuBytes() : Math.min(from.link.mtuBytes(), to.link.mtuBytes());
    }

    /** Returns why a route to that port has no endpoint. */
    static String whyNot(@Nullable Port to) {
        if (to == null) {
            return "no port of that address";
        }
        return to.up ? "no queue pair of that number" : "the receiver's port is down";
    }
}
