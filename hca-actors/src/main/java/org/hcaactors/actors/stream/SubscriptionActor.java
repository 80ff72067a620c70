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
import org.hcaactors.adapter.stream.DeliveredCount;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.jspecify.annotations.Nullable;

/**
 * Actor that serves one subscriber of one stream on a dispatcher of its own, so that a slow subscriber delays no other code.
 *
 * @param <G> a batch of granted elements
 */
public final class SubscriptionActor<G extends GrantedElements<?>>
        extends ExtensibleBehavior<SubscriptionActor.Command<G>> {
    /** Commands of a subscription. */
    public sealed interface Command<G> {}

    /** Delivers requested elements. */
    public record Granted<G>(G elements) implements Command<G> {}

    /** The stream failed. */
    public record Failed<G>(Throwable reason) implements Command<G> {}

    /** The stream completed. */
    public record Ended<G>() implements Command<G> {}

    record Started<G>() implements Command<G> {}

    record Requested<G>(long count) implements Command<G> {}

    /** No more elements are granted, because the subscriber cancelled. */
    public record Closed<G>() implements Command<G> {}

    private final Delivery<G> delivery;

    private SubscriptionActor(Delivery<G> delivery) {
        this.delivery = delivery;
    }

    /**
     * @param stream its name, for the log
     * @param number sequence number of this subscription of the polled actor
     * @param upstream sends messages to that actor; any thread
     * @param handedOut counts elements handed to the subscriber; null: the actor receives messages about returned elements
     * @param callers owner of the subscriber's code
     */
    public static <G extends GrantedElements<?>> Behavior<Command<G>> create(
            String stream,
            int number,
            Consumer<PollCommand<G>> upstream,
            Outlet<? super G> outlet,
            @Nullable DeliveredCount handedOut,
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
        delivery.reportDemand();
        return delivery.hasEnded() ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<Command<G>> receiveSignal(TypedActorContext<Command<G>> context, Signal signal) {
        return Behaviors.unhandled();
    }
}
