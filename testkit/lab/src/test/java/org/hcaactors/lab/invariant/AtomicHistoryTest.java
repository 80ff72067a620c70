// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.hcaactors.lab.invariant.AtomicHistory.Operation;
import org.junit.jupiter.api.Test;

class AtomicHistoryTest {
    private static Operation add(long addend, long from, long to, long result) {
        return Operation.add(addend, from, to, OptionalLong.of(result));
    }

    private static Operation swap(long compare, long swap, long from, long to, long result) {
        return Operation.swap(compare, swap, from, to, OptionalLong.of(result));
    }

    private static boolean linearizable(Operation... operations) {
        return AtomicHistory.isLinearizable(List.of(operations));
    }

    @Test
    void oneAfterTheOtherEachSeesWhatTheOneBeforeLeft() {
        assertThat(linearizable(add(1, 1, 2, 5), add(1, 3, 4, 6), swap(7, 0, 5, 6, 7), add(2, 7, 8, 0)))
                .isTrue();
    }

    @Test
    void twoThatSawTheSameValueLostAnUpdate() {
        assertThat(linearizable(add(1, 1, 4, 5), add(1, 2, 3, 5))).isFalse();
    }

    @Test
    void resultsMayComeInAnyOrderWhileTheOperationsOverlap() {
        assertThat(linearizable(add(1, 1, 9, 6), add(1, 2, 8, 5))).isTrue();
    }

    @Test
    void realTimeIsKept() {
        assertThat(linearizable(add(1, 1, 2, 6), add(1, 3, 4, 5))).isFalse();
    }

    @Test
    void whatNeverAnsweredMayHaveHappenedOrNot() {
        Operation lost = Operation.add(10, 2, Long.MAX_VALUE, OptionalLong.empty());
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 1))).isTrue();
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 11))).isTrue();
        assertThat(linearizable(add(1, 1, 3, 0), lost, add(1, 4, 5, 21)))
                .as("but not twice")
                .isFalse();
    }

    @Test
    void aSwapThatFailedChangesNothing() {
        assertThat(linearizable(add(1, 1, 2, 0), swap(5, 9, 3, 4, 1), add(1, 5, 6, 1)))
                .isTrue();
        assertThat(linearizable(add(1, 1, 2, 0), swap(5, 9, 3, 4, 1), add(1, 5, 6, 9)))
                .isFalse();
    }

    @Test
    void aRandomSerialHistoryIsLinearizableAndOneWrongResultIsNot() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom lots = new SplittableRandom(seed);
            List<Operation> operations = new ArrayList<>();
            long value = lots.nextInt(100);
            for (int i = 0; i < 30; i++) {
                // Each is carried out at 10 i, and lasts long enough to overlap with its neighbours.
                long at = 10L * i;
                operations.add(add(1, at - lots.nextInt(40), at + lots.nextInt(40), value++));
            }
            assertThat(AtomicHistory.isLinearizable(operations)).isTrue();
            Operation wrong = operations.get(15);
            operations.set(15, Operation.add(1, wrong.from(), wrong.to(), OptionalLong.of(-1)));
            assertThat(AtomicHistory.isLinearizable(operations)).isFalse();
        }
    }
}
