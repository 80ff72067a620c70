// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.mutation.MutationPoint;

/**
 * Translation of a layout's addresses to its keys (rules indirect-translation, indirect-alignment). A list is an interleaving
 * with one repetition. Immutable.
 */
final class LayoutTranslation {
    /** Visits pieces of a range in the order of their bytes. */
    @FunctionalInterface
    interface Pieces {
        /**
         * @param part index in {@link #keys}
         * @param address address under that key
         * @param done number of bytes of the range before this piece
         * @param count number of bytes, at least 1
         * @return false to stop
         */
        boolean take(int part, long address, long done, long count);
    }

    /** Visits what a range touches, slice by slice. */
    @FunctionalInterface
    interface Spans {
        /**
         * @param part index in {@link #keys}
         * @param address lowest address of the slice that is touched
         * @param count number of bytes from there to the highest one
         * @param gaps bytes in between may be untouched
         * @return false to stop
         */
        boolean take(int part, long address, long count, boolean gaps);
    }

    private final long lengthBytes;

    @MutationPoint("layout-translation.cycle-bytes")
    private final long cycleBytes;

    private final List<Integer> keys;

    /** For each slice with bytes: its first byte in the cycle, its first address, its stride, and the index of its key. */
    private final long[] starts;

    private final long[] addresses;
    private final long[] strides;
    private final int[] parts;

    LayoutTranslation(KeyLayout layout) {
        List<StridedSlice> slices = layout.slices().stream()
                .filter(slice -> slice.lengthBytes() > 0 && layout.repeatCount() > 0)
                .toList();
        starts = new long[slices.size()];
        addresses = new long[slices.size()];
        strides = new long[slices.size()];
        parts = new int[slices.size()];
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        long at = 0;
        for (int i = 0; i < slices.size(); i++) {
            StridedSlice slice = slices.get(i);
            starts[i] = at;
            addresses[i] = slice.address();
            strides[i] = slice.strideBytes();
            parts[i] = numbers.computeIfAbsent(slice.lkey(), absent -> numbers.size());
            at += slice.lengthBytes();
        }
        cycleBytes = at;
        lengthBytes = layout.lengthBytes();
        keys = new ArrayList<>(numbers.keySet());
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Returns each key once, in the order of its first byte. A slice without bytes contributes none. */
    List<Integer> keys() {
        return keys;
    }

    // rule indirect-totals
    /** True if the whole range is mapped. */
    boolean covers(long from, long count) {
        return from >= 0 && count >= 0 && from <= lengthBytes && count <= lengthBytes - from;
    }

    /** Visits the pieces of a range that this {@link #covers}. Returns false if the visitor stopped. */
    boolean walk(long from, long count, Pieces pieces) {
        if (count == 0) {
            return true;
        }
        long repetition = from / cycleBytes;
        long within = from % cycleBytes;
        int slice = sliceAt(within);
        long done = 0;
        while (done < count) {
            long skip = within - starts[slice];
            long piece = Math.min(count - done, end(slice) - within);
            long address = addresses[slice] + repetition * strides[slice] + skip;
            if (!pieces.take(parts[slice], address, done, piece)) {
                return false;
            }
            done += piece;
            slice++;
            if (slice == starts.length) {
                slice = 0;
                repetition++;
            }
            within = starts[slice];
        }
        return true;
    }

    /**
     * Visits the slices of a range of at least one byte that this {@link #covers}, in the order of their first bytes; takes as
     * many steps as slices, however long the range is. Returns false if the visitor stopped.
     */
    boolean span(long from, long count, Spans spans) {
        long last = from + count - 1;
        long begin = from % cycleBytes;
        long end = last % cycleBytes;
        int slice = sliceAt(begin);
        for (int left = touched(slice, begin, count); left > 0; left--) {
            long first = from / cycleBytes + (begin < end(slice) ? 0 : 1);
            long max = last / cycleBytes - (end >= starts[slice] ? 0 : 1);
            long skipped = begin < end(slice) ? Math.max(0, begin - starts[slice]) : 0;
            long kept = (end >= starts[slice] ? Math.min(end + 1, end(slice)) : end(slice)) - starts[slice];
            if (!spanOf(slice, first, max, skipped, kept, spans)) {
                return false;
            }
            slice = slice + 1 == starts.length ? 0 : slice + 1;
        }
        return true;
    }

    /** Number of slices that the range touches, starting with the given one. */
    private int touched(int slice, long begin, long count) {
        if (count >= cycleBytes) {
            return starts.length;
        }
        long last = begin + count - 1;
        return last < cycleBytes
                ? sliceAt(last) - slice + 1
                : Math.min(starts.length, starts.length - slice + sliceAt(last - cycleBytes) + 1);
    }

    /** Visits the bytes from {@code skipped} in the first repetition to {@code kept} in the last; pieces may overlap. */
    private boolean spanOf(int slice, long first, long max, long skipped, long kept, Spans spans) {
        long length = end(slice) - starts[slice];
        long low = first * strides[slice] + skipped;
        long high = max * strides[slice] + kept;
        if (first < max) {
            low = Math.min(low, (first + 1) * strides[slice]);
            high = Math.max(high, (max - 1) * strides[slice] + length);
        }
        return spans.take(parts[slice], addresses[slice] + low, high - low, first < max);
    }

    private int sliceAt(long within) {
        int found = Arrays.binarySearch(starts, within);
        return found >= 0 ? found : -found - 2;
    }

    @MutationPoint("layout-translation.end")
    private long end(int slice) {
        return slice + 1 < starts.length ? starts[slice + 1] : cycleBytes;
    }
}
