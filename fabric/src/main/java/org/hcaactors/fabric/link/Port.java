package org.hcaactors.fabric.link;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.hcaactors.fabric.packet.PortAddress;

/** A port of the fabric: who is behind it, and the state of its cable. */
final class Port {
    /** A frame that waits to leave, or is leaving, at a known time. */
    private record Departure(long at, int frameBytes, Endpoint from) {}

    final String name;
    final PortAddress address;
    /** Looked up by number only, never iterated, so its order cannot matter. */
    final Map<Integer, Endpoint> endpoints = new HashMap<>();

    LinkProperties link;
    boolean up = true;
    private final ArrayDeque<Departure> departures = new ArrayDeque<>();
    private long busyUntil = Long.MIN_VALUE;
    private long queuedBytes;

    Port(String name, PortAddress address, LinkProperties link) {
        this.name = name;
        this.address = address;
        this.link = link;
    }

    boolean hasRoomFor(int frameBytes) {
        return queuedBytes + frameBytes <= link.queueBytes();
    }

    /** Puts a frame on the cable; returns when its last bit has left. */
    long depart(long now, int frameBytes, Endpoint from) {
        long start = Math.max(now, busyUntil);
        busyUntil = start + link.serialisationNanos(frameBytes);
        if (busyUntil == now) {
            from.left(1);
        } else {
            queuedBytes += frameBytes;
            departures.add(new Departure(busyUntil, frameBytes, from));
        }
        return busyUntil;
    }

    /** Gives back credit and queue room for every frame that has left by now; tells whether none is waiting any more. */
    boolean settle(long now) {
        for (Departure first = departures.peek(); first != null && first.at <= now; first = departures.peek()) {
            departures.remove();
            queuedBytes -= first.frameBytes;
            first.from.left(1);
        }
        return departures.isEmpty();
    }

    long nextDeparture() {
        Departure first = departures.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }
}
