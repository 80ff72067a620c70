// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** Takes the completions out of a queue in one of the ways that there are, until it is stopped or the queue is gone. */
final class Taker {
    private enum Manner {
        SUBSCRIBED,
        ON_ADAPTER_THREAD,
        /** Each subscription takes a few, cancels, and hands over to the next. */
        IN_RELAY,
        POLLED
    }

    private static final int MOST_ASKED = 24;
    private static final int MOST_POLLED = 16;

    private final LaneGround ground;
    private final CompletionQueue queue;
    private final SplittableRandom lots;
    private final Consumer<WorkCompletion> action;
    private final Manner manner;
    private Optional<Thread> thread = Optional.empty();
    private volatile boolean over;
    private volatile String last = "goes on";

    private Taker(LaneGround ground, CompletionQueue queue, SplittableRandom lots, Consumer<WorkCompletion> action) {
        this.ground = ground;
        this.queue = queue;
        this.lots = lots;
        this.action = action;
        manner = Manner.values()[lots.nextInt(Manner.values().length)];
    }

    static Taker of(LaneGround ground, CompletionQueue queue, SplittableRandom lots, Consumer<WorkCompletion> action) {
        Taker taker = new Taker(ground, queue, lots, action);
        taker.begin();
        return taker;
    }

    private void begin() {
        switch (manner) {
            case SUBSCRIBED -> queue.completions().subscribe(new Subscriber(Long.MAX_VALUE));
            case ON_ADAPTER_THREAD -> queue.completionsOnAdapterThread().subscribe(new Subscriber(Long.MAX_VALUE));
            case IN_RELAY -> relay();
            case POLLED -> thread = Optional.of(ground.started(this::poll));
        }
    }

    private void relay() {
        queue.completions().subscribe(new Subscriber(lots.nextInt(1, MOST_ASKED)));
    }

    private void poll() {
        while (!over) {
            try {
                List<WorkCompletion> polled = ground.await(queue.poll(MOST_POLLED));
                polled.forEach(action);
                if (polled.isEmpty()) {
                    Footprint.rest(1);
                }
            } catch (VerbsException gone) {
                last = "was refused: " + gone.getMessage();
                return;
            }
        }
    }

    /** How it takes them, and what came of it. */
    @Override
    public String toString() {
        return queue.describe() + " is taken from " + manner + ", who " + last;
    }

    void stop() {
        over = true;
        thread.ifPresent(ground::join);
    }

    private final class Subscriber implements Flow.Subscriber<WorkCompletion> {
        private final long most;
        private long taken;
        private Flow.@Nullable Subscription subscription;

        Subscriber(long most) {
            this.most = most;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(MOST_ASKED);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            try {
                take(completion);
            } catch (RuntimeException | Error thrown) {
                ground.openStages().threw("who takes from " + queue.describe(), thrown);
            }
        }

        private void take(WorkCompletion completion) {
            action.accept(completion);
            taken++;
            if (subscription == null) {
                throw new IllegalStateException("handed out before the subscription was");
            }
            if (taken == most) {
                subscription.cancel();
                relay();
            } else if (taken % MOST_ASKED == 0) {
                subscription.request(MOST_ASKED);
            }
        }

        @Override
        public void onError(Throwable why) {
            last = "was refused: " + why.getMessage();
            if (!(why instanceof VerbsException)) {
                ground.openStages()
                        .wrong("completions of " + queue.describe() + " should come or be refused, and failed with "
                                + why);
            }
        }

        @Override
        public void onComplete() {
            last = "was told the end";
        }
    }
}
