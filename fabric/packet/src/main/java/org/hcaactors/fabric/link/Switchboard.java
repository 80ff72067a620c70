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
 * The fabric as a machine: ports, cables, routing by (address, queue pair number), and what is in flight. Time comes in,
 * deliveries go out through each endpoint's {@link Receiver}.
 */
public final class Switchboard {
    /** Packets that travel in one message. */
    public static final int MAX_TRAIN = 64;

    static final int MULTICAST_QP = 0xFF_FFFF;

    /** Events of packets of which nothing is recorded. */
    public static final long[] UNTRACED = {};

    private final FabricLimits limits;
    private final FabricObservers witnesses;
    private final Arbiter arbiter;
    private final Routing routing = new Routing();
    private final MulticastGroups groups = new MulticastGroups();
    private final PacketsInFlight flights = new PacketsInFlight();
    /** Ports with frames that have not left yet, in the order in which they became busy. */
    private final Set<Port> busy = new LinkedHashSet<>();

    private final DirectPaths ways;

    /**
     * @param complaints takes what interceptors and taps throw, on the fabric's thread
     * @param epoch this fabric's alone
     */
    public Switchboard(FabricLimits limits, TraceSink trace, Consumer<Throwable> complaints, Epoch epoch) {
        this.limits = limits;
        this.ways = new DirectPaths(epoch);
        this.witnesses = new FabricObservers(trace, complaints);
        this.arbiter = new Arbiter(complaints);
    }

    /** A new port claims its address; one that exists gets another cable. */
    public void port(String name, PortAddress address, LinkProperties link) {
        ways.close();
        routing.port(name, address, link);
    }

    /**
     * The port claims these addresses from now on, and no others. Of several ports that claim an address the first has it;
     * when that one gives it up, it is the next one's. What comes from or goes to an address that was given up is lost.
     *
     * @param known the address that the port was made with
     */
    public void addresses(PortAddress known, List<PortAddress> all) {
        ways.close();
        routing.addresses(known, all);
    }

    /** A cable that is pulled drops what is sent into it and what arrives through it. */
    public void plugged(PortAddress address, boolean up) {
        ways.close();
        routing.plugged(address, up);
    }

    /** @param blockOwn the endpoint does not get its own datagrams */
    public void join(PortAddress group, Endpoint endpoint, boolean blockOwn) {
        groups.join(group, endpoint, blockOwn);
    }

    /** False if the endpoint takes no part in the group. */
    public boolean leave(PortAddress group, Endpoint endpoint) {
        return groups.leave(group, endpoint);
    }

    /** IllegalArgumentException for a port that was never described. */
    public void attach(Endpoint endpoint) {
        ways.close();
        routing.attach(endpoint);
    }

    public void detach(Endpoint endpoint) {
        ways.close();
        routing.detach(endpoint);
        groups.leaveAll(endpoint);
    }

    /** How many endpoints are attached, by the name of their port. */
    public Map<String, Integer> endpoints() {
        return routing.endpoints();
    }

    public void intercept(Interceptor requested) {
        ways.close();
        arbiter.follow(requested);
    }

    public void tap(Tap tap) {
        ways.close();
        witnesses.add(tap);
    }

    public void untap(Tap tap) {
        witnesses.remove(tap);
    }

    /**
     * Takes packets from an endpoint.
     *
     * @param causes the event behind each packet, or empty where nothing is traced
     */
    public void transmit(Endpoint from, Packet[] batch, long[] causes, long now) {
        if (!forwarded(from, batch)) {
            carry(from, batch, causes, UNTRACED, now);
        }
    }

    /** The long way: judged, timed and seen, packet by packet. */
    public void carry(Endpoint from, Packet[] batch, long[] causes, long[] otherCauses, long now) {
        Port port = routing.portOf(from);
        for (int i = 0; i < batch.length; i++) {
            long cause = i < causes.length ? causes[i] : 0;
            long otherCause = i < otherCauses.length ? otherCauses[i] : 0;
            enter(port, from, batch[i], witnesses.sent(port, from, batch[i], cause, otherCause, now), now);
        }
        advance(now);
        carried(from);
    }

    /** Carrying it broke off, and what is not on its way by now is lost, as on any wire; its sender has its credit back. */
    public void lost(Endpoint from, Packet[] batch) {
        from.left(batch.length);
        carried(from);
    }

    /** What is still under way may not be overtaken. */
    private void carried(Endpoint from) {
        if (!flights.isEmpty()) {
            ways.close();
        }
        from.carried();
    }

    /** True if the train went the common way, on which it takes no time and nobody looks; else nothing was done. */
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

    /** Delivers what is due. */
    public void advance(long now) {
        if (!busy.isEmpty()) {
            busy.removeIf(port -> port.settle(now));
        }
        while (flights.isDue(now)) {
            deliver(now);
        }
    }

    /** When {@link #advance} has something to do; Long.MAX_VALUE for never. */
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

    /** The common way: nothing to see, nothing to wait for, one look-up for the whole train. Behind it the direct way is open. */
    private void forward(Endpoint from, @Nullable Endpoint to, Packet[] batch) {
        if (to != null) {
            to.receiver().arrive(batch, UNTRACED);
            ways.open(from, to, batch[0]);
        }
        from.left(batch.length);
        from.carried();
    }

    private void enter(Port port, Endpoint from, Packet packet, long sent, long now) {
        from.keep();
        Optional<String> stays = port.whyNotSent(packet);
        if (stays.isPresent()) {
            witnesses.dropped(port, packet, stays.get(), sent, now);
            from.left(1);
            return;
        }
        long departure = port.depart(now, packet.frameBytes(), from);
        if (departure > now) {
            busy.add(port);
        }
        judge(port, from, packet, sent, now, Port.later(departure, port.link.latencyNanos()));
    }

    private void judge(Port port, Endpoint from, Packet packet, long sent, long now, long arrival) {
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

    /** Whoever it says that it is from, it takes no time of a cable: its forger's is not known. */
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
                        routing.nameAt(packet.route().destination()),
                        packet,
                        now));
    }

    private void reorder(
            Port port, Endpoint from, Packet packet, Verdict.Reorder late, long sent, long now, long arrival) {
        Port to = routing.holder(packet.route().destination());
        Endpoint end = routing.resolve(from, packet.route(), packet.bth().destQp());
        if (to == null || end == null || isFull()) {
            launch(port, from, packet, sent, now, arrival, Arrival.WHOLE);
            return;
        }
        String what = "put behind " + late.behind() + " later packets by " + late.rule();
        long id = witnesses.disturbed(port, packet, How.REORDERED, what, sent, now);
        long latest = notAfterLifetime(Port.later(arrival, late.atMostNanos()), now);
        flights.hold(latest, late.behind(), to, end, packet, id);
    }

    private void launch(Port port, Endpoint from, Packet packet, long sent, long now, long arrival, Arrival kind) {
        if (packet.bth().destQp() == MULTICAST_QP
                && packet.route().destination().isMulticast()) {
            spread(port, from, packet, sent, now, arrival, kind);
            return;
        }
        Port to = routing.holder(packet.route().destination());
        Endpoint end = routing.resolve(from, packet.route(), packet.bth().destQp());
        if (to == null || end == null) {
            witnesses.dropped(port, packet, Routing.whyNot(to), sent, now);
            return;
        }
        fly(port, to, end, packet, sent, now, arrival, kind);
    }

    /** One copy for every member of the group, its sender among them unless that blocks its own. */
    private void spread(Port port, Endpoint from, Packet packet, long sent, long now, long arrival, Arrival kind) {
        PortAddress group = packet.route().destination();
        List<Endpoint> members = groups.receiversOf(group, from);
        if (members.isEmpty()) {
            String nobody = groups.hasMember(group, from) ? "nobody else" : "nobody";
            witnesses.dropped(port, packet, nobody + " takes part in that group", sent, now);
        }
        for (Endpoint member : members) {
            Port to = routing.portOf(member);
            if (to.up) {
                fly(port, to, member, packet, sent, now, arrival, kind);
            } else {
                witnesses.dropped(port, packet, Routing.whyNot(to), sent, now);
            }
        }
    }

    private void fly(Port port, Port to, Endpoint end, Packet packet, long sent, long now, long arrival, Arrival kind) {
        if (isFull()) {
            witnesses.dropped(port, packet, "more than " + limits.maxInFlight() + " packets in flight", sent, now);
            return;
        }
        flights.add(notAfterLifetime(arrival, now), to, end, packet, sent, kind);
    }

    private boolean isFull() {
        return flights.size() >= limits.maxInFlight();
    }

    private long notAfterLifetime(long arrival, long now) {
        return Math.min(arrival, Port.later(now, limits.maxPacketLifetime().toNanos()));
    }

    /** One train: what is due next, and what is due behind it for the same endpoint. */
    private void deliver(long now) {
        Flight first = flights.remove();
        Optional<String> lost = first.port().whyNotDelivered(first.to(), first.packet());
        if (lost.isPresent()) {
            witnesses.dropped(first.port(), first.packet(), lost.get(), first.sentId(), now);
            return;
        }
        switch (first.arrival()) {
            case Arrival.Whole whole -> handOver(first, now);
            case Arrival.Damaged damaged -> discard(first, damaged, now);
        }
    }

    private void discard(Flight flight, Arrival.Damaged damaged, long now) {
        witnesses.corrupted(flight.port(), flight.packet(), damaged, flight.sentId(), now);
        flight.to().receiver().corrupted();
    }

    private void handOver(Flight first, long now) {
        List<Flight> batch = new ArrayList<>();
        batch.add(first);
        while (batch.size() < MAX_TRAIN && flights.continues(first, now)) {
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
        first.to().receiver().arrive(packets, ids);
    }
}
