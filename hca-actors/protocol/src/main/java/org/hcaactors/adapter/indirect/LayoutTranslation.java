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
 * Where each byte of a layout lies (rules indirect-translation, indirect-alignment). A list is an interleaving that is repeated once. Immutable.
 */
final class LayoutTranslation {
    /** Takes pieces of a range in the order of their bytes. */
    @FunctionalInterface
    interface Pieces {
        /**
         * @param part which of {@link #keys}
         * @param address the key's own
         * @param done bytes of the range before this piece
         * @param count of bytes, at least 1
         * @return false to see no more of them
         */
        boolean take(int part, long address, long done, long count);
    }

    /** Takes what a range touches, slice by slice. */
    @FunctionalInterface
    interface Spans {
        /**
         * @param part which of {@link #keys}
         * @param address of the lowest byte that is touched of the slice
         * @param count from there to the highest one
         * @param gaps there may be bytes between them that are not touched
         * @return false to see no more of them
         */
        boolean take(int part, long address, long count, boolean gaps);
    }

    private final long lengthBytes;

    @MutationPoint("layout-translation.cycle-bytes")
    private final long cycleBytes;

    private final List<Integer> keys;

    /** Of those slices that have bytes: first byte in the cycle, first address, distance of two times, which key. */
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
            parts[i] = numbers.computeIfAbsent(slice.lkey(), fresh -> numbers.size());
            at += slice.lengthBytes();
        }
        cycleBytes = at;
        lengthBytes = layout.lengthBytes();
        keys = new ArrayList<>(numbers.keySet());
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Each key once, in the order in which its first byte comes. A slice without bytes names none. */
    List<Integer> keys() {
        return keys;
    }

    // rule indirect-totals
    /** The whole of the range is shown. */
    boolean covers(long from, long count) {
        return from >= 0 && count >= 0 && from <= lengthBytes && count <= lengthBytes - from;
    }

    /** False where one of them wanted no more. The range is one that this {@link #covers}. */
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
     * In as many steps as slices are touched, however long the range: one that this {@link #covers}, of at least a byte. In the
     * order of their first bytes. False where one of them wanted no more.
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

    /** How many slices, from the one on in which the range begins. */
    private int touched(int slice, long begin, long count) {
        if (count >= cycleBytes) {
            return starts.length;
        }
        long last = begin + count - 1;
        return last < cycleBytes
                ? sliceAt(last) - slice + 1
                : Math.min(starts.length, starts.length - slice + sliceAt(last - cycleBytes) + 1);
    }

    /** From so many bytes into its piece of one time to so many into that of another; pieces may overlap. */
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
