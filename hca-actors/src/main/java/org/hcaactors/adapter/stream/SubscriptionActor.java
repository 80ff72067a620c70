// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ExtensibleBehavior;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber of one stream: the only place where the subscriber's code runs, so that a slow one stalls nobody else.
 *
 * @param <G> what the upstream grants in one message
 */
public final class SubscriptionActor<G extends Elements<?>> extends ExtensibleBehavior<SubscriptionActor.Command<G>> {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionActor.class);

    /** What a subscription understands. */
    public sealed interface Command<G> {}

    /** Elements that were asked for. */
    public record Granted<G>(G elements) implements Command<G> {}

    /** The stream ended by failing. */
    public record Failed<G>(Throwable why) implements Command<G> {}

    /** The stream ended. */
    public record Ended<G>() implements Command<G> {}

    private record Started<G>() implements Command<G> {}

    private record Requested<G>(long count) implements Command<G> {}

    /** Nothing more will be granted, because the subscriber cancelled. */
    public record Closed<G>() implements Command<G> {}

    private final ActorRef<Command<G>> self;
    private final int number;
    private final Consumer<Poll<G>> upstream;
    private final Outlet<? super G> outlet;
    private final Subscription subscription = new Subscription();

    /** Where the owner reads how far this is, if it would rather look than be told what returned. */
    private final @Nullable HandedOut handedOut;

    private long asked;
    private int returned;
    private boolean over;

    /** Set from any thread; what is granted afterwards is held and given back. */
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private int held;

    /** The thread of the turn that is running; calls from it need no message. */
    private @Nullable Thread turn;

    private SubscriptionActor(
            ActorRef<Command<G>> self,
            int number,
            Consumer<Poll<G>> upstream,
            Outlet<? super G> outlet,
            @Nullable HandedOut handedOut) {
        this.handedOut = handedOut;
        this.self = self;
        this.number = number;
        this.upstream = upstream;
        this.outlet = outlet;
    }

    /**
     * @param number which subscription of the polled actor this is
     * @param upstream tells that actor; called from any thread
     * @param handedOut where to count what the subscriber was handed; null: the actor is told what has returned
     */
    public static <G extends Elements<?>> Behavior<Command<G>> create(
            int number, Consumer<Poll<G>> upstream, Outlet<? super G> outlet, @Nullable HandedOut handedOut) {
        return Behaviors.setup(context -> {
            context.getSelf().tell(new Started<>());
            return new SubscriptionActor<>(context.getSelf(), number, upstream, outlet, handedOut);
        });
    }

    @Override
    public Behavior<Command<G>> receive(TypedActorContext<Command<G>> context, Command<G> command) {
        turn = Thread.currentThread();
        try {
            on(command);
        } finally {
            turn = null;
        }
        return over ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<Command<G>> receiveSignal(TypedActorContext<Command<G>> context, Signal signal) {
        return Behaviors.unhandled();
    }

    private void on(Command<G> command) {
        switch (command) {
            case Granted<G> granted -> deliver(granted);
            case Requested<G> more -> subscription.ask(more.count);
            case Started<G> started -> guarded(() -> outlet.opened(subscription));
            case Closed<G> closed -> {
                over = true;
                upstream.accept(new Poll.Returned<>(number, held, returned));
            }
            case Failed<G> failed -> {
                over = true;
                guarded(() -> outlet.failed(failed.why));
            }
            case Ended<G> ended -> {
                over = true;
                guarded(outlet::over);
            }
        }
        if (!cancelled.get() && !over && (asked > 0 || returned > 0)) {
            upstream.accept(new Poll.Demanded<>(number, asked, returned));
            asked = 0;
            returned = 0;
        }
    }

    private void deliver(Granted<G> granted) {
        G elements = granted.elements;
        int size = elements.size();
        for (int i = 0; i < size; i++) {
            if (cancelled.get()) {
                held += size - i;
                return;
            }
            if (!handOut(elements, i)) {
                more(1);
            }
            returned += handedOut == null ? 1 : 0;
        }
    }

    /** As polling on hardware: the element's place is free before the subscriber, who may post again, has it. */
    private boolean handOut(G elements, int index) {
        if (handedOut != null) {
            handedOut.handsOut();
        }
        try {
            return outlet.hand(elements, index);
        } catch (Throwable thrown) {
            cancelFor(thrown);
            return true;
        }
    }

    private void more(long count) {
        asked = asked + count < 0 ? Long.MAX_VALUE : asked + count;
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            cancelFor(thrown);
        }
    }

    /** Whatever it throws: in Kotlin that may be a checked exception, too. */
    private void cancelFor(Throwable thrown) {
        LOG.warn("a subscriber threw; its subscription is cancelled", thrown);
        subscription.cancel();
    }

    private final class Subscription implements Flow.Subscription {
        @Override
        public void request(long count) {
            if (Thread.currentThread() == turn) {
                ask(count);
            } else {
                self.tell(new Requested<>(count));
            }
        }

        @Override
        public void cancel() {
            if (cancelled.compareAndSet(false, true)) {
                upstream.accept(new Poll.Cancelled<>(number));
            }
        }

        private void ask(long count) {
            if (count > 0) {
                more(count);
            } else if (!cancelled.get()) {
                cancel();
                outlet.failed(new IllegalArgumentException(
                        "request(" + count + "); only a positive number can be asked for (Reactive Streams 3.9)"));
            }
        }
    }
}
