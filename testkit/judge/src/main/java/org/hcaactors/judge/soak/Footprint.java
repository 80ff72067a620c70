// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Resources that this JVM holds.
 *
 * @param heapBytes used heap
 * @param directBytes memory of direct buffers
 * @param threads live threads
 */
public record Footprint(long heapBytes, long directBytes, int threads) {
    private static final int COLLECTIONS = 3;
    private static final int MILLIS_FOR_CLEANERS = 20;
    private static final double MEBI = 1 << 20;

    /** Increase over the start that counts as no growth: class loading, compilation and idle pool threads. */
    public static final Footprint TOLERANCE = new Footprint(8 << 20, 4 << 20, 16);

    /** Returns the current values, including garbage. */
    public static Footprint now() {
        Runtime runtime = Runtime.getRuntime();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return new Footprint(
                runtime.totalMemory() - runtime.freeMemory(),
                direct,
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /**
     * Returns the values without garbage: after several collections, since a direct buffer's memory is freed only after its
     * buffer.
     */
    static Footprint collected() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            rest(MILLIS_FOR_CLEANERS);
        }
        return now();
    }

    static void rest(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for garbage collection", interrupted);
        }
    }

    /** True if no value exceeds {@code before} by more than {@code tolerance}. */
    boolean isWithin(Footprint before, Footprint tolerance) {
        return beyond(before, tolerance).isEmpty();
    }

    /** Describes the values that exceed {@code before} by more than {@code tolerance}, with the allowed and actual amounts. */
    List<String> beyond(Footprint before, Footprint tolerance) {
        List<String> beyond = new ArrayList<>();
        if (heapBytes - before.heapBytes > tolerance.heapBytes) {
            beyond.add(mebi("heap", tolerance.heapBytes, before.heapBytes, heapBytes));
        }
        if (directBytes - before.directBytes > tolerance.directBytes) {
            beyond.add(mebi("direct memory", tolerance.directBytes, before.directBytes, directBytes));
        }
        if (threads - before.threads > tolerance.threads) {
            beyond.add(String.format(
                    Locale.ROOT,
                    "threads: at most %d more are allowed; they grew from %d to %d",
                    tolerance.threads,
                    before.threads,
                    threads));
        }
        return beyond;
    }

    private static String mebi(String what, long allowed, long before, long after) {
        return String.format(
                Locale.ROOT,
                "%s: at most %.1f MiB more are allowed; it grew from %.1f to %.1f MiB",
                what,
                allowed / MEBI,
                before / MEBI,
                after / MEBI);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "heap %.1f MiB, direct %.1f MiB, %d threads",
                heapBytes / MEBI,
                directBytes / MEBI,
                threads);
    }
}
