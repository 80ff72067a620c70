// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.hcaactors.api.error.VerbsException;

/** Stages of a worker's verbs that have not completed, and the first error. Any thread. */
final class OpenStages {
    private static final int NAMED = 8;
    private static final int MAX_LOOKS = 10_000;

    private final Totals tally;
    private final ConcurrentSkipListMap<Long, String> open = new ConcurrentSkipListMap<>();
    private volatile Optional<IllegalStateException> wrong = Optional.empty();

    OpenStages(Totals tally) {
        this.tally = tally;
    }

    /** Registers a stage: it must complete, and a failure must be of the kind that verbs have. */
    <T> CompletionStage<T> given(String verb, Object object, CompletionStage<T> stage) {
        long number = tally.stages.incrementAndGet();
        open.put(number, verb + " " + object);
        stage.whenComplete((value, failure) -> {
            open.remove(number);
            tally.ended.increment();
            if (failure != null && !(unwrap(failure) instanceof VerbsException)) {
                wrong(verb + " " + object + " must succeed or be refused with a VerbsException, but failed with "
                        + failure);
            }
        });
        return stage;
    }

    /** Returns the failure as a caller sees it: dependent stages wrap it. */
    static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    /** Records an error; only the first counts, since later ones may follow from it. */
    synchronized void wrong(String what) {
        if (wrong.isEmpty()) {
            wrong = Optional.of(new IllegalStateException(what));
        }
    }

    /** Records an exception of the soak's own code, which must not throw. */
    void threw(String element, Throwable thrown) {
        wrong(element + " must not throw, but threw " + thrown
                + StackLocation.of(thrown).map(place -> " at " + place).orElse(""));
    }

    boolean isClean() {
        return wrong.isEmpty();
    }

    /** Returns a list of the open stages for a message; empty if there are none. */
    String openText() {
        return open.isEmpty() ? "" : "; open: " + named();
    }

    /** Returns at most {@value #NAMED} open stages. */
    private String named() {
        int more = open.size() - NAMED;
        return open.values().stream().limit(NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    /** Throws IllegalStateException if there was an error, or if a stage does not complete within about ten seconds. */
    void settle() {
        for (int i = 0; i < MAX_LOOKS && !open.isEmpty() && isClean(); i++) {
            Footprint.rest(1);
        }
        Optional<IllegalStateException> failure = wrong;
        if (failure.isPresent()) {
            throw failure.get();
        }
        WorkerEnvironment.check(open.isEmpty(), "every stage must have completed; incomplete: " + named());
    }

    /** Forgets a failed round, so that it does not affect the next one. */
    synchronized void forget() {
        open.clear();
        wrong = Optional.empty();
    }
}
