// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
 * @param <E> what the upstream hands over
 */
public final class SubscriptionActor<E> extends ExtensibleBehavior<SubscriptionActor.Command<E>> {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionActor.class);

    /** What a subscription understands. */
    public sealed interface Command<E> {}

    /**
     * Elements that were asked for.
     *
     * @param receipt asked before each is handed out
     */
    public record Granted<E>(E[] elements, Receipt<E> receipt) implements Command<E> {}

    /** The stream ended by failing. */
    public record Failed<E>(Throwable why) implements Command<E> {}

    /** The stream ended. */
    public record Ended<E>() implements Command<E> {}

    private record Started<E>() implements Command<E> {}

    private record Requested<E>(long count) implements Command<E> {}

    /** Nothing more will be granted, because the subscriber cancelled. */
    public record Closed<E>() implements Command<E> {}

    private final ActorRef<Command<E>> self;
    private final int number;
    private final Consumer<Poll<E>> upstream;
    private final Flow.Subscriber<? super E> subscriber;
    private final Subscription subscription = new Subscription();

    /** Where the owner reads how many were handed out, if it would rather look than be told what returned. */
    private final @Nullable AtomicLong handedOut;

    private long handedOutSoFar;
    private long asked;
    private int returned;
    private boolean over;

    /** Set from any thread; what is granted afterwards is held and given back. */
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private int held;

    /** The thread of the turn that is running; calls from it need no message. */
    private @Nullable Thread turn;

    private SubscriptionActor(
            ActorRef<Command<E>> self,
            int number,
            Consumer<Poll<E>> upstream,
            Flow.Subscriber<? super E> subscriber,
            @Nullable AtomicLong handedOut) {
        this.handedOut = handedOut;
        this.self = self;
        this.number = number;
        this.upstream = upstream;
        this.subscriber = subscriber;
    }

    /**
     * @param number which subscription of the polled actor this is
     * @param upstream tells that actor; called from any thread
     * @param handedOut where to count what the subscriber was handed; null: the actor is told what has returned
     */
    public static <E> Behavior<Command<E>> create(
            int number,
            Consumer<Poll<E>> upstream,
            Flow.Subscriber<? super E> subscriber,
            @Nullable AtomicLong handedOut) {
        return Behaviors.setup(context -> {
            context.getSelf().tell(new Started<>());
            return new SubscriptionActor<>(context.getSelf(), number, upstream, subscriber, handedOut);
        });
    }

    @Override
    public Behavior<Command<E>> receive(TypedActorContext<Command<E>> context, Command<E> command) {
        turn = Thread.currentThread();
        try {
            on(command);
        } finally {
            turn = null;
        }
        return over ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<Command<E>> receiveSignal(TypedActorContext<Command<E>> context, Signal signal) {
        return Behaviors.unhandled();
    }

    private void on(Command<E> command) {
        switch (command) {
            case Granted<E> granted -> deliver(granted);
            case Requested<E> more -> subscription.ask(more.count);
            case Started<E> started -> guarded(() -> subscriber.onSubscribe(subscription));
            case Closed<E> closed -> {
                over = true;
                upstream.accept(new Poll.Returned<>(number, held, returned));
            }
            case Failed<E> failed -> {
                over = true;
                guarded(() -> subscriber.onError(failed.why));
            }
            case Ended<E> ended -> {
                over = true;
                guarded(subscriber::onComplete);
            }
        }
        if (!cancelled.get() && !over && (asked > 0 || returned > 0)) {
            upstream.accept(new Poll.Demanded<>(number, asked, returned));
            asked = 0;
            returned = 0;
        }
    }

    private void deliver(Granted<E> granted) {
        E[] elements = granted.elements;
        for (int i = 0; i < elements.length; i++) {
            if (cancelled.get()) {
                held += elements.length - i;
                return;
            }
            E element = handOut(granted.receipt, i, elements[i]);
            if (element != null) {
                deliver(element);
            } else {
                more(1);
            }
            returned += handedOut == null ? 1 : 0;
        }
    }

    private void deliver(E element) {
        try {
            subscriber.onNext(element);
        } catch (Throwable thrown) {
            cancelFor(thrown);
        }
    }

    /** As polling on hardware: the element's place is free before the subscriber, who may post again, has it. */
    private @Nullable E handOut(Receipt<E> receipt, int index, E element) {
        if (handedOut != null) {
            handedOut.setRelease(++handedOutSoFar);
        }
        return receipt.handOut(index, element);
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
                subscriber.onError(new IllegalArgumentException(
                        "request(" + count + "); only a positive number can be asked for (Reactive Streams 3.9)"));
            }
        }
    }
}
