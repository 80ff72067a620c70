// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.sweep.Sweep;

/**
 * Packets per second of a sweep, as {@code hca sweep} runs it: mixed traffic, faults on the wire, all invariants, one thread
 * per core.
 */
final class SweepRate {
    private static final int SEEDS = 100;
    private static final long WARMING = TimeUnit.SECONDS.toNanos(15);
    private static final long MEASURED = TimeUnit.SECONDS.toNanos(15);

    private SweepRate() {}

    static void print() {
        long next = run("warming", 0, WARMING);
        run("warm", next, MEASURED);
    }

    /** Runs seeds and returns the one after the last. */
    private static long run(String how, long first, long min) {
        int threads = Runtime.getRuntime().availableProcessors();
        long cpu = CpuTime.nanos();
        long began = System.nanoTime();
        long packets = 0;
        long seed = first;
        for (; System.nanoTime() - began < min; seed += SEEDS) {
            Sweep.Report report = Sweep.of(SEEDS).from(seed).onThreads(threads).run();
            if (!report.isClean()) {
                throw new IllegalStateException(report.failures().toString());
            }
            packets += report.packets();
        }
        System.out.printf(
                "%nsweep on %d threads, %s: %,.0f packets a second, %,.0f a second of CPU time%n",
                threads, how, 1e9 * packets / (System.nanoTime() - began), 1e9 * packets / (CpuTime.nanos() - cpu));
        return seed;
    }
}
