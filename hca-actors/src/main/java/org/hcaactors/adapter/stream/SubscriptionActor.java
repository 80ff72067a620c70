package org.hcaactors.adapter.stream;

import java.util.ArrayList;
import java.util.List;
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

    /** Elements that were asked for. */
    public record Granted<E>(E[] elements) implements Command<E> {}

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

    /** Where the owner reads how many were taken, if it would rather look than be told. */
    private final @Nullable AtomicLong taken;

    private long takenSoFar;
    private long asked;
    private int freed;
    private boolean over;

    /** Set from any thread; what is granted afterwards is held and given back. */
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private final List<E> held = new ArrayList<>();

    /** The thread of the turn that is running; calls from it need no message. */
    private @Nullable Thread turn;

    private SubscriptionActor(
            ActorRef<Command<E>> self,
            int number,
            Consumer<Poll<E>> upstream,
            Flow.Subscriber<? super E> subscriber,
            @Nullable AtomicLong taken) {
        this.taken = taken;
        this.self = self;
        this.number = number;
        this.upstream = upstream;
        this.subscriber = subscriber;
    }

    /**
     * @param number which subscription of the polled actor this is
     * @param upstream tells that actor; called from any thread
     * @param taken where to count what the subscriber has taken; null: it is told with the demand
     */
    public static <E> Behavior<Command<E>> create(
            int number, Consumer<Poll<E>> upstream, Flow.Subscriber<? super E> subscriber, @Nullable AtomicLong taken) {
        return Behaviors.setup(context -> {
            context.getSelf().tell(new Started<>());
            return new SubscriptionActor<>(context.getSelf(), number, upstream, subscriber, taken);
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
            case Granted<E> granted -> deliver(granted.elements);
            case Requested<E> more -> subscription.ask(more.count);
            case Started<E> started -> guarded(() -> subscriber.onSubscribe(subscription));
            case Closed<E> closed -> {
                over = true;
                upstream.accept(new Poll.Returned<>(number, held, freed));
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
        if (!cancelled.get() && !over && (asked > 0 || freed > 0)) {
            upstream.accept(new Poll.Demanded<>(number, asked, freed));
            asked = 0;
            freed = 0;
        }
    }

    private void deliver(E[] elements) {
        for (E element : elements) {
            if (cancelled.get()) {
                held.add(element);
                continue;
            }
            try {
                subscriber.onNext(element);
            } catch (RuntimeException | Error thrown) {
                cancelFor(thrown);
            }
            took();
        }
    }

    private void took() {
        if (taken == null) {
            freed++;
        } else {
            taken.setRelease(++takenSoFar);
        }
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error thrown) {
            cancelFor(thrown);
        }
    }

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
                asked = asked + count < 0 ? Long.MAX_VALUE : asked + count;
            } else if (!cancelled.get()) {
                cancel();
                subscriber.onError(new IllegalArgumentException(
                        "request(" + count + "); only a positive number can be asked for (Reactive Streams 3.9)"));
            }
        }
    }
}
