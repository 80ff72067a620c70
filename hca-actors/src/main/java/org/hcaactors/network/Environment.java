// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hcaactors.adapter.books.Books;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.work.ReceivesGuard;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.FabricLimits;

/**
 * What a network takes from outside: time, chance, a place for its trace, a way to wait. The bench hands in its own.
 *
 * <p>Immutable; what it holds is called from the network's threads, each as its parameter says.
 *
 * @param clock nanoseconds from any origin, never going back
 * @param trace where events go
 * @param limits of the fabric
 * @param awaiter how {@link RdmaNetwork#await} waits
 * @param numbers where the numbers of an adapter begin, by its name; the only chance that a network knows
 * @param complaints takes what interceptors and taps throw, on the fabric's thread; must not block
 * @param books who keeps account of stages, and of what is made and goes
 * @param receives who stands between queue pairs and their receives
 */
public record Environment(
        LongSupplier clock,
        TraceSink trace,
        FabricLimits limits,
        Awaiter awaiter,
        Function<String, FirstNumbers> numbers,
        Consumer<Throwable> complaints,
        Books books,
        ReceivesGuard receives) {
    /**
     * A way to wait for a stage.
     *
     * <p>Threads: any that waits. Limits: the time that it is given.
     */
    @FunctionalInterface
    public interface Awaiter {
        /**
         * The stage's value; its failure as it is, if it is unchecked; AwaitTimeoutException after the time.
         *
         * @param why what there is to say then about what still waits
         */
        <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> why);
    }

    /** The JVM's clock, no trace, a parked thread, numbers that begin anywhere, no books; the first complaint is logged. */
    public static Environment production() {
        return new Environment(
                System::nanoTime,
                TraceSink.NONE,
                FabricLimits.DEFAULT,
                ParkedThread.AWAITER,
                adapter -> FirstNumbers.drawn(ThreadLocalRandom.current()),
                new FirstComplaint(),
                Books.NONE,
                ReceivesGuard.NONE);
    }

    public Environment withTrace(TraceSink other) {
        return new Environment(clock, other, limits, awaiter, numbers, complaints, books, receives);
    }
}
