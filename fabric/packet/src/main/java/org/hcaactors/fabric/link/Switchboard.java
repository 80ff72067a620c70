// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hcaactors.fabric.flow.FabricEvent.Disturbed.How;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.PacketsInFlight.Arrival;
import org.hcaactors.fabric.link.PacketsInFlight.Flight;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

/**
 * The fabric as a machine: ports, links, routing by (address, queue pair number), and packets in flight. Callers pass the
 * current time; packets are delivered through each endpoint's {@link Receiver}.
 */
public final class Switchboard {
    /** Maximum number of packets in one batch. */
    public static final int MAX_BATCH = 64;

    static final int MULTICAST_QP = 0xFF_FFFF;

    /** Event ids of packets that are not traced. */
    public static final long[] UNTRACED = {};

    private final FabricLimits limits;
    private final FabricObservers witnesses;
    private final Arbiter arbiter;
    private final Routing routing = new Routing();
    private final MulticastGroups groups = new MulticastGroups();
    private final PacketsInFlight flights = new PacketsInFlight();
    /** Ports with frames that have not left yet, in the order in which they became busy. */
    private final Set<Port> busy = new LinkedHashSet<>();

    private final DirectPaths directPaths;

    /**
     * @param exceptionHandler receives exceptions of interceptors and taps, on the fabric's thread
     * @param epoch of this fabric only
     */
    public Switchboard(FabricLimits limits, TraceSink trace, Consumer<Throwable> exceptionHandler, Epoch epoch) {
        this.limits = limits;
        this.directPaths = new DirectPaths(epoch);
        this.witnesses = new FabricObservers(trace, exceptionHandler);
        this.arbiter = new Arbiter(exceptionHandler);
    }

    /** Creates a port with this address, or replaces the link of an existing one. */
    public void port(String name, PortAddress address, LinkProperties link) {
        directPaths.close();
        routing.port(name, address, link);
    }

    /**
     * Replaces the addresses of the port. If several ports claim an address, the first holds it; when it gives the address up,
     * the next claimant holds it. Packets from or to an address that was given up are lost.
     *
     * @param portAddress the address with which the port was created
     */
    public void addresses(PortAddress portAddress, List<PortAddress> all) {
        directPaths.close();
        routing.addresses(portAddress, all);
    }

    /** Sets whether the port's link is up. A link that is down drops packets in both directions. */
    public void plugged(PortAddress address, boolean up) {
        directPaths.close();
        routing.plugged(address, up);
    }

    /**
     * Removes a port and what is attached to it; packets to it are lost from now on.
     *
     * @param address the address with which the port was created
     */
    public void removePort(PortAddress address) {
        directPaths.close();
        routing.removePort(address);
    }

    /** @param blockLoopback the endpoint does not receive its own datagrams */
    public void join(PortAddress group, Endpoint endpoint, boolean blockLoopback) {
        groups.join(group, endpoint, blockLoopback);
    }

    /** Removes the endpoint from the group; false if it is not a member. */
    public boolean leave(PortAddress group, Endpoint endpoint) {
        return groups.leave(group, endpoint);
    }

    /** @throws IllegalArgumentException if the endpoint's port does not exist */
    public void attach(Endpoint endpoint) {
        directPaths.close();
        routing.attach(endpoint);
    }

    /**
     * Creates the border of the fabric: a port without addresses, which has the default route. Packets to addresses that no port
     * has leave there undivided and as they are, damaged ones too; packets from such addresses enter there.
     *
     * @param end made by {@link Endpoint#border}
     * @param link its MTU bounds the packets in both directions
     */
    public void border(String name, Endpoint end, LinkProperties link) {
        directPaths.close();
        routing.border(name, end, link);
    }

    /**
     * Lets the datagrams to multicast groups leave at the border, too, whether or not a port inside is attached to them (rule
     * wire-groups).
     */
    public void groupsLeave(Endpoint border) {
        groups.border(border);
    }

    /**
     * Takes a packet from the border that came in with a wrong ICRC. Its destination drops and counts it.
     *
     * @param frame with the wrong ICRC, from the Ethernet header on
     */
    public void enterDamaged(Endpoint border, Packet packet, Octets frame, long now) {
        Port port = routing.portOf(border);
        long id = witnesses.forged(port, packet, frame, "came in with a wrong ICRC", 0, now);
        if (isSent(port, border, packet, id, now)) {
            Arrival damaged = new Arrival.Damaged(frame, "wrong ICRC from outside", Optional.empty());
            launch(port, border, packet, id, now, arrivalOf(port, border, packet, now), damaged);
        }
        advance(now);
        closeIfInFlight();
    }

    /** Reports that a packet which reached the border did not leave. */
    public void notSent(Packet packet, String reason, long cause, long now) {
        routing.border().ifPresent(port -> witnesses.dropped(port, packet, reason, cause, now));
    }

    public void detach(Endpoint endpoint) {
        directPaths.close();
        routing.detach(endpoint);
        groups.leaveAll(endpoint);
    }

    /** Returns the number of attached endpoints by port name. */
    public Map<String, Integer> endpoints() {
        return routing.endpoints();
    }

    public void intercept(Interceptor requested) {
        directPaths.close();
        arbiter.setInterceptor(requested);
    }

    public void tap(Tap tap) {
        directPaths.close();
        witnesses.add(tap);
    }

    public void untap(Tap tap) {
        witnesses.remove(tap);
    }

    /**
     * Takes packets from an endpoint.
     *
     * @param causes the event that caused each packet, or empty if nothing is traced
     */
    public void transmit(Endpoint from, Packet[] batch, long[] causes, long now) {
        if (!forwarded(from, batch)) {
            carry(from, batch, causes, UNTRACED, now);
        }
    }

    /** Carries the batch packet by packet: interceptor, link times and observers apply to each. */
    public void carry(Endpoint from, Packet[] batch, long[] causes, long[] otherCauses, long now) {
        Port port = routing.portOf(from);
        for (int i = 0; i < batch.length; i++) {
            long cause = i < causes.length ? causes[i] : 0;
            long otherCause = i < otherCauses.length ? otherCauses[i] : 0;
            long sent = witnesses.sent(port, from, batch[i], cause, otherCause, now);
            enter(port, from, batch[i], sent, now);
        }
        advance(now);
        carried(from);
    }

    /**
     * Accounts for a batch whose carrying failed with an exception: packets that are not in flight by now are lost, as on a
     * wire, and their sender gets its credits back.
     */
    public void lost(Endpoint from, Packet[] batch) {
        from.handled(batch.length);
        carried(from);
    }

    /** As {@link #lost}, for a packet that came in damaged. */
    public void lostDamaged(Endpoint border) {
        border.handled(1);
    }

    /** Packets in flight may not be overtaken on a direct path. */
    private void carried(Endpoint from) {
        closeIfInFlight();
        from.carried();
    }

    private void closeIfInFlight() {
        if (!flights.isEmpty()) {
            directPaths.close();
        }
    }

    /**
     * Forwards the whole batch at once and returns true; returns false and does nothing if an interceptor, an observer, link
     * times or packets in flight require {@link #carry}.
     */
    public boolean forwarded(Endpoint from, Packet[] batch) {
        if (!isQuiet()) {
            return false;
        }
        Port port = routing.portOf(from);
        if (!port.up || !port.link.isImmediate() || !BatchPath.isOneWay(batch)) {
            return false;
        }
        Endpoint to = routing.resolve(from, batch[0].route(), batch[0].bth().destQp());
        boolean plain = BatchPath.fits(batch, from.routeMtu);
        if (plain) {
            forward(from, to, batch);
        }
        return plain;
    }

    /** Delivers the packets that are due. */
    public void advance(long now) {
        if (!busy.isEmpty()) {
            busy.removeIf(port -> port.settle(now));
        }
        while (flights.isDue(now)) {
            deliver(now);
        }
    }

    /** Returns when {@link #advance} has to be called next; Long.MAX_VALUE for never. */
    public long nextDeadline() {
        long next = flights.nextArrival();
        if (!busy.isEmpty()) {
            for (Port port : busy) {
                next = Math.min(next, port.nextDeparture());
            }
        }
        return next;
    }

    private boolean isQuiet() {
        return arbiter.isIdle() && flights.isEmpty() && !witnesses.present();
    }

    /** Fast path: no observers, no link times, one look-up for the whole batch. Afterwards the direct path is open. */
    private void forward(Endpoint from, @Nullable Endpoint to, Packet[] batch) {
        int kept = 0;
        if (to != null) {
            if (to.isBorder()) {
                from.keep();
            }
            kept = to.take(from, batch, UNTRACED);
            directPaths.open(from, to, batch[0]);
        }
        from.handled(batch.length - kept);
        from.carried();
    }

    private void enter(Port port, Endpoint from, Packet packet, long sent, long now) {
        from.keep();
        if (isSent(port, from, packet, sent, now)) {
            intercept(port, from, packet, sent, now, arrivalOf(port, from, packet, now));
        }
    }

    /** True if the packet can leave its port; otherwise it is lost. */
    private boolean isSent(Port port, Endpoint from, Packet packet, long sent, long now) {
        Optional<String> whyNotSent = routing.whyNotSent(port, packet);
        if (whyNotSent.isPresent()) {
            witnesses.dropped(port, packet, whyNotSent.get(), sent, now);
            from.handled(1);
        }
        return whyNotSent.isEmpty();
    }

    /** Puts the frame on the link of its port; returns when it arrives. */
    private long arrivalOf(Port port, Endpoint from, Packet packet, long now) {
        long departure = port.depart(now, packet.frameBytes(), from);
        if (departure > now) {
            busy.add(port);
        }
        return Port.later(departure, port.link.latencyNanos());
    }

    private void intercept(Port port, Endpoint from, Packet packet, long sent, long now, long arrival) {
        switch (verdictOn(port, from, packet, now)) {
            case Verdict.Pass pass -> launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
            case Verdict.Drop drop -> witnesses.dropped(port, packet, "dropped by " + drop.rule(), sent, now);
            case Verdict.Delay delay -> {
                long id = witnesses.disturbed(
                        port, packet, How.DELAYED, "delayed " + delay.nanos() + " ns by " + delay.rule(), sent, now);
                launch(port, from, packet, id, now, Port.later(arrival, delay.nanos()), Arrival.WHOLE);
            }
            case Verdict.Duplicate twice -> {
                launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
                long id = witnesses.disturbed(port, packet, How.DUPLICATED, "duplicated by " + twice.rule(), sent, now);
                launch(port, from, packet, id, now, Port.later(arrival, twice.afterNanos()), Arrival.WHOLE);
            }
            case Verdict.Reorder late -> reorder(port, from, packet, late, sent, now, arrival);
            case Verdict.Corrupt bad -> {
                Octets frame = Octets.copyOf(bad.flip().in(packet));
                String what =
                        "byte " + bad.flip().byteIndex() + " bit " + bad.flip().bit() + " flipped by " + bad.rule();
                launch(
                        port,
                        from,
                        packet,
                        sent,
                        now,
                        arrival,
                        new Arrival.Damaged(frame, what, Optional.of(bad.rule())));
            }
            case Verdict.Replace other -> {
                long id = witnesses.disturbed(
                        port, other.replacement(), How.REPLACED, "replaced by " + other.rule(), sent, now);
                launch(port, from, other.replacement(), id, now, arrival, Arrival.WHOLE);
            }
            case Verdict.Forge forge -> {
                if (forge.place() == Verdict.Forge.Place.BEHIND) {
                    launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
                }
                intrude(port, from, packet, forge, sent, now, Port.later(arrival, forge.afterNanos()));
                switch (forge.place()) {
                    case AHEAD -> launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
                    case INSTEAD -> witnesses.dropped(port, packet, "dropped by " + forge.rule(), sent, now);
                    case BEHIND -> {}
                }
            }
        }
    }

    /** A forged frame takes no time on a link, whatever source address it has: the link of its forger is unknown. */
    private void intrude(
            Port port, Endpoint from, Packet beside, Verdict.Forge forge, long sent, long now, long arrival) {
        ForgedFrame forged = ForgedFrame.read(forge.frame(), beside);
        Port alleged = routing.holder(forged.packet().route().source());
        Port of = alleged == null ? port : alleged;
        long id = witnesses.forged(of, forged.packet(), forge.frame(), "forged by " + forge.rule(), sent, now);
        if (forged.arrival().isPresent()) {
            Arrival kind = forged.arrival().get();
            launch(of, from, forged.packet(), id, now, arrival, kind);
        } else {
            witnesses.dropped(of, forged.packet(), forged.flaw(), id, now);
        }
    }

    private Verdict verdictOn(Port port, Endpoint from, Packet packet, long now) {
        return arbiter.isIdle()
                ? Verdict.PASS
                : arbiter.verdict(new PacketInTransit(
                        port.name,
                        from.qpNumber(),
                        routing.nameAt(port, packet.route().destination()),
                        packet,
                        now));
    }

    private void reorder(
            Port port, Endpoint from, Packet packet, Verdict.Reorder late, long sent, long now, long arrival) {
        Port to = routing.destination(port, packet.route().destination());
        Endpoint end = routing.resolve(from, packet.route(), packet.bth().destQp());
        if (to == null || end == null || isFull()) {
            launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
            return;
        }
        String what = "put behind " + late.behind() + (late.behind() == 1 ? " later packet by " : " later packets by ")
                + late.rule();
        long id = witnesses.disturbed(port, packet, How.REORDERED, what, sent, now);
        long latest = notAfterLifetime(Port.later(arrival, late.atMostNanos()), now);
        flights.hold(latest, late.behind(), to, from, end, packet, id);
    }

    private void launch(Port port, Endpoint from, Packet packet, long sent, long now, long arrival, Arrival kind) {
        if (packet.bth().destQp() == MULTICAST_QP
                && packet.route().destination().isMulticast()) {
            spread(port, from, packet, sent, now, arrival, kind);
            return;
        }
        Port to = routing.destination(port, packet.route().destination());
        Endpoint end = routing.resolve(from, packet.route(), packet.bth().destQp());
        if (to == null || end == null) {
            witnesses.dropped(port, packet, Routing.whyNot(to), sent, now);
            return;
        }
        fly(port, from, to, end, packet, sent, now, arrival, kind);
    }

    /** Sends one copy to every member of the group, including the sender unless it blocks its own datagrams. */
    private void spread(Port port, Endpoint from, Packet packet, long sent, long now, long arrival, Arrival kind) {
        PortAddress group = packet.route().destination();
        List<Endpoint> members = groups.receiversOf(group, from);
        if (members.isEmpty()) {
            String receivers = groups.hasMember(group, from) ? "no other port" : "no port";
            witnesses.dropped(port, packet, receivers + " is attached to that group", sent, now);
        }
        for (Endpoint member : members) {
            Port to = routing.portOf(member);
            if (to.up) {
                fly(port, from, to, member, packet, sent, now, arrival, kind);
            } else {
                witnesses.dropped(port, packet, Routing.whyNot(to), sent, now);
            }
        }
    }

    private void fly(
            Port port,
            Endpoint from,
            Port to,
            Endpoint end,
            Packet packet,
            long sent,
            long now,
            long arrival,
            Arrival kind) {
        if (isFull()) {
            witnesses.dropped(port, packet, "more than " + limits.maxInFlight() + " packets in flight", sent, now);
            return;
        }
        flights.add(notAfterLifetime(arrival, now), to, from, end, packet, sent, kind);
    }

    private boolean isFull() {
        return flights.size() >= limits.maxInFlight();
    }

    private long notAfterLifetime(long arrival, long now) {
        return Math.min(arrival, Port.later(now, limits.maxPacketLifetime().toNanos()));
    }

    /** Delivers one batch: the packet that is due next, and the following ones that are due for the same endpoint. */
    private void deliver(long now) {
        Flight first = flights.remove();
        Optional<String> lost = first.port().whyNotDelivered(first.to(), first.packet());
        if (lost.isPresent()) {
            witnesses.dropped(first.port(), first.packet(), lost.get(), first.sentId(), now);
            return;
        }
        switch (first.arrival()) {
            case Arrival.Whole whole -> deliver(first, now);
            case Arrival.Damaged damaged -> discard(first, damaged, now);
        }
    }

    private void discard(Flight flight, Arrival.Damaged damaged, long now) {
        witnesses.corrupted(flight.port(), flight.packet(), damaged, flight.sentId(), now);
        flight.to().receiver().damaged(flight.packet(), damaged.frame());
    }

    private void deliver(Flight first, long now) {
        List<Flight> batch = new ArrayList<>();
        batch.add(first);
        while (batch.size() < MAX_BATCH && flights.continues(first, now)) {
            batch.add(flights.remove());
        }
        boolean observed = witnesses.present();
        Packet[] packets = new Packet[batch.size()];
        long[] ids = observed ? new long[batch.size()] : UNTRACED;
        for (int i = 0; i < packets.length; i++) {
            Flight flight = batch.get(i);
            packets[i] = flight.packet();
            if (observed) {
                ids[i] = witnesses.delivered(flight.port(), flight.packet(), flight.sentId(), now);
            }
        }
        int kept = first.to().take(first.from(), packets, ids);
        if (kept > 0) {
            // They were returned when the packets left their port.
            first.from().receiver().credit(-kept);
        }
    }
}
