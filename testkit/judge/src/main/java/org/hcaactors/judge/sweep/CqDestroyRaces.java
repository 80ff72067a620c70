// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.lab.world.World;

/**
 * Completion queues that are destroyed while one subscriber cancels, another subscribes, and polls are called: a remaining
 * subscriber receives the end, and every poll is answered.
 */
final class CqDestroyRaces implements Workload {
    private static final int MAX_POLLS = 8;

    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final List<Subscriber> staying = new ArrayList<>();

    CqDestroyRaces(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("farewells");
    }

    @Override
    public void step() {
        ReceiveWaves.quietly(() -> {
            CompletionQueue queue = world.await(sweep.a().context.createCq(1));
            Subscriber first = new Subscriber();
            queue.completions().subscribe(first);
            world.settle();
            first.leave();
            Subscriber second = new Subscriber();
            queue.completions().subscribe(second);
            staying.add(second);
            CompletionStage<?> polls = CompletableFuture.completedStage(null);
            for (int i = random.nextInt(MAX_POLLS); i > 0; i--) {
                polls = polls.thenCompose(before -> poll(queue));
            }
            sweep.promises().verb("destroy a completion queue between two subscriptions", polls.thenCompose(last -> {
                poll(queue);
                return queue.destroy();
            }));
            poll(queue);
        });
    }

    /** Polls the queue; refused while a subscription polls, and after the end. */
    private CompletionStage<?> poll(CompletionQueue queue) {
        CompletionStage<List<WorkCompletion>> polled = queue.poll(1);
        sweep.promises()
                .verb(
                        "poll a completion queue during its destruction",
                        polled,
                        Errno.EBUSY,
                        Errno.EINVAL,
                        Errno.ECANCELED);
        return polled.handle((entries, refused) -> true);
    }

    @Override
    public void atRest() {
        if (sweep.severity() != FaultSeverity.DISASTER
                && !staying.stream().allMatch(subscriber -> subscriber.terminated)) {
            throw new AssertionError("a completion queue was destroyed, but its last subscriber received no end");
        }
    }

    private static final class Subscriber implements Flow.Subscriber<WorkCompletion> {
        private Flow.Subscription receivedSubscription = new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        };
        private boolean terminated;

        void leave() {
            receivedSubscription.cancel();
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            receivedSubscription = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(WorkCompletion completion) {}

        @Override
        public void onError(Throwable reason) {
            terminated = true;
        }

        @Override
        public void onComplete() {
            terminated = true;
        }
    }
}
