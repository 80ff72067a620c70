// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.DirectPath;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Epoch;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.link.Tap;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.ActorTimer;
import org.jspecify.annotations.Nullable;

/** The fabric as an actor: carries packets between attached endpoints. */
public final class FabricActor extends ExtensibleBehavior<FabricActor.Command> {
    /** Commands of the fabric. */
    public sealed interface Command {}

    /** Commands that close every {@link DirectPath}. */
    public sealed interface Change extends Command {}

    /** @see FabricReference#tell */
    record Announced(Change change) implements Command {}

    /** @see FabricReference#send */
    record Transmit(Endpoint from, Packet[] batch, long[] causes, long[] otherCauses) implements Command {}

    public record Attach(Endpoint endpoint) implements Change {}

    public record Detach(Endpoint endpoint) implements Change {}

    /**
     * Creates a port, or replaces its link.
     *
     * @param management queue pair 1 of a new port, if it has one
     */
    public record PlugPort(String name, PortAddress address, LinkProperties link, Optional<Endpoint> management)
            implements Change {
        /** Creates the command for a port without queue pair 1, or for another link. */
        public PlugPort(String name, PortAddress address, LinkProperties link) {
            this(name, address, link, Optional.empty());
        }
    }

    /**
     * Creates the border of the fabric, or replaces its link ({@link Switchboard#border}).
     *
     * @param groups datagrams to multicast groups leave there, too
     */
    public record PlugBorder(String name, Endpoint end, LinkProperties link, boolean groups) implements Change {
        /** Creates the command for a border that multicast groups do not cross. */
        public PlugBorder(String name, Endpoint end, LinkProperties link) {
            this(name, end, link, false);
        }
    }

    /**
     * A packet from the border that came in with a wrong ICRC. Takes one of its credits.
     *
     * @param frame from the Ethernet header on
     */
    public record EnterDamaged(Endpoint border, Packet packet, Octets frame) implements Command {}

    /**
     * A packet that reached the border did not leave.
     *
     * @param cause event of its arrival there
     */
    public record NotSent(Packet packet, String reason, long cause) implements Command {}

    /** Replaces the addresses of a port. */
    public record Addresses(PortAddress portAddress, List<PortAddress> all) implements Change {}

    /** Removes a port; its addresses are free. */
    public record RemovePort(PortAddress address) implements Change {}

    /** Sets whether the link of a port is up. */
    public record Plugged(PortAddress address, boolean up) implements Change {}

    /** @param blockLoopback the endpoint does not receive its own datagrams */
    public record Join(PortAddress group, Endpoint endpoint, boolean blockLoopback) implements Command {}

    /** @param done receives whether the endpoint was a member */
    public record Leave(PortAddress group, Endpoint endpoint, Consumer<Boolean> done) implements Command {}

    public record Intercept(Interceptor interceptor) implements Change {}

    public record AddTap(Tap tap) implements Change {}

    public record RemoveTap(Tap tap) implements Command {}

    enum Due implements Command {
        NOW
    }

    private final Switchboard switchboard;
    private final Epoch epoch;
    private final LongSupplier clock;
    private final ActorTimer<Command> alarm;

    /** Command in progress, null between two. An unknown message crashes the actor as well, but then nothing is lost. */
    private @Nullable Command current;

    private FabricActor(Switchboard switchboard, Epoch epoch, LongSupplier clock, ActorTimer<Command> alarm) {
        this.switchboard = switchboard;
        this.epoch = epoch;
        this.clock = clock;
        this.alarm = alarm;
    }

    /**
     * Creates the behavior.
     *
     * @param exceptionHandler receives exceptions of interceptors and taps, on the fabric's thread
     * @param epoch of the fabric, shared with its {@link FabricReference}
     * @param opened receives a function that counts the attached endpoints by port name; call it only while the fabric is at
     *     rest
     */
    public static Behavior<Command> create(
            FabricLimits limits,
            TraceSink trace,
            LongSupplier clock,
            Consumer<Throwable> exceptionHandler,
            Epoch epoch,
            Consumer<Supplier<Map<String, Integer>>> opened) {
        List<FabricActor> made = new ArrayList<>(1);
        return Behaviors.supervise(Behaviors.<Command>setup(context -> {
                    if (made.isEmpty()) {
                        Switchboard switchboard = new Switchboard(limits, trace, exceptionHandler, epoch);
                        opened.accept(switchboard::endpoints);
                        made.add(new FabricActor(switchboard, epoch, clock, new ActorTimer<>(context, Due.NOW)));
                    } else {
                        made.getFirst().crashed();
                    }
                    return made.getFirst();
                }))
                .onFailure(Throwable.class, SupervisorStrategy.restart());
    }

    /**
     * Packets that were being sent are lost, as on a wire; their sender gets its credits back, and packets in flight continue.
     */
    private void crashed() {
        if (current != null) {
            lost(current);
            current = null;
        }
        alarm.arm(clock.getAsLong(), switchboard.nextDeadline());
    }

    /** Completes commands whose end is awaited; the others need no notification. */
    private void lost(Command command) {
        switch (command) {
            case Transmit t -> switchboard.lost(t.from, t.batch);
            case Leave l -> l.done.accept(false);
            case Announced a -> {}
            case Change c -> {}
            case Join j -> {}
            case EnterDamaged e -> switchboard.lostDamaged(e.border);
            case NotSent n -> {}
            case RemoveTap t -> {}
            case Due due -> {}
        }
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> context, Command command) {
        current = command;
        if (command instanceof Transmit t && switchboard.forwarded(t.from, t.batch)) {
            current = null;
            return Behaviors.same();
        }
        long now = clock.getAsLong();
        handle(command, now);
        // Carried packets are not lost if setting the timer fails.
        current = null;
        alarm.arm(now, switchboard.nextDeadline());
        return Behaviors.same();
    }

    private void handle(Command command, long now) {
        switch (command) {
            case Transmit t -> switchboard.carry(t.from, t.batch, t.causes, t.otherCauses, now);
            case Announced a -> {
                epoch.arrived();
                make(a.change);
            }
            case Change c -> make(c);
            case Join j -> switchboard.join(j.group, j.endpoint, j.blockLoopback);
            case Leave l -> l.done.accept(switchboard.leave(l.group, l.endpoint));
            case RemoveTap t -> switchboard.untap(t.tap);
            case EnterDamaged e -> switchboard.enterDamaged(e.border, e.packet, e.frame, now);
            case NotSent n -> switchboard.notSent(n.packet, n.reason, n.cause, now);
            case Due due -> {
                alarm.fired();
                switchboard.advance(now);
            }
        }
    }

    private void make(Change change) {
        switch (change) {
            case Attach a -> switchboard.attach(a.endpoint);
            case Detach d -> switchboard.detach(d.endpoint);
            case PlugPort p -> {
                switchboard.port(p.name, p.address, p.link);
                p.management.ifPresent(switchboard::attach);
            }
            case PlugBorder p -> {
                switchboard.border(p.name, p.end, p.link);
                if (p.groups) {
                    switchboard.groupsLeave(p.end);
                }
            }
            case Addresses a -> switchboard.addresses(a.portAddress, a.all);
            case Plugged p -> switchboard.plugged(p.address, p.up);
            case RemovePort p -> switchboard.removePort(p.address);
            case Intercept i -> switchboard.intercept(i.interceptor);
            case AddTap t -> switchboard.tap(t.tap);
        }
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> context, Signal signal) {
        return Behaviors.unhandled();
    }
}
