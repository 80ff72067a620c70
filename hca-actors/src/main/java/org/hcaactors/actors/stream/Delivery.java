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
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.HandedOutCount;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber of one stream: what it asks for, what it is handed, and how that ends. It belongs to the actor that serves it,
 * but for the calls that a subscriber may make from any thread.
 *
 * @param <G> what the upstream grants in one message
 */
final class Delivery<G extends GrantedElements<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final String stream;
    private final int number;
    private final Consumer<PollCommand<G>> upstream;
    private final Outlet<? super G> outlet;
    private final LongConsumer elsewhere;
    private final Callers callers;
    private final Subscription subscription = new Subscription();

    /** Where the owner reads how far this is, if it would rather look than be told what returned. */
    private final @Nullable HandedOutCount handedOut;

    private long asked;
    private int returned;
    private boolean over;

    /** Set from any thread; what is granted afterwards is held and given back. */
    private final AtomicBoolean cancelled = new AtomicBoolean();

    private int held;

    /** The thread of the turn that is running; calls from it need no message. */
    private @Nullable Thread turn;

    /**
     * @param stream its name, for the log
     * @param number which subscription of the polled actor this is
     * @param upstream tells that actor; called from any thread
     * @param handedOut where to count what the subscriber was handed; null: the actor is told what has returned
     * @param elsewhere takes what is asked for outside of a turn, to bring it into one; called from any thread
     * @param callers whose code the subscriber is
     */
    Delivery(
            String stream,
            int number,
            Consumer<PollCommand<G>> upstream,
            Outlet<? super G> outlet,
            @Nullable HandedOutCount handedOut,
            LongConsumer elsewhere,
            Callers callers) {
        this.stream = stream;
        this.number = number;
        this.upstream = upstream;
        this.outlet = outlet;
        this.handedOut = handedOut;
        this.elsewhere = elsewhere;
        this.callers = callers;
    }

    /** A turn of it. */
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

    /** Nothing is to come any more. */
    boolean isOver() {
        return over;
    }

    /** Elements that were asked for in the turns since the last call; none once it was cancelled. */
    long takeAsked() {
        long taken = wantsMore() ? asked : 0;
        asked -= taken;
        return taken;
    }

    /** Tells the owner what was asked for, and what has returned. */
    void tellDemand() {
        if (wantsMore() && (asked > 0 || returned > 0)) {
            upstream.accept(new PollCommand.Demanded<>(number, asked, returned));
            asked = 0;
            returned = 0;
        }
    }

    private boolean wantsMore() {
        return !cancelled.get() && !over;
    }

    private void on(Command<G> command) {
        switch (command) {
            case Granted<G> granted -> deliver(granted.elements());
            case Requested<G> more -> subscription.ask(more.count());
            case Started<G> started -> guarded(() -> outlet.opened(subscription));
            case Closed<G> closed -> {
                over = true;
                upstream.accept(new PollCommand.Returned<>(number, held, returned));
            }
            case Failed<G> failed -> {
                over = true;
                guarded(() -> outlet.failed(failed.reason()));
            }
            case Ended<G> ended -> {
                over = true;
                guarded(outlet::over);
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
            if (!handOut(elements, i)) {
                more(1);
            }
            returned += handedOut == null ? 1 : 0;
        }
    }

    // rule completion-killed
    /** As polling on hardware: the element's place is free before the subscriber, who may post again, has it. The dead are handed nothing. */
    private boolean handOut(G elements, int index) {
        if (handedOut != null) {
            handedOut.handsOut();
        }
        if (callers.areKilled()) {
            return true;
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

    // rule completion-subscriber-throws
    /** Whatever it throws: in Kotlin that may be a checked exception, too. */
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
                ask(count);
            } else {
                elsewhere.accept(count);
            }
        }

        @Override
        public void cancel() {
            if (cancelled.compareAndSet(false, true)) {
                upstream.accept(new PollCommand.Cancelled<>(number));
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
