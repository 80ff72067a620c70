// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/** Takes completions from a queue in one of several ways, until it is stopped or the queue is closed. */
final class CompletionConsumer {
    private enum Manner {
        SUBSCRIBED,
        ON_ADAPTER_THREAD,
        /** Each subscription takes a few, cancels, and the next one follows. */
        IN_RELAY,
        POLLED
    }

    private static final int MAX_ASKED = 24;
    private static final int MAX_POLLED = 16;

    private final WorkerEnvironment environment;
    private final CompletionQueue queue;
    private final SplittableRandom random;
    private final Consumer<WorkCompletion> action;
    private final Manner manner;
    private Optional<Thread> thread = Optional.empty();
    private volatile boolean over;
    private volatile String last = "is active";

    private CompletionConsumer(
            WorkerEnvironment environment,
            CompletionQueue queue,
            SplittableRandom random,
            Consumer<WorkCompletion> action) {
        this.environment = environment;
        this.queue = queue;
        this.random = random;
        this.action = action;
        manner = Manner.values()[random.nextInt(Manner.values().length)];
    }

    static CompletionConsumer of(
            WorkerEnvironment environment,
            CompletionQueue queue,
            SplittableRandom random,
            Consumer<WorkCompletion> action) {
        CompletionConsumer consumer = new CompletionConsumer(environment, queue, random, action);
        consumer.begin();
        return consumer;
    }

    private void begin() {
        switch (manner) {
            case SUBSCRIBED -> queue.completions().subscribe(new Subscriber(Long.MAX_VALUE));
            case ON_ADAPTER_THREAD ->
                queue.completions(Delivery.ADAPTER_THREAD).subscribe(new Subscriber(Long.MAX_VALUE));
            case IN_RELAY -> relay();
            case POLLED -> thread = Optional.of(environment.started(this::poll));
        }
    }

    private void relay() {
        queue.completions().subscribe(new Subscriber(random.nextInt(1, MAX_ASKED)));
    }

    private void poll() {
        while (!over) {
            try {
                List<WorkCompletion> polled = environment.await(queue.poll(MAX_POLLED));
                polled.forEach(action);
                if (polled.isEmpty()) {
                    Footprint.rest(1);
                }
            } catch (VerbsException refused) {
                last = "was refused: " + refused.getMessage();
                return;
            }
        }
    }

    /** Describes how it takes completions, and its last result. */
    @Override
    public String toString() {
        return queue.describe() + " has a consumer of the kind " + manner + ", which " + last;
    }

    void stop() {
        over = true;
        thread.ifPresent(environment::join);
    }

    private final class Subscriber implements Flow.Subscriber<WorkCompletion> {
        private final long max;
        private long taken;
        private Flow.@Nullable Subscription subscription;

        Subscriber(long max) {
            this.max = max;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(MAX_ASKED);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            try {
                take(completion);
            } catch (RuntimeException | Error thrown) {
                environment.openStages().threw("the consumer of " + queue.describe(), thrown);
            }
        }

        private void take(WorkCompletion completion) {
            action.accept(completion);
            taken++;
            if (subscription == null) {
                throw new IllegalStateException("a completion was delivered before onSubscribe");
            }
            if (taken == max) {
                subscription.cancel();
                relay();
            } else if (taken % MAX_ASKED == 0) {
                subscription.request(MAX_ASKED);
            }
        }

        @Override
        public void onError(Throwable reason) {
            last = "was refused: " + reason.getMessage();
            if (!(reason instanceof VerbsException)) {
                environment
                        .openStages()
                        .wrong("completions of " + queue.describe()
                                + " must be delivered or refused with a VerbsException; they failed with " + reason);
            }
        }

        @Override
        public void onComplete() {
            last = "received the end of the stream";
        }
    }
}
