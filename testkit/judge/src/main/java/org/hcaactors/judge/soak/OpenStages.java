// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.hcaactors.api.error.VerbsException;

/** What the verbs of a lane gave and has not ended, and the first thing that was wrong. Any thread. */
final class OpenStages {
    private static final int NAMED = 8;
    private static final int MAX_LOOKS = 10_000;

    private final Totals tally;
    private final ConcurrentSkipListMap<Long, String> open = new ConcurrentSkipListMap<>();
    private volatile Optional<IllegalStateException> wrong = Optional.empty();

    OpenStages(Totals tally) {
        this.tally = tally;
    }

    /** Whatever it ends with, it must end; where it fails, as a verb fails. */
    <T> CompletionStage<T> given(String verb, Object object, CompletionStage<T> stage) {
        long number = tally.stages.incrementAndGet();
        open.put(number, verb + " " + object);
        stage.whenComplete((value, failure) -> {
            open.remove(number);
            tally.ended.increment();
            if (failure != null && !(told(failure) instanceof VerbsException)) {
                wrong(verb + " " + object + " should succeed or be refused, and failed with " + failure);
            }
        });
        return stage;
    }

    /** As whoever waits for it gets it: stages that hang on others wrap it. */
    static Throwable told(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    /** Only the first is told: what follows may follow from it. */
    synchronized void wrong(String what) {
        if (wrong.isEmpty()) {
            wrong = Optional.of(new IllegalStateException(what));
        }
    }

    /** Nobody of the soak throws, unless something is wrong. */
    void threw(String element, Throwable thrown) {
        wrong(element + " should throw nothing, and threw " + thrown
                + StackLocation.of(thrown).map(place -> " at " + place).orElse(""));
    }

    boolean isClean() {
        return wrong.isEmpty();
    }

    /** What has not ended, to be appended; empty if all has. */
    String told() {
        return open.isEmpty() ? "" : "; open: " + named();
    }

    /** At most {@value #NAMED} of what has not ended. */
    private String named() {
        int more = open.size() - NAMED;
        return open.values().stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** IllegalStateException if something was wrong, or does not end in ten seconds or so. */
    void settle() {
        for (int i = 0; i < MAX_LOOKS && !open.isEmpty() && isClean(); i++) {
            Footprint.rest(1);
        }
        Optional<IllegalStateException> told = wrong;
        if (told.isPresent()) {
            throw told.get();
        }
        WorkerEnvironment.check(open.isEmpty(), "every stage should have ended, and these have not: " + named());
    }

    /** Nothing of a round that failed is held against the next one. */
    synchronized void forget() {
        open.clear();
        wrong = Optional.empty();
    }
}
