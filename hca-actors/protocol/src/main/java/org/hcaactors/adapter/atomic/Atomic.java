// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.mutation.MutationPoint;

/** What an atomic makes of the value that it finds. Its answer is that value as it was, whatever it became. */
public sealed interface Atomic permits Atomic.CompareSwap, Atomic.FetchAdd, StoreAtomic {
    /** Of the value, and of each operand. */
    int sizeBytes();

    /** What is stored. */
    AtomicValue after(AtomicValue before);

    // rule atomic-masked-swap
    /** Swaps the bits of {@code swapMask} where those of {@code compareMask} are those of {@code compare}. */
    record CompareSwap(AtomicValue compare, AtomicValue compareMask, AtomicValue swap, AtomicValue swapMask)
            implements Atomic {
        @Override
        public int sizeBytes() {
            return compare.sizeBytes();
        }

        @Override
        @MutationPoint("atomic.compare-swap.after")
        public AtomicValue after(AtomicValue before) {
            boolean same = compare.xor(before).and(compareMask).isZero();
            return same ? before.and(swapMask.not()).or(swap.and(swapMask)) : before;
        }
    }

    // rule atomic-masked-add
    /**
     * Adds field by field.
     *
     * @param boundary a 1 for the most significant bit of each field
     */
    record FetchAdd(AtomicValue add, AtomicValue boundary) implements Atomic {
        @Override
        public int sizeBytes() {
            return add.sizeBytes();
        }

        /** The highest bits are left out of the sum, so that nothing carries beyond them, and are added for themselves. */
        @Override
        @MutationPoint("atomic.fetch-add.after")
        public AtomicValue after(AtomicValue before) {
            AtomicValue lower = boundary.not();
            AtomicValue sum = before.and(lower).plus(add.and(lower));
            return sum.xor(before.xor(add).and(boundary));
        }
    }

    /** Eight bytes, all bits. */
    static Atomic compareSwap(long compare, long swap) {
        AtomicValue all = AtomicValue.ones(Long.BYTES);
        return new CompareSwap(AtomicValue.ofLong(compare), all, AtomicValue.ofLong(swap), all);
    }

    /** Eight bytes, one field. */
    static Atomic fetchAdd(long add) {
        return new FetchAdd(AtomicValue.ofLong(add), AtomicValue.ofLong(0));
    }
}
