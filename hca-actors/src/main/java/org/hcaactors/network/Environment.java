package org.hcaactors.network;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.FabricLimits;

/**
 * What a network takes from outside: time, a place for its trace, a way to wait. The bench hands in virtual ones.
 *
 * @param clock nanoseconds from any origin, never going back
 * @param trace where events go
 * @param limits of the fabric
 * @param awaiter how {@link RdmaNetwork#await} waits
 * @param complaints takes what interceptors and taps throw, on the fabric's thread; must not block
 */
public record Environment(
        LongSupplier clock, TraceSink trace, FabricLimits limits, Awaiter awaiter, Consumer<Throwable> complaints) {
    /** A way to wait for a stage. */
    @FunctionalInterface
    public interface Awaiter {
        /** The stage's value; its failure as it is, if it is unchecked; IllegalStateException after the time. */
        <T> T await(CompletionStage<T> stage, Duration atMost);
    }

    /** The JVM's clock, no trace, a parked thread; the first complaint is logged. */
    public static Environment production() {
        return new Environment(System::nanoTime, TraceSink.NONE, FabricLimits.DEFAULT, ParkedThread.AWAITER, new FirstComplaint());
    }

    public Environment withTrace(TraceSink other) {
        return new Environment(clock, other, limits, awaiter, complaints);
    }
}
