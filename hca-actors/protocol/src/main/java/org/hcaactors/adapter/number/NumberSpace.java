// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;

/**
 * Allocator of numbers in cyclic order: a freed number is reused only after all others that were free (rule
 * event-numbers-rest). Until then, a stale reference to its last owner finds nothing.
 */
public final class NumberSpace {
    private static final int WORD = 6;

    private final String what;
    private final int min;
    private final int max;
    /** Bitmaps of 64 consecutive numbers, for those with a number in use. */
    @MutationPoint("number-space.used")
    private final Map<Integer, Long> used = new LinkedHashMap<>();

    private int inUse;

    @MutationPoint("number-space.next")
    private int next;

    private int laps;

    /**
     * @param what name of the numbered objects, in the plural
     * @param first first of the numbers {@code min} to {@code max} to be allocated
     */
    public NumberSpace(String what, int min, int max, int first) {
        this.what = what;
        this.min = min;
        this.max = max;
        next = first;
    }

    /** Allocates a number; ENOMEM if every number is in use. */
    @MutationPoint("number-space.take")
    public int take() {
        if (inUse > max - min) {
            throw new VerbsException(Errno.ENOMEM, "all " + inUse + " numbers of " + what + " are in use");
        }
        int number = step();
        while (isUsed(number)) {
            number = step();
        }
        used.merge(number >>> WORD, 1L << number, (word, bit) -> word | bit);
        inUse++;
        return number;
    }

    private int step() {
        if (next > max) {
            next = min;
            laps++;
        }
        return next++;
    }

    private boolean isUsed(int number) {
        return (used.getOrDefault(number >>> WORD, 0L) & 1L << number) != 0;
    }

    /** Frees a number; no effect unless it is in use. */
    @MutationPoint("number-space.free")
    public void free(int number) {
        if (isUsed(number)) {
            used.computeIfPresent(number >>> WORD, (at, word) -> word == 1L << number ? null : word & ~(1L << number));
            inUse--;
        }
    }

    /** Number of times that allocation has started again at the smallest number. */
    public int laps() {
        return laps;
    }

    public int inUse() {
        return inUse;
    }
}
