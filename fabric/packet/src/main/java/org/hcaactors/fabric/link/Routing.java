// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.jspecify.annotations.Nullable;

/** Routing table: the ports, their addresses, and the endpoints behind them. */
final class Routing {
    /** By the address with which each port was created, whatever its addresses are now. */
    private final Map<PortAddress, Port> ports = new LinkedHashMap<>();

    private final AddressTable addresses = new AddressTable();

    /** Port with the way out of the fabric, for addresses that no other port has. */
    private @Nullable Port border;

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

    void removePort(PortAddress address) {
        Port port = portAt(address);
        port.up = false;
        addresses.claim(port, List.of());
        ports.remove(address);
        epoch++;
    }

    void attach(Endpoint endpoint) {
        portOf(endpoint).endpoints.put(endpoint.qpNumber(), endpoint);
        epoch++;
    }

    void border(String name, Endpoint end, LinkProperties link) {
        port(name, end.port(), link);
        border = portOf(end);
        border.border = end;
    }

    Optional<Port> border() {
        return Optional.ofNullable(border);
    }

    void detach(Endpoint endpoint) {
        Port port = portOf(endpoint);
        QpTable<Endpoint> attached = port.endpoints;
        if (port.border == endpoint) {
            port.border = null;
            border = null;
        } else if (attached.get(endpoint.qpNumber()) == endpoint) {
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

    /** Returns the port to which a packet of this sender goes: the border if no port has the address, except from there. */
    @Nullable
    Port destination(Port sender, PortAddress address) {
        Port inside = holder(address);
        return sender != border && isOutside(address) ? border : inside;
    }

    /** Returns why the packet cannot enter the fabric by that port; empty if it can. */
    Optional<String> whyNotSent(Port port, Packet packet) {
        PortAddress source = packet.route().source();
        Optional<String> why = port.whyNotSent(packet);
        return why.isEmpty() && port == border && !isOutside(source)
                ? Optional.of("from outside, but with the address of " + nameAt(source))
                : why;
    }

    private boolean mayHave(Port port, PortAddress source) {
        return port == border ? isOutside(source) : port.addresses.contains(source);
    }

    /** True for the address of one node that is not on this fabric. */
    private boolean isOutside(PortAddress address) {
        return holder(address) == null && !address.isUnspecified() && !address.isMulticast();
    }

    String nameAt(Port sender, PortAddress address) {
        Port port = destination(sender, address);
        return port == null ? address.toString() : port.name;
    }

    private String nameAt(PortAddress address) {
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
            Port port = destination(sender, route.destination());
            from.routeEnd = port == null || !port.up ? null : port.end(qp);
            from.routeMtu = mayHave(sender, route.source()) ? minMtu(sender, port) : 0;
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
