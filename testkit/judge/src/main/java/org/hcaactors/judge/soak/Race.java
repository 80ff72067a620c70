// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hcaactors.api.error.VerbsException;

/** Verbs that begin at the same moment in two threads, and must all complete or be refused. */
final class Race {
    private record Runner<T>(String name, Supplier<? extends CompletionStage<T>> verb, Consumer<? super T> done) {}

    private final WorkerEnvironment environment;
    private final List<Runner<?>> runners = new ArrayList<>();

    Race(WorkerEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Adds a verb.
     *
     * @param done called with the result, if it succeeded, before the race ends; one call at a time
     */
    <T> void verb(String name, Supplier<? extends CompletionStage<T>> verb, Consumer<? super T> done) {
        runners.add(new Runner<>(name, verb, done));
    }

    /** Runs the verbs in random order, one half in each thread. */
    void run() {
        List<Runner<?>> left = new ArrayList<>();
        List<Runner<?>> right = new ArrayList<>();
        while (!runners.isEmpty()) {
            Runner<?> next = runners.remove(environment.random().nextInt(runners.size()));
            (left.size() > right.size() ? right : left).add(next);
        }
        CountDownLatch ready = new CountDownLatch(2);
        environment.together(List.of(() -> all(left, ready), () -> all(right, ready)));
    }

    private void all(List<Runner<?>> mine, CountDownLatch ready) {
        ready.countDown();
        while (ready.getCount() > 0) {
            Thread.onSpinWait();
        }
        List<Runnable> ends = new ArrayList<>();
        for (Runner<?> each : mine) {
            ends.add(begin(each));
        }
        ends.forEach(Runnable::run);
    }

    private <T> Runnable begin(Runner<T> runner) {
        CompletionStage<T> stage;
        try {
            stage = environment.given(runner.name, "in a race", runner.verb.get());
        } catch (VerbsException refused) {
            return () -> {};
        }
        return () -> {
            try {
                T value = environment.network().await(stage);
                synchronized (this) {
                    runner.done.accept(value);
                }
            } catch (VerbsException refused) {
                // One of two conflicting verbs must be refused.
            }
        };
    }
}
