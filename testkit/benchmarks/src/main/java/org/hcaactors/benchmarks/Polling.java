// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** Ways of a loop to take its completions. */
public enum Polling {
    FLOW_ON_ADAPTER_THREAD,
    READER_ON_ADAPTER_THREAD,
    FLOW,
    READER,
    /** The thread that runs the loop polls, too. */
    POLLER,
    /** That thread polls, and drives the shard whenever it finds nothing. */
    POLLER_DRIVING,
    /** That thread drives the shard, which calls the subscribers. */
    FLOW_DRIVING;

    private static final int BATCH = 64;

    static Polling flow(boolean onAdapterThread) {
        return onAdapterThread ? FLOW_ON_ADAPTER_THREAD : FLOW;
    }

    /** True if the thread that runs the loop takes part in it. */
    boolean usesItsThread() {
        return this == POLLER || drives();
    }

    /** True if that thread drives the shard. */
    boolean drives() {
        return this == POLLER_DRIVING || this == FLOW_DRIVING;
    }

    /**
     * Calls {@code action} with the work id of each completion.
     *
     * @return polls once, on the thread of the loop; returns the number of completions taken
     */
    IntSupplier start(CompletionQueue queue, LongConsumer action) {
        switch (this) {
            case FLOW_ON_ADAPTER_THREAD, FLOW_DRIVING ->
                queue.completions(Delivery.ADAPTER_THREAD).subscribe(new Batched(action));
            case READER_ON_ADAPTER_THREAD ->
                queue.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> take(cursor, action));
            case FLOW -> queue.completions().subscribe(new Batched(action));
            case READER -> queue.forEachCompletion(cursor -> take(cursor, action));
            case POLLER, POLLER_DRIVING -> {
                CompletionPoller poller = queue.poller();
                Consumer<CompletionCursor> handler = cursor -> take(cursor, action);
                return () -> poller.poll(BATCH, handler);
            }
        }
        return () -> 0;
    }

    private static void take(CompletionCursor cursor, LongConsumer action) {
        if (LoopOutcome.isSuccess(cursor)) {
            action.accept(cursor.workId());
        }
    }

    /** Subscriber that requests 64 more whenever it took 64, as an efficient subscriber does. */
    private static final class Batched implements Flow.Subscriber<WorkCompletion> {
        private final LongConsumer action;
        private Flow.@Nullable Subscription subscription;
        private int taken;

        Batched(LongConsumer action) {
            this.action = action;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(256);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            if (LoopOutcome.isSuccess(completion)) {
                action.accept(completion.workId());
            }
            if (++taken == 64 && subscription != null) {
                subscription.request(64);
                taken = 0;
            }
        }

        @Override
        public void onError(Throwable error) {
            throw new IllegalStateException("the stream of completions failed", error);
        }

        @Override
        public void onComplete() {}
    }
}
