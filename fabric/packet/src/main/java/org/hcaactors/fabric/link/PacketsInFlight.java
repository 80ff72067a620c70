// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** Packets in flight between ports, in the order of arrival; packets due at the same time arrive in the order of sending. */
final class PacketsInFlight {
    /** State in which a packet arrives. */
    sealed interface Arrival {
        Arrival WHOLE = new Whole();

        record Whole() implements Arrival {}

        /**
         * @param frame with a wrong ICRC
         * @param by rule that flipped a bit; empty if the frame had the wrong ICRC from the start
         */
        record Damaged(Octets frame, String what, Optional<String> by) implements Arrival {}
    }

    record Flight(
            long at, long sequence, Port port, Endpoint from, Endpoint to, Packet packet, long sentId, Arrival arrival)
            implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        private Flight rescheduled(long then, long order) {
            return new Flight(then, order, port, from, to, packet, sentId, arrival);
        }
    }

    /** A packet that waits until others have overtaken it; meanwhile it is in flight with the latest time as its arrival. */
    private static final class Overtaken {
        Flight flight;
        int remaining;

        Overtaken(Flight flight, int remaining) {
            this.flight = flight;
            this.remaining = remaining;
        }
    }

    private final PriorityQueue<Flight> inFlight = new PriorityQueue<>();
    private final List<Overtaken> held = new ArrayList<>(0);
    private long sequence;

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    int size() {
        return inFlight.size();
    }

    /** Returns the time of the next arrival; Long.MAX_VALUE if there is none. */
    long nextArrival() {
        Flight first = inFlight.peek();
        return first == null ? Long.MAX_VALUE : first.at;
    }

    void add(long at, Port port, Endpoint from, Endpoint to, Packet packet, long sentId, Arrival arrival) {
        inFlight.add(new Flight(at, sequence++, port, from, to, packet, sentId, arrival));
        if (!held.isEmpty()) {
            overtake(to, at);
        }
    }

    /** Adds a packet that arrives after the next {@code behind} packets to the same endpoint, at {@code latest} in any case. */
    void hold(long latest, int behind, Port port, Endpoint from, Endpoint to, Packet packet, long sentId) {
        Flight flight = new Flight(latest, sequence++, port, from, to, packet, sentId, Arrival.WHOLE);
        inFlight.add(flight);
        held.add(new Overtaken(flight, behind));
    }

    boolean isDue(long now) {
        return nextArrival() <= now;
    }

    /** Removes the next packet; only if one is due. */
    Flight remove() {
        Flight first = inFlight.remove();
        if (!held.isEmpty()) {
            held.removeIf(waiting -> waiting.flight == first);
        }
        return first;
    }

    /**
     * True if the next packet is due, undamaged, for the same endpoint as {@code delivered}, and deliverable; at a border, also of the
     * same sender.
     */
    boolean continues(Flight delivered, long now) {
        Flight next = inFlight.peek();
        return next != null
                && next.at <= now
                && next.to == delivered.to
                && (!next.to.isBorder() || next.from == delivered.from)
                && next.arrival instanceof Arrival.Whole
                && isDelivered(next, delivered);
    }

    /** For the same port and route only the length is checked again: the other conditions were checked for {@code before}. */
    private static boolean isDelivered(Flight next, Flight before) {
        return next.port == before.port && next.packet.route() == before.packet.route()
                ? next.port.fits(next.packet)
                : next.port.whyNotDelivered(next.to, next.packet).isEmpty();
    }

    private void overtake(Endpoint to, long at) {
        for (Overtaken waiting : List.copyOf(held)) {
            if (waiting.flight.to == to && --waiting.remaining == 0) {
                held.remove(waiting);
                inFlight.remove(waiting.flight);
                inFlight.add(waiting.flight.rescheduled(Math.min(at, waiting.flight.at), sequence++));
            }
        }
    }
}
