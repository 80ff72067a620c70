// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.StridedSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Translation of an indirect key's addresses. */
class LayoutTranslationTest {
    private static final int ROUNDS = 500;

    /** One byte: the key and its address there. */
    private record Place(int key, long address) {}

    private static List<Place> walked(LayoutTranslation layout, long from, long count) {
        List<Place> places = new ArrayList<>();
        boolean all = layout.walk(from, count, (part, address, done, piece) -> {
            assertThat(done).isEqualTo(places.size());
            assertThat(piece).isPositive();
            for (long i = 0; i < piece; i++) {
                places.add(new Place(layout.keys().get(part), address + i));
            }
            return true;
        });
        assertThat(all).isTrue();
        return places;
    }

    /** Translates byte by byte, as the documentation describes it. */
    private static List<Place> plainly(KeyLayout layout) {
        List<Place> places = new ArrayList<>();
        for (int time = 0; time < layout.repeatCount(); time++) {
            for (StridedSlice slice : layout.slices()) {
                long first = slice.address() + time * ((long) slice.lengthBytes() + slice.skipBytes());
                for (int i = 0; i < slice.lengthBytes(); i++) {
                    places.add(new Place(slice.lkey(), first + i));
                }
            }
        }
        return places;
    }

    // rule indirect-translation
    @ParameterizedTest(name = "byte {0} is at {1}")
    @CsvSource({
        "0, 0x1000",
        "7, 0x1007",
        "8, 0x9000",
        "12, 0x1010",
        "20, 0x9010",
        "23, 0x9013",
        "24, 0x1020",
        "35, 0x9023",
    })
    void slicesAreInterleavedStrideByStride(long offset, String address) {
        LayoutTranslation layout = new LayoutTranslation(
                KeyLayout.interleaved(3, new StridedSlice(5, 0x1000, 8, 8), new StridedSlice(6, 0x9000, 4, 12)));
        assertThat(layout.lengthBytes()).isEqualTo(36);
        assertThat(walked(layout, offset, 1)).extracting(Place::address).containsExactly(Long.decode(address));
    }

    // rule indirect-translation
    @Test
    void aClassicStrideCountsFromFirstByteToFirstByte() {
        KeyLayout old = KeyLayout.interleaved(3, StridedSlice.ofStride(5, 0x1000, 8, 16));
        assertThat(old).isEqualTo(KeyLayout.interleaved(3, new StridedSlice(5, 0x1000, 8, 8)));
        KeyLayout still = KeyLayout.interleaved(2, StridedSlice.ofStride(5, 0x1000, 2, 0));
        assertThat(walked(new LayoutTranslation(still), 0, 4))
                .extracting(Place::address)
                .containsExactly(0x1000L, 0x1001L, 0x1000L, 0x1001L);
    }

    // rules indirect-translation, indirect-alignment
    @Test
    void everyRangeOfEveryLayoutIsWhatAPlainWalkFinds() {
        SplittableRandom chance = new SplittableRandom(14);
        for (int round = 0; round < ROUNDS; round++) {
            KeyLayout layout = any(chance);
            LayoutTranslation translated = new LayoutTranslation(layout);
            List<Place> all = plainly(layout);
            assertThat(translated.lengthBytes()).as("%s", layout).isEqualTo(all.size());
            int from = chance.nextInt(all.size() + 1);
            int count = chance.nextInt(all.size() - from + 1);
            assertThat(walked(translated, from, count))
                    .as("%d bytes from %d of %s", count, from, layout)
                    .isEqualTo(all.subList(from, from + count));
        }
    }

    // rule indirect-translation
    @Test
    void aSpanBeginsAndEndsWithATouchedByteOfItsSliceAndLeavesNoneOut() {
        SplittableRandom chance = new SplittableRandom(15);
        for (int round = 0; round < ROUNDS; round++) {
            KeyLayout layout = any(chance);
            LayoutTranslation translated = new LayoutTranslation(layout);
            int all = (int) translated.lengthBytes();
            if (all == 0) {
                continue;
            }
            int from = chance.nextInt(all);
            int count = 1 + chance.nextInt(all - from);
            List<Place> touched = walked(translated, from, count);
            List<Place> spanned = new ArrayList<>();
            translated.span(from, count, (part, address, bytes, gaps) -> {
                int key = translated.keys().get(part);
                assertThat(touched)
                        .as("%d bytes from %d of %s", count, from, layout)
                        .contains(new Place(key, address), new Place(key, address + bytes - 1));
                for (long i = 0; i < bytes; i++) {
                    spanned.add(new Place(key, address + i));
                }
                return true;
            });
            assertThat(spanned)
                    .as("%d bytes from %d of %s", count, from, layout)
                    .containsAll(touched);
        }
    }

    @Test
    void spansAreOrderedByFirstByteAndOnlyOfTouchedSlices() {
        LayoutTranslation layout = new LayoutTranslation(KeyLayout.interleaved(
                3, new StridedSlice(7, 0, 4, 4), new StridedSlice(8, 0, 4, 4), new StridedSlice(9, 0, 4, 4)));
        assertThat(spanned(layout, 0, 5)).containsExactly(7, 8);
        assertThat(spanned(layout, 5, 3)).containsExactly(8);
        assertThat(spanned(layout, 9, 4)).containsExactly(9, 7);
        assertThat(spanned(layout, 5, 12)).containsExactly(8, 9, 7);
        assertThat(spanned(layout, 9, 27)).containsExactly(9, 7, 8);
    }

    private static List<Integer> spanned(LayoutTranslation layout, long from, long count) {
        List<Integer> keys = new ArrayList<>();
        layout.span(
                from,
                count,
                (part, address, bytes, gaps) -> keys.add(layout.keys().get(part)));
        return keys;
    }

    private static KeyLayout any(SplittableRandom chance) {
        int slices = chance.nextInt(6);
        if (chance.nextBoolean()) {
            List<LocalSlice> list = new ArrayList<>();
            for (int i = 0; i < slices; i++) {
                list.add(new LocalSlice(chance.nextInt(3), chance.nextLong(), chance.nextInt(20)));
            }
            return KeyLayout.list(list);
        }
        List<StridedSlice> strided = new ArrayList<>();
        for (int i = 0; i < slices; i++) {
            int length = chance.nextInt(20);
            strided.add(new StridedSlice(chance.nextInt(3), chance.nextLong(), length, chance.nextInt(-length, 30)));
        }
        return KeyLayout.interleaved(chance.nextInt(6), strided);
    }

    // rule indirect-totals
    @Test
    void totalsHave64BitsAndLargerTotalsAreRefused() {
        StridedSlice large = new StridedSlice(5, 0, Integer.MAX_VALUE, 0);
        KeyLayout max = KeyLayout.interleaved(Integer.MAX_VALUE, large, large);
        long total = 2L * Integer.MAX_VALUE * Integer.MAX_VALUE;
        LayoutTranslation layout = new LayoutTranslation(max);
        assertThat(max.lengthBytes()).isEqualTo(total);
        assertThat(walked(layout, total - 1, 1))
                .extracting(Place::address)
                .containsExactly((long) Integer.MAX_VALUE * Integer.MAX_VALUE - 1);
        assertThat(layout.covers(0, total)).isTrue();
        assertThat(layout.covers(1, total)).isFalse();
        assertThat(layout.covers(total, 1)).isFalse();
        assertThat(layout.covers(-1, 1)).isFalse();
        assertThat(layout.covers(Long.MAX_VALUE, Long.MAX_VALUE)).isFalse();
        assertThatThrownBy(() -> KeyLayout.interleaved(Integer.MAX_VALUE, large, large, large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2^63");
    }

    // rule indirect-parts
    @Test
    void aKeyIsNamedOnceAndOneWithoutBytesNotAtAll() {
        LayoutTranslation layout = new LayoutTranslation(KeyLayout.list(
                new LocalSlice(7, 0, 4), new LocalSlice(8, 0, 0), new LocalSlice(9, 0, 4), new LocalSlice(7, 64, 4)));
        assertThat(layout.keys()).containsExactly(7, 9);
        assertThat(new LayoutTranslation(KeyLayout.interleaved(0, new StridedSlice(7, 0, 4, 4))).keys())
                .isEmpty();
    }

    @Test
    void theWalkEndsWhenNoMoreIsWanted() {
        LayoutTranslation layout = new LayoutTranslation(KeyLayout.interleaved(100, new StridedSlice(7, 0, 1, 1)));
        List<Long> seen = new ArrayList<>();
        boolean all = layout.walk(0, 100, (part, address, done, piece) -> {
            seen.add(address);
            return seen.size() < 3;
        });
        assertThat(all).isFalse();
        assertThat(seen).containsExactly(0L, 2L, 4L);
    }

    @Test
    void aNegativeLengthStrideOrCountIsRefused() {
        assertThatThrownBy(() -> new StridedSlice(1, 0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StridedSlice(1, 0, 4, -5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyLayout.interleaved(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
