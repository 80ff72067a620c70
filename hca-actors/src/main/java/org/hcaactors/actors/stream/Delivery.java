// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stream;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stream.SubscriptionActor.Closed;
import org.hcaactors.actors.stream.SubscriptionActor.Command;
import org.hcaactors.actors.stream.SubscriptionActor.Ended;
import org.hcaactors.actors.stream.SubscriptionActor.Failed;
import org.hcaactors.actors.stream.SubscriptionActor.Granted;
import org.hcaactors.actors.stream.SubscriptionActor.Requested;
import org.hcaactors.actors.stream.SubscriptionActor.Started;
import org.hcaactors.adapter.stream.DeliveredCount;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery to one subscriber of one stream: its demand, the elements handed to it, and its end. Used by the actor that serves
 * it; the subscriber may call its subscription from any thread.
 *
 * @param <G> a batch of granted elements
 */
final class Delivery<G extends GrantedElements<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final String stream;
    private final int number;
    private final Consumer<PollCommand<G>> upstream;
    private final Outlet<? super G> outlet;
    private final LongConsumer onDemand;
    private final Callers callers;
    private final Subscription subscription = new Subscription();

    /** Count of elements handed out, if the owner reads it instead of receiving messages about returned elements. */
    private final @Nullable DeliveredCount delivered;

    private long demand;
    private int returned;
    private boolean streamEnded;

    /** Set from any thread; elements granted afterwards are kept and returned. */
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private int held;

    /** Thread of the current turn; calls on it need no message. */
    private @Nullable Thread turn;

    /**
     * @param stream its name, for the log
     * @param number sequence number of this subscription of the polled actor
     * @param upstream sends messages to that actor; any thread
     * @param delivered counts elements handed to the subscriber; null: the actor receives messages about returned elements
     * @param onDemand receives demand from outside a turn, to handle it in one; any thread
     * @param callers owner of the subscriber's code
     */
    Delivery(
            String stream,
            int number,
            Consumer<PollCommand<G>> upstream,
            Outlet<? super G> outlet,
            @Nullable DeliveredCount delivered,
            LongConsumer onDemand,
            Callers callers) {
        this.stream = stream;
        this.number = number;
        this.upstream = upstream;
        this.outlet = outlet;
        this.delivered = delivered;
        this.onDemand = onDemand;
        this.callers = callers;
    }

    /** Handles one command as a turn. */
    void take(Command<G> command) {
        turn = Thread.currentThread();
        callers.calls().begins();
        try {
            on(command);
        } finally {
            callers.calls().ends();
            turn = null;
        }
    }

    /** True if the stream is over. */
    boolean hasEnded() {
        return streamEnded;
    }

    /** Returns the demand of the turns since the last call; 0 once the subscription is cancelled. */
    long takeDemand() {
        long requested = isActive() ? demand : 0;
        demand -= requested;
        return requested;
    }

    /** Reports demand and returned elements to the owner. */
    void reportDemand() {
        if (isActive() && (demand > 0 || returned > 0)) {
            upstream.accept(new PollCommand.Demanded<>(number, demand, returned));
            demand = 0;
            returned = 0;
        }
    }

    private boolean isActive() {
        return !cancelled.get() && !streamEnded;
    }

    private void on(Command<G> command) {
        switch (command) {
            case Granted<G> granted -> deliver(granted.elements());
            case Requested<G> more -> subscription.addDemand(more.count());
            case Started<G> started -> guarded(() -> outlet.opened(subscription));
            case Closed<G> closed -> {
                streamEnded = true;
                upstream.accept(new PollCommand.Returned<>(number, held, returned));
            }
            case Failed<G> failed -> {
                streamEnded = true;
                guarded(() -> outlet.failed(failed.reason()));
            }
            case Ended<G> ended -> {
                streamEnded = true;
                guarded(outlet::completed);
            }
        }
    }

    private void deliver(G elements) {
        int size = elements.size();
        for (int i = 0; i < size; i++) {
            if (cancelled.get()) {
                held += size - i;
                return;
            }
            if (!deliverOne(elements, i)) {
                more(1);
            }
            returned += delivered == null ? 1 : 0;
        }
    }

    // rule completion-killed
    /**
     * As with polling on hardware: the element's slot is free before the subscriber gets the element, so that it can post
     * again. A killed process gets no elements.
     */
    private boolean deliverOne(G elements, int index) {
        if (delivered != null) {
            delivered.increment();
        }
        if (callers.areKilled()) {
            return true;
        }
        try {
            return outlet.deliver(elements, index);
        } catch (Throwable thrown) {
            cancelFor(thrown);
            return true;
        }
    }

    private void more(long count) {
        demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            cancelFor(thrown);
        }
    }

    // rule completion-subscriber-throws
    /** Catches Throwable: Kotlin code may throw checked exceptions. */
    private void cancelFor(Throwable thrown) {
        LOG.warn("the subscriber of {} threw; its subscription is cancelled", stream, thrown);
        subscription.cancel();
        if (!callers.areKilled()) {
            outlet.threw(thrown);
        }
    }

    private final class Subscription implements Flow.Subscription {
        @Override
        public void request(long count) {
            if (Thread.currentThread() == turn) {
                addDemand(count);
            } else {
                onDemand.accept(count);
            }
        }

        @Override
        public void cancel() {
            if (cancelled.compareAndSet(false, true)) {
                upstream.accept(new PollCommand.Cancelled<>(number));
            }
        }

        private void addDemand(long count) {
            if (count > 0) {
                more(count);
            } else if (!cancelled.get()) {
                cancel();
                outlet.failed(new IllegalArgumentException(
                        "request(" + count + ") is not allowed; only a positive number is (Reactive Streams 3.9)"));
            }
        }
    }
}
