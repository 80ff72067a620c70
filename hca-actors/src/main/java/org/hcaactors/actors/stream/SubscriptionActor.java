// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stream;

import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.HandedOutCount;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.jspecify.annotations.Nullable;

/**
 * Serves one subscriber of one stream on a thread of its own choice: its code runs here and nowhere else, so that a slow one
 * stalls nobody else.
 *
 * @param <G> what the upstream grants in one message
 */
public final class SubscriptionActor<G extends GrantedElements<?>>
        extends ExtensibleBehavior<SubscriptionActor.Command<G>> {
    /** What a subscription understands. */
    public sealed interface Command<G> {}

    /** Elements that were asked for. */
    public record Granted<G>(G elements) implements Command<G> {}

    /** The stream ended by failing. */
    public record Failed<G>(Throwable reason) implements Command<G> {}

    /** The stream ended. */
    public record Ended<G>() implements Command<G> {}

    record Started<G>() implements Command<G> {}

    record Requested<G>(long count) implements Command<G> {}

    /** Nothing more will be granted, because the subscriber cancelled. */
    public record Closed<G>() implements Command<G> {}

    private final Delivery<G> delivery;

    private SubscriptionActor(Delivery<G> delivery) {
        this.delivery = delivery;
    }

    /**
     * @param stream its name, for the log
     * @param number which subscription of the polled actor this is
     * @param upstream tells that actor; called from any thread
     * @param handedOut where to count what the subscriber was handed; null: the actor is told what has returned
     * @param callers whose code the subscriber is
     */
    public static <G extends GrantedElements<?>> Behavior<Command<G>> create(
            String stream,
            int number,
            Consumer<PollCommand<G>> upstream,
            Outlet<? super G> outlet,
            @Nullable HandedOutCount handedOut,
            Callers callers) {
        return Behaviors.setup(context -> {
            ActorRef<Command<G>> self = context.getSelf();
            self.tell(new Started<>());
            return new SubscriptionActor<>(new Delivery<>(
                    stream, number, upstream, outlet, handedOut, count -> self.tell(new Requested<>(count)), callers));
        });
    }

    @Override
    public Behavior<Command<G>> receive(TypedActorContext<Command<G>> context, Command<G> command) {
        delivery.take(command);
        delivery.tellDemand();
        return delivery.isOver() ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<Command<G>> receiveSignal(TypedActorContext<Command<G>> context, Signal signal) {
        return Behaviors.unhandled();
    }
}
