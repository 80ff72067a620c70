// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.time.Alarm;
import org.jspecify.annotations.Nullable;

/** The fabric as an actor: carries packets between the endpoints that attached, and nothing else. */
public final class FabricActor extends ExtensibleBehavior<FabricActor.Command> {
    /** What the fabric understands. */
    public sealed interface Command {}

    /**
     * Packets on their way, at most {@link Switchboard#MAX_TRAIN} and never none.
     *
     * @param causes the event behind each packet, or empty where nothing is traced
     * @param otherCauses a second one each, 0 for none; for a packet that is sent again, why
     */
    public record Transmit(Endpoint from, Packet[] train, long[] causes, long[] otherCauses) implements Command {}

    public record Attach(Endpoint endpoint) implements Command {}

    public record Detach(Endpoint endpoint) implements Command {}

    /** Makes a port, or gives it another cable. */
    public record PlugPort(String name, PortAddress address, LinkProperties link) implements Command {}

    /** The port answers to these addresses, and to no others. */
    public record Addresses(PortAddress known, List<PortAddress> all) implements Command {}

    /** The cable of a port is plugged in, or pulled. */
    public record Plugged(PortAddress address, boolean up) implements Command {}

    /** @param blockOwn the endpoint does not get its own datagrams */
    public record Join(PortAddress group, Endpoint endpoint, boolean blockOwn) implements Command {}

    /** @param done told whether the endpoint took part */
    public record Leave(PortAddress group, Endpoint endpoint, Consumer<Boolean> done) implements Command {}

    public record Intercept(Interceptor interceptor) implements Command {}

    public record AddTap(Tap tap) implements Command {}

    public record RemoveTap(Tap tap) implements Command {}

    private enum Due implements Command {
        NOW
    }

    private final Switchboard switchboard;
    private final LongSupplier clock;
    private final Alarm<Command> alarm;
    private @Nullable Command current;

    private FabricActor(Switchboard switchboard, LongSupplier clock, Alarm<Command> alarm) {
        this.switchboard = switchboard;
        this.clock = clock;
        this.alarm = alarm;
    }

    /**
     * @param complaints takes what interceptors and taps throw, on the fabric's thread
     * @param opened given what counts the endpoints that are attached, by the name of their port; to be asked while the
     *     fabric is at rest
     */
    public static Behavior<Command> create(
            FabricLimits limits,
            TraceSink trace,
            LongSupplier clock,
            Consumer<Throwable> complaints,
            Consumer<Supplier<Map<String, Integer>>> opened) {
        List<FabricActor> made = new ArrayList<>(1);
        return Behaviors.supervise(Behaviors.<Command>setup(context -> {
                    if (made.isEmpty()) {
                        Switchboard switchboard = new Switchboard(limits, trace, complaints);
                        opened.accept(switchboard::endpoints);
                        made.add(new FabricActor(switchboard, clock, new Alarm<>(context, Due.NOW)));
                    } else {
                        made.getFirst().crashed();
                    }
                    return made.getFirst();
                }))
                .onFailure(Throwable.class, SupervisorStrategy.restart());
    }

    /** What was being sent is lost, as on any wire; its sender gets its credit back, and what is under way goes on. */
    private void crashed() {
        if (current != null) {
            lost(current);
            current = null;
        }
        alarm.arm(clock.getAsLong(), switchboard.nextDeadline());
    }

    /** Someone waits for the end of some commands; of the others nobody is told. */
    private static void lost(Command command) {
        switch (command) {
            case Transmit t -> t.from.left(t.train.length);
            case Leave l -> l.done.accept(false);
            case Attach a -> {}
            case Detach d -> {}
            case PlugPort p -> {}
            case Addresses a -> {}
            case Plugged p -> {}
            case Join j -> {}
            case Intercept i -> {}
            case AddTap t -> {}
            case RemoveTap t -> {}
            case Due due -> {}
        }
    }

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> context, Command command) {
        current = command;
        if (command instanceof Transmit t && switchboard.forwarded(t.from, t.train)) {
            return Behaviors.same();
        }
        long now = clock.getAsLong();
        switch (command) {
            case Transmit t -> switchboard.carry(t.from, t.train, t.causes, t.otherCauses, now);
            case Attach a -> switchboard.attach(a.endpoint);
            case Detach d -> switchboard.detach(d.endpoint);
            case PlugPort p -> switchboard.port(p.name, p.address, p.link);
            case Addresses a -> switchboard.addresses(a.known, a.all);
            case Plugged p -> switchboard.plugged(p.address, p.up);
            case Join j -> switchboard.join(j.group, j.endpoint, j.blockOwn);
            case Leave l -> l.done.accept(switchboard.leave(l.group, l.endpoint));
            case Intercept i -> switchboard.intercept(i.interceptor);
            case AddTap t -> switchboard.tap(t.tap);
            case RemoveTap t -> switchboard.untap(t.tap);
            case Due due -> {
                alarm.fired();
                switchboard.advance(now);
            }
        }
        alarm.arm(now, switchboard.nextDeadline());
        return Behaviors.same();
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> context, Signal signal) {
        return Behaviors.unhandled();
    }
}
