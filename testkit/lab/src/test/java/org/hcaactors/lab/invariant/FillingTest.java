// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.StridedSlice;
import org.junit.jupiter.api.Test;

/** Translation of indirect keys as the invariants compute it. */
class FillingTest {
    private static final int MAX_ENTRIES = 65_535;

    /** A plain, slow translation byte by byte, as the rule describes it. */
    private static List<Long> places(KeyLayout layout, long from, int count) {
        long cycle = layout.lengthBytes() / layout.repeatCount();
        List<Long> places = new ArrayList<>();
        for (long offset = from; offset < from + count; offset++) {
            long left = offset % cycle;
            for (StridedSlice slice : layout.slices()) {
                if (left < slice.lengthBytes()) {
                    places.add(place(slice.lkey(), slice.address() + offset / cycle * slice.strideBytes() + left));
                    break;
                }
                left -= slice.lengthBytes();
            }
        }
        return places;
    }

    private static long place(int key, long address) {
        return ((long) key << 32) + address;
    }

    private static List<Long> places(List<Filling.Run> runs) {
        List<Long> places = new ArrayList<>();
        for (Filling.Run run : runs) {
            for (int i = 0; i < run.count(); i++) {
                places.add(place(run.key(), run.address() + i));
            }
        }
        return places;
    }

    private static Filling of(KeyLayout layout) {
        return new Filling(AccessFlags.NONE, layout);
    }

    // rule indirect-translation
    @Test
    void everyByteHasTheExplainedAddress() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 500; i++) {
            KeyLayout layout = layout(random);
            long from = random.nextLong(layout.lengthBytes() + 1);
            int count = (int) random.nextLong(layout.lengthBytes() - from + 1);
            assertThat(places(of(layout).runs(from, count)))
                    .as("%s, %d bytes at %d", layout, count, from)
                    .isEqualTo(places(layout, from, count));
        }
    }

    /** Some of their slices are empty. */
    private static KeyLayout layout(SplittableRandom random) {
        List<StridedSlice> slices = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            slices.add(new StridedSlice(
                    1 + random.nextInt(3), random.nextInt(1 << 20), random.nextInt(5), random.nextInt(4)));
        }
        slices.add(random.nextInt(slices.size() + 1), new StridedSlice(9, 0, 1, 1));
        return KeyLayout.interleaved(1 + random.nextInt(6), slices);
    }

    // rule indirect-translation
    @Test
    void adjacentSlicesAreOneRun() {
        KeyLayout layout = KeyLayout.list(
                new LocalSlice(5, 0x1000, 8), new LocalSlice(5, 0x1008, 0), new LocalSlice(5, 0x1008, 8));
        assertThat(of(layout).runs(2, 10)).containsExactly(new Filling.Run(5, 0x1002, 10));
    }

    // rule indirect-translation
    @Test
    void theLongestListIsWalkedOnceForAllBytes() {
        List<LocalSlice> slices = new ArrayList<>();
        for (int i = 0; i < MAX_ENTRIES; i++) {
            slices.add(new LocalSlice(i, i, 1));
        }
        Filling filling = of(KeyLayout.list(slices));
        assertThat(filling.runs(0, MAX_ENTRIES)).hasSize(MAX_ENTRIES);
        for (int i = 0; i < MAX_ENTRIES; i++) {
            assertThat(filling.runs(i, 1).getFirst()).isEqualTo(new Filling.Run(i, i, 1));
        }
    }

    @Test
    void bytesOutsideTheLayoutHaveNoRun() {
        Filling filling = of(KeyLayout.list(new LocalSlice(5, 0x1000, 8)));
        assertThatThrownBy(() -> filling.runs(1, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> filling.runs(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(filling.runs(8, 0)).isEmpty();
    }
}
