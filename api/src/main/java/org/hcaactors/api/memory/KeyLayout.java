// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an indirect key shows, byte for byte: slices one behind the other, in their order. Its first byte has address 0. The
 * slices' addresses and lengths need no alignment.
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

    /** These, one behind the other ({@code mlx5dv_wr_mr_list}). */
    public static KeyLayout list(LocalSlice... slices) {
        return list(List.of(slices));
    }

    /** These, one behind the other ({@code mlx5dv_wr_mr_list}). */
    public static KeyLayout list(List<LocalSlice> slices) {
        return new KeyLayout(
                false,
                1,
                slices.stream()
                        .map(slice -> new StridedSlice(slice.lkey(), slice.address(), slice.lengthBytes(), 0))
                        .toList());
    }

    /**
     * The first bytes of each, then the next bytes of each, and so on ({@code mlx5dv_wr_mr_interleaved}).
     *
     * @param repeatCount how often, 0 to 2^31-1; IllegalArgumentException where that makes 2^63 bytes and more
     */
    public static KeyLayout interleaved(int repeatCount, List<StridedSlice> slices) {
        if (repeatCount < 0) {
            throw new IllegalArgumentException("a repeat count of " + repeatCount + "; 0 to 2^31-1 is allowed");
        }
        return new KeyLayout(true, repeatCount, List.copyOf(slices));
    }

    /** The first bytes of each, then the next bytes of each, and so on. */
    public static KeyLayout interleaved(int repeatCount, StridedSlice... slices) {
        return interleaved(repeatCount, List.of(slices));
    }

    // rule indirect-totals
    private static void checkLength(int repeatCount, List<StridedSlice> slices) {
        long cycle = cycleBytes(slices);
        if (Math.multiplyHigh(cycle, repeatCount) != 0 || cycle * repeatCount < 0) {
            throw new IllegalArgumentException(
                    cycle + " bytes repeated " + repeatCount + " times; fewer than 2^63 in all are allowed");
        }
    }

    private static long cycleBytes(List<StridedSlice> slices) {
        long sum = 0;
        for (StridedSlice slice : slices) {
            sum += slice.lengthBytes();
        }
        return sum;
    }

    /** Strides are followed; else it is a plain list. */
    public boolean isInterleaved() {
        return interleaved;
    }

    /** 1 for a list. */
    public int repeatCount() {
        return repeatCount;
    }

    /** In their order; those of a list skip nothing. */
    public List<StridedSlice> slices() {
        return slices;
    }

    /** Of all that is shown. */
    public long lengthBytes() {
        return cycleBytes(slices) * repeatCount;
    }

    /** Entries of a key's table that it takes: strides take one more, for how often they repeat (mlx5dv_create_mkey(3)). */
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
