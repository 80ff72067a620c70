// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/** Heap size after garbage collection. */
public final class SettledHeap {
    private static final int MAX_COLLECTIONS = 6;

    /** Two collections with at most this difference count as equal. */
    private static final long ALIKE_BYTES = 4096;

    private SettledHeap() {}

    /** Collects until the size no longer decreases; otherwise returns the minimum seen. */
    public static long bytes() {
        Runtime runtime = Runtime.getRuntime();
        long min = Long.MAX_VALUE;
        for (int i = 0; i < MAX_COLLECTIONS; i++) {
            System.gc();
            long used = runtime.totalMemory() - runtime.freeMemory();
            if (used > min - ALIKE_BYTES) {
                return Math.min(used, min);
            }
            min = used;
        }
        return min;
    }

    /** Returns how much more the heap may hold at its maximum size. */
    static long roomBytes() {
        return Runtime.getRuntime().maxMemory() - bytes();
    }
}
