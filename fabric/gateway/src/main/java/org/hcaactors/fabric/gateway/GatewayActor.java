// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.gateway.Gateway.Side;

/** Owner of a gateway: starts its threads, again if one fails, and closes it at its own end. */
public final class GatewayActor {
    /** Time before a failed thread is started again: a failure that persists must not take a whole core. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Commands of the gateway. */
    public sealed interface Command {}

    private record Failed(Side side, Throwable thrown) implements Command {}

    private record Restart(Side side) implements Command {}

    private GatewayActor() {}

    /**
     * Creates the behavior.
     *
     * @param clock nanoseconds, never going back
     * @param handing runs an action that hands a few packets to the fabric, and may run on the same thread what it makes ready
     */
    public static Behavior<Command> create(
            Gateway gateway, FabricReference fabric, LongSupplier clock, Executor handing) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            ActorRef<Command> self = context.getSelf();
            gateway.start(fabric, clock, handing, (side, thrown) -> self.tell(new Failed(side, thrown)));
            return running(gateway, context, timers);
        }));
    }

    private static Behavior<Command> running(
            Gateway gateway, ActorContext<Command> context, TimerScheduler<Command> timers) {
        return Behaviors.receive(Command.class)
                .onMessage(Failed.class, failed -> {
                    context.getLog()
                            .error("the {} of the cable failed and is started again", failed.side, failed.thrown);
                    timers.startSingleTimer(failed.side, new Restart(failed.side), PAUSE);
                    return Behaviors.same();
                })
                .onMessage(Restart.class, restart -> {
                    gateway.restart(restart.side);
                    return Behaviors.same();
                })
                .onSignal(PostStop.class, stopped -> {
                    gateway.close();
                    return Behaviors.same();
                })
                .build();
    }
}
