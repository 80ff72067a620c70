// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.BitSet;
import java.util.function.UnaryOperator;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.WorkRequest;

/** Reference implementation of atomics, bit by bit as defined, to check the adapter's other implementation. */
public final class ReferenceAtomics {
    private ReferenceAtomics() {}

    /**
     * Returns the change that an atomic makes.
     *
     * @throws IllegalStateException if the request is not an atomic
     */
    public static UnaryOperator<AtomicValue> change(WorkRequest work) {
        return switch (work) {
            case FetchAdd add -> before -> AtomicValue.ofLong(before.toLong() + add.add());
            case CompareAndSwap swap ->
                before -> before.toLong() == swap.compare() ? AtomicValue.ofLong(swap.swap()) : before;
            case MaskedFetchAdd add -> before -> sum(before, add.add(), add.boundary());
            case MaskedCompareAndSwap swap -> before -> swapped(before, swap);
            default -> throw new IllegalStateException(work + " is not an atomic operation");
        };
    }

    /** Returns the size of the value that the atomic changes. */
    public static int sizeBytes(WorkRequest work) {
        return switch (work) {
            case MaskedFetchAdd add -> add.sizeBytes();
            case MaskedCompareAndSwap swap -> swap.sizeBytes();
            default -> Long.BYTES;
        };
    }

    /** Adds bit by bit; a boundary bit drops the carry out of its field. */
    public static AtomicValue sum(AtomicValue value, AtomicValue add, AtomicValue boundary) {
        BitSet one = bits(value);
        BitSet two = bits(add);
        BitSet ends = bits(boundary);
        BitSet sum = new BitSet();
        boolean carry = false;
        for (int bit = 0; bit < value.sizeBytes() * Byte.SIZE; bit++) {
            int ones = (one.get(bit) ? 1 : 0) + (two.get(bit) ? 1 : 0) + (carry ? 1 : 0);
            sum.set(bit, ones % 2 == 1);
            carry = ones > 1 && !ends.get(bit);
        }
        return value(sum, value.sizeBytes());
    }

    private static AtomicValue swapped(AtomicValue before, MaskedCompareAndSwap swap) {
        BitSet found = bits(before);
        BitSet compare = bits(swap.compare());
        BitSet mask = bits(swap.compareMask());
        if (mask.stream().anyMatch(bit -> found.get(bit) != compare.get(bit))) {
            return before;
        }
        BitSet requested = bits(swap.swap());
        bits(swap.swapMask()).stream().forEach(bit -> found.set(bit, requested.get(bit)));
        return value(found, before.sizeBytes());
    }

    /** Returns the bits; bit 0 is the least significant. */
    private static BitSet bits(AtomicValue value) {
        long[] words = new long[value.words()];
        for (int i = 0; i < words.length; i++) {
            words[i] = value.word(words.length - 1 - i);
        }
        return BitSet.valueOf(words);
    }

    private static AtomicValue value(BitSet bits, int sizeBytes) {
        long[] low = bits.toLongArray();
        if (sizeBytes == Integer.BYTES) {
            return AtomicValue.ofInt(low.length == 0 ? 0 : (int) low[0]);
        }
        long[] words = new long[sizeBytes / Long.BYTES];
        for (int i = 0; i < low.length; i++) {
            words[words.length - 1 - i] = low[i];
        }
        return AtomicValue.ofWords(words);
    }
}
