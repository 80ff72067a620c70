// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.mutation.MutationPoint;

/** An atomic operation on a value. Its response is the value before. */
public sealed interface Atomic permits Atomic.CompareSwap, Atomic.FetchAdd, StoreAtomic {
    /** Size of the value and of each operand. */
    int sizeBytes();

    /** Returns the value that is stored. */
    AtomicValue after(AtomicValue before);

    // rule atomic-masked-swap
    /** Swaps the bits of {@code swapMask} if the bits of {@code compareMask} equal those of {@code compare}. */
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
     * @param boundary has a 1 at the most significant bit of each field
     */
    record FetchAdd(AtomicValue add, AtomicValue boundary) implements Atomic {
        @Override
        public int sizeBytes() {
            return add.sizeBytes();
        }

        /** The highest bit of each field is added separately, without carry, so that no field carries into the next. */
        @Override
        @MutationPoint("atomic.fetch-add.after")
        public AtomicValue after(AtomicValue before) {
            AtomicValue lower = boundary.not();
            AtomicValue sum = before.and(lower).plus(add.and(lower));
            return sum.xor(before.xor(add).and(boundary));
        }
    }

    /** Creates a compare-and-swap of all bits of eight bytes. */
    static Atomic compareSwap(long compare, long swap) {
        AtomicValue all = AtomicValue.ones(Long.BYTES);
        return new CompareSwap(AtomicValue.ofLong(compare), all, AtomicValue.ofLong(swap), all);
    }

    /** Creates a fetch-and-add of eight bytes as one field. */
    static Atomic fetchAdd(long add) {
        return new FetchAdd(AtomicValue.ofLong(add), AtomicValue.ofLong(0));
    }
}
