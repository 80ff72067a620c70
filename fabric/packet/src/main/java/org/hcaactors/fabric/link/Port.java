// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** A port of the fabric: its endpoints and the state of its link. */
final class Port {
    /** A frame that waits to leave or is leaving, with the time when its last bit is sent. */
    private record Departure(long at, int frameBytes, Endpoint from) {}

    final String name;
    /** Addresses of the port; only the {@link AddressTable} changes them. */
    Set<PortAddress> addresses = Set.of();

    final QpTable<Endpoint> endpoints = new QpTable<>();

    /** Receives packets for every queue pair number, if the port is the border of the fabric. */
    @Nullable
    Endpoint border;

    LinkProperties link;
    boolean up = true;
    private final ArrayDeque<Departure> departures = new ArrayDeque<>();
    private long busyUntil = Long.MIN_VALUE;
    private long queuedBytes;

    Port(String name, LinkProperties link) {
        this.name = name;
        this.link = link;
    }

    /** Returns the endpoint of that queue pair number, or null. */
    @Nullable
    Endpoint end(int qp) {
        return border != null ? border : endpoints.get(qp);
    }

    /** True if packets from or to this address can pass the port. Addresses behind a border are unknown. */
    private boolean has(PortAddress address) {
        return border != null || addresses.contains(address);
    }

    /** Returns why the packet cannot leave; empty if it can. */
    Optional<String> whyNotSent(Packet packet) {
        if (!up) {
            return Optional.of("the sender's port is down");
        }
        PortAddress source = packet.route().source();
        if (!has(source)) {
            return Optional.of(
                    source.isUnspecified()
                            ? "the packet has no source address: its entry of the port's GID table is not in use"
                            : "the sender's port does not have the address " + source);
        }
        if (!fits(packet)) {
            return Optional.of("larger than the link's MTU of " + link.mtuBytes() + " bytes");
        }
        return queuedBytes + packet.frameBytes() <= link.queueBytes()
                ? Optional.empty()
                : Optional.of("link queue full at " + link.queueBytes() + " bytes");
    }

    /** Returns why a packet that reached the port is not delivered to its endpoint; empty if it is. */
    @MutationPoint("port.why-not-delivered")
    Optional<String> whyNotDelivered(Endpoint to, Packet packet) {
        if (end(to.qpNumber()) != to) {
            return Optional.of("the queue pair was destroyed");
        }
        if (!up) {
            return Optional.of("the receiver's port is down");
        }
        PortAddress destination = packet.route().destination();
        if (!destination.isMulticast() && !has(destination)) {
            return Optional.of("the receiver's port no longer has the address " + destination + "");
        }
        return fits(packet)
                ? Optional.empty()
                : Optional.of("larger than the receiver's link MTU of " + link.mtuBytes() + " bytes");
    }

    @MutationPoint("port.fits")
    boolean fits(Packet packet) {
        return packet.ipBytes() <= link.mtuBytes();
    }

    /** Puts a frame on the link; returns when its last bit has left. */
    long depart(long now, int frameBytes, Endpoint from) {
        long start = Math.max(now, busyUntil);
        busyUntil = later(start, link.serialisationNanos(frameBytes));
        if (busyUntil == now) {
            from.handled(1);
        } else {
            queuedBytes += frameBytes;
            departures.add(new Departure(busyUntil, frameBytes, from));
        }
        return busyUntil;
    }

    /** Adds {@code nanos}, at least 0, and saturates at Long.MAX_VALUE. */
    static long later(long time, long nanos) {
        return Long.MAX_VALUE - nanos < time ? Long.MAX_VALUE : time + nanos;
    }

    /** Returns the credit and queue space of every frame that has left by now. True if no frame is waiting any more. */
    boolean settle(long now) {
        for (Departure first = departures.peek(); first != null && first.at <= now; first = departures.peek()) {
            departures.remove();
            queuedBytes -= first.frameBytes;
            first.from.handled(1);
        }
        return departures.isEmpty();
    }

    long nextDeparture() {
        Departure first = departures.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }
}
