// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Mapped pages of a region. */
class PageMapTest {
    private static final long GIB_PAGES = 1L << 18;

    private final PageMap pages = new PageMap();

    @Test
    void noPageIsMappedAtFirst() {
        assertThat(pages.firstAbsent(0, 1, false)).isZero();
        assertThat(pages.firstAbsent(GIB_PAGES * 77, 5, true)).isEqualTo(GIB_PAGES * 77);
        assertThat(pages.clear(0, Long.MAX_VALUE)).isZero();
    }

    @Test
    void overlappingRangesCountTheirPagesOnce() {
        assertThat(pages.map(510, 4, true)).isEqualTo(4);
        assertThat(pages.map(511, 4, true))
                .as("two new ones, less the three there")
                .isEqualTo(1);
        assertThat(pages.firstAbsent(510, 5, true)).isEqualTo(-1);
        assertThat(pages.firstAbsent(509, 2, false)).isEqualTo(509);
        assertThat(pages.firstAbsent(510, 6, false)).isEqualTo(515);
        assertThat(pages.size()).isEqualTo(5);
    }

    @Test
    void aReadOnlyPageIsAbsentForWritesUntilItIsMappedForWriting() {
        pages.map(0, 128, false);
        assertThat(pages.firstAbsent(0, 128, false)).isEqualTo(-1);
        assertThat(pages.firstAbsent(3, 2, true)).isEqualTo(3);
        assertThat(pages.map(3, 1, true)).as("it was had").isZero();
        assertThat(pages.firstAbsent(3, 2, true)).isEqualTo(4);
        pages.map(3, 1, false);
        assertThat(pages.firstAbsent(3, 1, true)).as("still to be written").isEqualTo(-1);
    }

    @Test
    void aPageMappedReadOnlyAfterAClearIsNotWritable() {
        pages.map(9, 1, true);
        assertThat(pages.clear(9, 1)).isEqualTo(1);
        pages.map(9, 1, false);
        assertThat(pages.firstAbsent(9, 1, true)).isEqualTo(9);
    }

    // rule paging-implicit
    @Test
    void pagesTebibytesApartCostOnlyTheirChunks() {
        for (int i = 0; i < 1024; i++) {
            pages.map(i * GIB_PAGES + i, 2, true);
        }
        assertThat(pages.chunks()).as("two of them on both sides of 2 MiB").isEqualTo(1024 + 2);
        assertThat(pages.size()).isEqualTo(2048);
        assertThat(pages.firstAbsent(1000 * GIB_PAGES + 1000, 2, true)).isEqualTo(-1);
        assertThat(pages.clear(0, Long.MAX_VALUE)).isEqualTo(2048);
        assertThat(pages.chunks()).isZero();
    }

    @Test
    void thePageMapAgreesWithAMapOfSinglePages() {
        SplittableRandom chance = new SplittableRandom(7);
        TreeMap<Long, Boolean> model = new TreeMap<>();
        for (int round = 0; round < 20_000; round++) {
            long from = GIB_PAGES - 700 + chance.nextLong(1400);
            long count = 1 + chance.nextLong(80);
            boolean writing = chance.nextBoolean();
            switch (chance.nextInt(3)) {
                case 0 -> {
                    long fresh = 0;
                    for (long page = from; page < from + count; page++) {
                        fresh += model.containsKey(page) ? 0 : 1;
                        model.merge(page, writing, Boolean::logicalOr);
                    }
                    assertThat(pages.map(from, count, writing)).isEqualTo(fresh);
                }
                case 1 -> {
                    long lost = model.subMap(from, from + count).size();
                    model.subMap(from, from + count).clear();
                    assertThat(pages.clear(from, count)).isEqualTo(lost);
                }
                default -> {
                    long absent = -1;
                    for (long page = from; page < from + count && absent < 0; page++) {
                        boolean there = writing ? model.getOrDefault(page, false) : model.containsKey(page);
                        absent = there ? -1 : page;
                    }
                    assertThat(pages.firstAbsent(from, count, writing)).isEqualTo(absent);
                }
            }
            assertThat(pages.size()).isEqualTo(model.size());
        }
    }
}
