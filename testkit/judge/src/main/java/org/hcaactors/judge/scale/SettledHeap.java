// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

/** What a heap holds when it is collected. */
final class SettledHeap {
    private static final int MAX_COLLECTIONS = 6;

    /** Two collections that find so little apart have found the same. */
    private static final long ALIKE_BYTES = 4096;

    private SettledHeap() {}

    /** Collects until nothing goes any more; where that does not come, the least that there was. */
    static long bytes() {
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

    /** What may come until the heap is as large as it may become. */
    static long roomBytes() {
        return Runtime.getRuntime().maxMemory() - bytes();
    }
}
