// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Memory under an indirect key: slices concatenated in order, from address 0. The addresses and lengths of the slices need no
 * alignment.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class KeyLayout {
    private final boolean interleaved;
    private final int repeatCount;
    private final List<StridedSlice> slices;

    private KeyLayout(boolean interleaved, int repeatCount, List<StridedSlice> slices) {
        this.interleaved = interleaved;
        this.repeatCount = repeatCount;
        this.slices = slices;
        checkLength(repeatCount, slices);
    }

    /** A list of slices, concatenated ({@code mlx5dv_wr_mr_list}). */
    public static KeyLayout list(LocalSlice... slices) {
        return list(List.of(slices));
    }

    /** A list of slices, concatenated ({@code mlx5dv_wr_mr_list}). */
    public static KeyLayout list(List<LocalSlice> slices) {
        return new KeyLayout(
                false,
                1,
                slices.stream()
                        .map(slice -> new StridedSlice(slice.lkey(), slice.address(), slice.lengthBytes(), 0))
                        .toList());
    }

    /**
     * Interleaved slices: the first block of each, then the second block of each, and so on ({@code mlx5dv_wr_mr_interleaved}).
     *
     * @param repeatCount number of blocks, 0 to 2^31-1; IllegalArgumentException if the total is 2^63 bytes or more
     */
    public static KeyLayout interleaved(int repeatCount, List<StridedSlice> slices) {
        if (repeatCount < 0) {
            throw new IllegalArgumentException("the repeat count is " + repeatCount + "; 0 to 2^31-1 is allowed");
        }
        return new KeyLayout(true, repeatCount, List.copyOf(slices));
    }

    /** Interleaved slices: the first block of each, then the second block of each, and so on. */
    public static KeyLayout interleaved(int repeatCount, StridedSlice... slices) {
        return interleaved(repeatCount, List.of(slices));
    }

    // rule indirect-totals
    private static void checkLength(int repeatCount, List<StridedSlice> slices) {
        long cycle = cycleBytes(slices);
        if (Math.multiplyHigh(cycle, repeatCount) != 0 || cycle * repeatCount < 0) {
            throw new IllegalArgumentException(cycle + " bytes repeated " + repeatCount
                    + " times are too long; fewer than 2^63 bytes in all are allowed");
        }
    }

    private static long cycleBytes(List<StridedSlice> slices) {
        long sum = 0;
        for (StridedSlice slice : slices) {
            sum += slice.lengthBytes();
        }
        return sum;
    }

    /** True for interleaved slices, false for a list. */
    public boolean isInterleaved() {
        return interleaved;
    }

    /** Number of blocks of each slice; 1 for a list. */
    public int repeatCount() {
        return repeatCount;
    }

    /** Slices in order; those of a list skip no bytes. */
    public List<StridedSlice> slices() {
        return slices;
    }

    /** Total length in bytes. */
    public long lengthBytes() {
        return cycleBytes(slices) * repeatCount;
    }

    /** Number of table entries that it uses: interleaved slices use one more, for the repeat count (mlx5dv_create_mkey(3)). */
    public int entries() {
        return slices.size() + (interleaved ? 1 : 0);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLayout same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "KeyLayout" + values();
    }

    private List<Object> values() {
        return List.of(interleaved, repeatCount, slices);
    }
}
