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
 * Whether a history of atomics on one piece of memory is linearizable: a search for an order that keeps real time and
 * explains every result (Wing and Gong 1993), remembering what was tried (Lowe 2017). An operation without an answer may
 * have happened at any time after its start, or never.
 */
public final class AtomicHistory {
    /** States tried before the search gives up and finds nothing wrong. */
    public static final int MAX_STATES = 1 << 18;

    /**
     * One atomic.
     *
     * @param where in the piece, in units of four bytes
     * @param sizeBytes of its value
     * @param change what becomes of the value
     * @param from when it began; any order of numbers that keeps time
     * @param to when it ended; Long.MAX_VALUE if it never answered
     * @param result the value before, if it is known
     */
    public record Operation(
            int where,
            int sizeBytes,
            UnaryOperator<AtomicValue> change,
            long from,
            long to,
            Optional<AtomicValue> result) {
        /** One at the beginning of the piece. */
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

    /** What the piece held first is taken from the first operations whose results are known. */
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

    /** What begins after the first end of those still to come can't be next. */
    private long firstEnd(BitSet done) {
        long end = Long.MAX_VALUE;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            end = Math.min(end, operations.get(i).to);
        }
        return end;
    }
}
