package org.hcaactors.adapter;

import java.util.Objects;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * How many ways are tried in which threads can meet: few enough for each build, and {@code -Dinterleavings=20} times as many
 * for a long search. The test class itself, called by one thread, says what must come of it.
 */
public final class Interleavings {
    private static final int TIMES = Integer.getInteger("interleavings", 1);

    /** What refusals are made with: that loads much when it is first used, and is no part of the search. */
    private static final String WORDS = "0x%x, %d".formatted(1L, 1L);

    private Interleavings() {}

    /** One thread at a time, switched where they share something; finds what any order of steps can bring about. */
    public static ModelCheckingOptions ordered(int threads, int calls) {
        Objects.requireNonNull(WORDS);
        return new ModelCheckingOptions()
                .iterations(5 * TIMES)
                .invocationsPerIteration(60)
                .threads(threads)
                .actorsPerThread(calls)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** Real threads: finds also what the processor and the compiler reorder, if it happens to show. */
    public static StressOptions stressed(int threads, int calls) {
        return new StressOptions()
                .iterations(3 * TIMES)
                .invocationsPerIteration(500)
                .threads(threads)
                .actorsPerThread(calls)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }
}
