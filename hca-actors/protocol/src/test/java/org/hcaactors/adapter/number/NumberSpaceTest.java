// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.hcaactors.adapter.key.KeySpace;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

/** Numbers of queue pairs and keys: first numbers, reuse, and exhaustion. */
class NumberSpaceTest {
    private final NumberSpace ten = new NumberSpace("things", 2, 11, 8);

    @Test
    void numbersStartAtTheirFirstAndWrapAround() {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            taken.add(ten.take());
        }
        assertThat(taken).containsExactly(8, 9, 10, 11, 2, 3, 4, 5, 6, 7);
        assertThat(ten.laps()).isOne();
    }

    // rule event-numbers-rest
    @Test
    void aFreedNumberRestsUntilEveryOtherFreeOneHadItsTurn() {
        int first = ten.take();
        int kept = ten.take();
        ten.free(first);
        for (int i = 0; i < 8; i++) {
            int other = ten.take();
            assertThat(other).isNotEqualTo(first).isNotEqualTo(kept);
            ten.free(other);
        }
        assertThat(ten.take()).isEqualTo(first);
        assertThat(ten.take()).as("in use, skipped").isNotEqualTo(kept);
    }

    @Test
    void exhaustionIsEnomemAndEndsWithTheFirstFreedNumber() {
        for (int i = 0; i < 10; i++) {
            ten.take();
        }
        assertThatThrownBy(ten::take)
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                .hasMessageContaining("all 10 numbers of things are in use");
        ten.free(5);
        ten.free(5);
        ten.free(1000);
        assertThat(ten.take()).isEqualTo(5);
        assertThatThrownBy(ten::take).isInstanceOf(VerbsException.class);
    }

    @Test
    void repeatedCreationAndCloseLeavesNoNumberInUse() {
        for (int i = 0; i < 1000; i++) {
            ten.free(ten.take());
        }
        assertThat(ten.inUse()).isZero();
    }

    // rule memory-key-rests
    @Test
    void aFreedKeyIsReusedOnlyWithAnotherVariant() {
        KeySpace keys = new KeySpace(0xFFFF_FE_FF);
        Set<Integer> ever = new LinkedHashSet<>();
        List<Integer> live = new ArrayList<>(List.of(keys.allocate(), keys.allocate()));
        assertThat(live).containsExactly(0xFFFF_FE_FF, 0xFFFF_FF_FF);
        ever.addAll(live);
        for (int i = 0; i < 1000; i++) {
            int key = keys.allocate();
            assertThat(ever.add(key)).as("key %08x is new", key).isTrue();
            live.add(key);
            keys.release(live.removeFirst());
        }
        assertThat(live.getLast() & 0xFF).as("the variant wraps without carry").isZero();
        assertThat(keys.inUse()).isEqualTo(2);
    }

    // rule memory-key-layout
    @Test
    void theFirstKeyIsTheOneThatWasDrawn() {
        assertThat(new KeySpace(0x212).allocate()).isEqualTo(0x212);
    }

    // rules event-numbers-reserved, memory-key-layout
    @Test
    void reservedNumbersAreNeverDrawn() {
        SplittableRandom random = new SplittableRandom(1);
        Set<Integer> queuePairs = new LinkedHashSet<>();
        for (int i = 0; i < 1000; i++) {
            FirstNumbers drawn = FirstNumbers.drawn(random);
            queuePairs.add(drawn.queuePair());
        }
        assertThat(queuePairs).hasSizeGreaterThan(990);
        assertThatThrownBy(() -> new FirstNumbers(1, 0x200)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FirstNumbers(0xFF_FFFF, 0x200)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FirstNumbers(2, 0x1FF)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void drawnCommunicationNumbersDiffer() {
        SplittableRandom random = new SplittableRandom(7);
        assertThat(Stream.generate(() -> FirstNumbers.drawn(random).communication())
                        .limit(1000))
                .doesNotHaveDuplicates();
        assertThat(new FirstNumbers(17, 0x200).communication()).isZero();
    }
}
