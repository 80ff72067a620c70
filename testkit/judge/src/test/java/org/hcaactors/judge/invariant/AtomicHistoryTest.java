// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.judge.invariant.AtomicHistory.Operation;
import org.hcaactors.lab.invariant.ReferenceAtomics;
import org.junit.jupiter.api.Test;

class AtomicHistoryTest {
    private static final LocalSlice SOMEWHERE = new LocalSlice(0, 8, 1);
    private static final RemoteAddress THERE = new RemoteAddress(1, 0);

    private static Operation add(long addend, long from, long to, long result) {
        return adding(addend, from, to, Optional.of(AtomicValue.ofLong(result)));
    }

    private static Operation adding(long addend, long from, long to, Optional<AtomicValue> result) {
        return Operation.of(FetchAdd.of(1, SOMEWHERE, THERE, addend), from, to, result);
    }

    private static Operation swap(long compare, long swap, long from, long to, long result) {
        CompareAndSwap work = CompareAndSwap.of(1, SOMEWHERE, THERE, compare, swap);
        return Operation.of(work, from, to, Optional.of(AtomicValue.ofLong(result)));
    }

    /** Returns an addition to four of the eight bytes. */
    private static Operation addHalf(int where, int addend, long from, long to, int result) {
        MaskedFetchAdd work = MaskedFetchAdd.of(1, SOMEWHERE, THERE, AtomicValue.ofInt(addend));
        return new Operation(
                where, Integer.BYTES, ReferenceAtomics.change(work), from, to, Optional.of(AtomicValue.ofInt(result)));
    }

    private static boolean linearizable(Operation... operations) {
        return AtomicHistory.isLinearizable(List.of(operations));
    }

    @Test
    void everyOperationSeesTheResultOfTheOneBefore() {
        assertThat(linearizable(add(1, 1, 2, 5), add(1, 3, 4, 6), swap(7, 0, 5, 6, 7), add(2, 7, 8, 0)))
                .isTrue();
    }

    @Test
    void twoOperationsWithTheSameResultLostAnUpdate() {
        assertThat(linearizable(add(1, 1, 4, 5), add(1, 2, 3, 5))).isFalse();
    }

    @Test
    void resultsOfOverlappingOperationsMayHaveAnyOrder() {
        assertThat(linearizable(add(1, 1, 9, 6), add(1, 2, 8, 5))).isTrue();
    }

    @Test
    void operationsInSequenceKeepTheirOrder() {
        assertThat(linearizable(add(1, 1, 2, 6), add(1, 3, 4, 5))).isFalse();
    }

    @Test
    void anUnansweredOperationMayHaveHappenedOrNot() {
        Operation lost = adding(10, 2, Long.MAX_VALUE, Optional.empty());
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 1))).isTrue();
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 11))).isTrue();
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 21)))
                .as("but not twice")
                .isFalse();
    }

    @Test
    void aFailedSwapChangesNothing() {
        assertThat(linearizable(add(1, 1, 2, 0), swap(5, 9, 3, 4, 1), add(1, 5, 6, 1)))
                .isTrue();
        assertThat(linearizable(add(1, 1, 2, 0), swap(5, 9, 3, 4, 1), add(1, 5, 6, 9)))
                .isFalse();
    }

    @Test
    void fourByteOperationsArePartOfEightBytes() {
        assertThat(linearizable(
                        add(1, 1, 2, 5), addHalf(0, 2, 3, 4, 6), addHalf(1, 1, 5, 6, 0), add(1, 7, 8, (1L << 32) + 8)))
                .isTrue();
        assertThat(linearizable(add(1, 1, 2, 5), addHalf(0, 2, 3, 4, 6), add(1, 7, 8, 6)))
                .as("what was added to four is there")
                .isFalse();
        assertThat(linearizable(addHalf(0, -1, 1, 2, 0), add(0, 3, 4, 0xFFFF_FFFFL)))
                .as("nothing carries from one into the other")
                .isTrue();
    }

    @Test
    void aRandomSerialHistoryIsLinearizableAndOneWrongResultIsNot() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Operation> operations = new ArrayList<>();
            long value = random.nextInt(100);
            for (int i = 0; i < 30; i++) {
                // Each is executed at 10 i, and lasts long enough to overlap its neighbours.
                long at = 10L * i;
                operations.add(add(1, at - random.nextInt(40), at + random.nextInt(40), value++));
            }
            assertThat(AtomicHistory.isLinearizable(operations)).isTrue();
            Operation wrong = operations.get(15);
            operations.set(15, add(1, wrong.from(), wrong.to(), -1));
            assertThat(AtomicHistory.isLinearizable(operations)).isFalse();
        }
    }
}
