// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Whether a history of atomics on one word is linearizable: a search for an order that keeps real time and explains every
 * result (Wing and Gong 1993), remembering what was tried (Lowe 2017). An operation without an answer may have happened at
 * any time after its start, or never.
 */
public final class AtomicHistory {
    /** States tried before the search gives up and finds nothing wrong. */
    public static final int MAX_STATES = 1 << 18;

    /**
     * One atomic.
     *
     * @param compare of a compare-and-swap; empty for a fetch-and-add
     * @param operand the new value, or what is added
     * @param from when it began; any order of numbers that keeps time
     * @param to when it ended; Long.MAX_VALUE if it never answered
     * @param result the value before, if it is known
     */
    public record Operation(OptionalLong compare, long operand, long from, long to, OptionalLong result) {
        public static Operation add(long addend, long from, long to, OptionalLong result) {
            return new Operation(OptionalLong.empty(), addend, from, to, result);
        }

        public static Operation swap(long compare, long swap, long from, long to, OptionalLong result) {
            return new Operation(OptionalLong.of(compare), swap, from, to, result);
        }

        long after(long before) {
            if (compare.isEmpty()) {
                return before + operand;
            }
            return before == compare.getAsLong() ? operand : before;
        }

        boolean mayBeMissing() {
            return to == Long.MAX_VALUE;
        }
    }

    private record State(BitSet done, OptionalLong value) {}

    private final List<Operation> operations;
    private final Set<State> tried = new HashSet<>();

    private AtomicHistory(List<Operation> operations) {
        this.operations = operations;
    }

    /** The word's first value is taken from the first operation whose result is known. */
    public static boolean isLinearizable(List<Operation> operations) {
        return new AtomicHistory(List.copyOf(operations)).search(new BitSet(), OptionalLong.empty());
    }

    private boolean search(BitSet done, OptionalLong value) {
        if (isExplained(done) || tried.size() >= MAX_STATES) {
            return true;
        }
        if (!tried.add(new State((BitSet) done.clone(), value))) {
            return false;
        }
        long deadline = firstEnd(done);
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            Operation next = operations.get(i);
            if (next.from <= deadline && explains(next, value)) {
                done.set(i);
                if (search(done, valueAfter(next, value))) {
                    return true;
                }
                done.clear(i);
            }
        }
        return false;
    }

    private boolean isExplained(BitSet done) {
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            if (!operations.get(i).mayBeMissing()) {
                return false;
            }
        }
        return true;
    }

    /** What begins after the first end of those still to come can't be next. */
    private long firstEnd(BitSet done) {
        long end = Long.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            end = Math.min(end, operations.get(i).to);
        }
        return end;
    }

    private static boolean explains(Operation next, OptionalLong value) {
        return value.isEmpty() || next.result.isEmpty() || next.result.getAsLong() == value.getAsLong();
    }

    private static OptionalLong valueAfter(Operation next, OptionalLong value) {
        if (value.isPresent()) {
            return OptionalLong.of(next.after(value.getAsLong()));
        }
        return next.result.isPresent() ? OptionalLong.of(next.after(next.result.getAsLong())) : OptionalLong.empty();
    }
}
