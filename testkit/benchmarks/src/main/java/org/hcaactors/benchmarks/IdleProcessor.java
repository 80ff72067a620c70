// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.TimeUnit;

/** CPU time of the JVM while a program waits for a message that does not arrive, as a share of the elapsed time. */
final class IdleProcessor {
    private static final long WAIT = TimeUnit.SECONDS.toNanos(3);

    private IdleProcessor() {}

    /** A way to wait. */
    @FunctionalInterface
    private interface Wait {
        void of(long nanos) throws InterruptedException;
    }

    static void print() throws InterruptedException {
        System.out.printf("%n%-32s %10s%n", "waiting for a message", "CPU");
        try (WakeLoop loop = new WakeLoop()) {
            loop.woken();
            report("asleep until AS-notify wakes it", loop::idleAsleep);
            report("in a polling loop", loop::idlePolling);
        }
    }

    private static void report(String how, Wait wait) throws InterruptedException {
        long cpu = CpuTime.nanos();
        long began = System.nanoTime();
        wait.of(WAIT);
        System.out.printf("%-32s %9.1f%%%n", how, 100.0 * (CpuTime.nanos() - cpu) / (System.nanoTime() - began));
    }
}
