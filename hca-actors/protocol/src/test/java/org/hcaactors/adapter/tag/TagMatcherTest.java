// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tag list and its phases. */
class TagMatcherTest {
    private final TagMatcher matcher = new TagMatcher();
    private long serial;

    private TagMatcher.Done add(long tag, long mask) {
        return matcher.carryOut(TagAdd.of(0, Receive.of(++serial), tag).withMask(mask), serial);
    }

    private TagMatcher.Done add(long tag) {
        return add(tag, TagAdd.EXACTLY);
    }

    private boolean delete(long which) {
        return matcher.carryOut(TagDelete.of(0, new TagHandle(1, which)), 0).found();
    }

    private void sync(int handled) {
        matcher.carryOut(TagSync.of(0, handled), 0);
    }

    private Optional<Long> match(long tag) {
        return matcher.match(tag).map(TagEntry::serial);
    }

    // rule tag-match
    @Test
    void aTagTakesTheFirstMatchingEntry() {
        add(5);
        add(0, 0);
        add(5);
        assertThat(match(5)).hasValue(1L);
        assertThat(match(5)).hasValue(2L);
        assertThat(match(6)).isEmpty();
        assertThat(match(5)).hasValue(3L);
    }

    // rule tag-match
    @Test
    void aTagBitOutsideItsMaskMatchesNothing() {
        add(0x13, 0xF0);
        assertThat(match(0x13)).isEmpty();
        assertThat(match(0x10)).isEmpty();
    }

    // rule tag-delete-race
    @Test
    void aMatchedEntryCantBeDeleted() {
        add(5);
        add(6);
        match(5);
        assertThat(delete(1)).isFalse();
        assertThat(delete(2)).isTrue();
        assertThat(delete(2)).isFalse();
    }

    // rule tag-phase
    @Test
    void entriesAddedOutOfPhaseMatchNothingUntilTheCountsAreEqual() {
        add(5);
        matcher.deliver();
        assertThat(add(6).syncRequested()).isTrue();
        add(5);
        assertThat(match(6)).as("it is there, and hidden").isEmpty();
        assertThat(match(5)).as("what was there before matches").hasValue(1L);
        assertThat(match(5)).isEmpty();
        matcher.deliver();
        sync(1);
        assertThat(match(6)).isEmpty();
        sync(2);
        assertThat(match(6)).hasValue(2L);
        assertThat(match(5)).hasValue(3L);
    }

    // rule tag-phase
    @Test
    void countsHave16Bits() {
        for (int i = 0; i < 0x1_0000; i++) {
            matcher.deliver();
        }
        assertThat(add(5).syncRequested()).isFalse();
        assertThat(matcher.snapshot().unexpected()).isZero();
    }

    // rule tag-phase
    @Test
    void aLongSilentProgramIsRequestedToSynchronize() {
        for (int i = 0; i < 0x3FFF; i++) {
            assertThat(matcher.deliver()).isFalse();
        }
        assertThat(matcher.deliver()).isTrue();
        sync(0x3FFF);
        assertThat(matcher.deliver()).isFalse();
    }

    // rule tag-returned
    @Test
    void aReturnedEntryIsAtItsFormerPlace() {
        add(5);
        add(5);
        TagEntry first = matcher.match(5).orElseThrow();
        add(5);
        matcher.takeBack(first);
        assertThat(match(5)).hasValue(1L);
        assertThat(match(5)).hasValue(2L);
        matcher.deliver();
        add(7);
        matcher.undeliver();
        assertThat(match(7)).as("nothing is unexpected any more").hasValue(4L);
    }

    // rules tag-returned, tag-delete-race
    @Test
    void anEntryWithARefusedDeletionIsNotTakenBack() {
        add(5);
        TagEntry taken = matcher.match(5).orElseThrow();
        assertThat(delete(1)).isFalse();
        assertThat(matcher.takeBack(taken)).isFalse();
        assertThat(match(5)).as("a message has it, and the deletion failed").isEmpty();
        add(6);
        TagEntry other = matcher.match(6).orElseThrow();
        matcher.finished(other);
        assertThat(delete(2)).isFalse();
        add(7);
        assertThat(matcher.takeBack(matcher.match(7).orElseThrow())).isTrue();
    }

    /** A plain reference model. */
    private static final class Reference {
        record Waiting(long serial, long tag, long mask) {}

        final List<Waiting> list = new ArrayList<>();
        int delivered;
        int activeUpTo;

        Optional<Long> match(long tag) {
            for (Waiting each : list) {
                if ((tag & each.mask) == each.tag) {
                    if (each.serial > activeUpTo) {
                        return Optional.empty();
                    }
                    list.remove(each);
                    return Optional.of(each.serial);
                }
            }
            return Optional.empty();
        }
    }

    // rules tag-match, tag-phase, tag-delete-race
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theMatcherBehavesLikeAPlainList(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Reference reference = new Reference();
        int handled = 0;
        for (int i = 0; i < 5_000; i++) {
            long tag = random.nextInt(6);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    long mask = random.nextInt(4) == 0 ? random.nextInt(8) : TagAdd.EXACTLY;
                    add(tag & mask, mask);
                    reference.list.add(new Reference.Waiting(serial, tag & mask, mask));
                    if (reference.delivered == handled) {
                        reference.activeUpTo = (int) serial;
                    }
                }
                case 3 -> {
                    long which = 1 + random.nextLong(serial + 1);
                    assertThat(delete(which)).isEqualTo(reference.list.removeIf(each -> each.serial == which));
                }
                case 4 -> {
                    handled = random.nextInt(3) == 0 ? Math.min(handled + 1, reference.delivered) : reference.delivered;
                    sync(handled);
                    if (handled == reference.delivered) {
                        reference.activeUpTo = (int) serial;
                    }
                }
                default -> {
                    Optional<Long> expected = reference.match(tag);
                    assertThat(match(tag)).isEqualTo(expected);
                    if (expected.isEmpty()) {
                        reference.delivered++;
                        matcher.deliver();
                    }
                }
            }
            assertThat(matcher.snapshot().tags()).isEqualTo(reference.list.size());
        }
    }
}
