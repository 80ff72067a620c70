// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.invariant.ReferenceAtomics;

/**
 * Linearizability check for a history of atomics on one piece of memory. Searches for an order that respects real time and
 * explains every result (Wing and Gong 1993), and remembers the states it tried (Lowe 2017). An operation without an answer may
 * take effect at any time after its start, or never.
 */
public final class AtomicHistory {
    /** Maximum number of states tried. Beyond it the search gives up and reports no violation. */
    public static final int MAX_STATES = 1 << 18;

    /**
     * One atomic.
     *
     * @param where its place in the piece, in units of four bytes
     * @param sizeBytes size of its value
     * @param change how it changes the value
     * @param from when it began, as a number that increases with time
     * @param to when it ended; Long.MAX_VALUE if it was never answered
     * @param result the value before the change, if known
     */
    public record Operation(
            int where,
            int sizeBytes,
            UnaryOperator<AtomicValue> change,
            long from,
            long to,
            Optional<AtomicValue> result) {
        /** Returns an operation at the beginning of the piece. */
        public static Operation of(WorkRequest work, long from, long to, Optional<AtomicValue> result) {
            return new Operation(0, ReferenceAtomics.sizeBytes(work), ReferenceAtomics.change(work), from, to, result);
        }

        boolean mayBeMissing() {
            return to == Long.MAX_VALUE;
        }
    }

    private record State(BitSet done, KnownMemory memory) {}

    private final List<Operation> operations;
    private final Set<State> tried = new HashSet<>();

    private AtomicHistory(List<Operation> operations) {
        this.operations = operations;
    }

    /**
     * True if some order of the operations explains every result. The initial contents are taken from the first operations with
     * known results.
     */
    public static boolean isLinearizable(List<Operation> operations) {
        return new AtomicHistory(List.copyOf(operations)).search(new BitSet(), KnownMemory.UNKNOWN);
    }

    private boolean search(BitSet done, KnownMemory memory) {
        if (isExplained(done) || tried.size() >= MAX_STATES) {
            return true;
        }
        if (!tried.add(new State((BitSet) done.clone(), memory))) {
            return false;
        }
        long deadline = firstEnd(done);
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            Operation next = operations.get(i);
            Optional<KnownMemory> after = next.from <= deadline ? memory.after(next) : Optional.empty();
            if (after.isPresent()) {
                done.set(i);
                if (search(done, after.get())) {
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

    /** Returns the earliest end of the remaining operations. An operation that begins after it can't be the next one. */
    private long firstEnd(BitSet done) {
        long end = Long.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            end = Math.min(end, operations.get(i).to);
        }
        return end;
    }
}
