// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.hcaactors.adapter.host.PageResidency.Place;
import org.hcaactors.adapter.page.AllocatedPages;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resident pages of a memory, compared with a model that stores each page. */
class PageResidencyTest {
    private static final int PAGE = 4096;

    // rule paging-host
    @ParameterizedTest
    @CsvSource({
        "NOWHERE,  0,    819200",
        "RESIDENT, 0,    819200",
        "NOWHERE,  8,    819200",
        "RESIDENT, 4088, 262144",
        "NOWHERE,  4088, 9",
        "NOWHERE,  0,    262144",
        "RESIDENT, 16,   1"
    })
    void rangesOfAnyPlaceAndLengthAreCountedTouchedAndTakenPageByPage(Place first, int before, int lengthBytes) {
        PageResidency residency =
                new PageResidency(0x7F00_0000_0000L + before, lengthBytes, AllocatedPages.NONE, first);
        Place[] model = new Place[(before + lengthBytes - 1) / PAGE + 1];
        Arrays.fill(model, first);
        Random random = new Random(lengthBytes + before);
        for (int i = 0; i < 3000; i++) {
            int offset = random.nextInt(lengthBytes);
            int count = 1 + random.nextInt(lengthBytes - offset);
            int from = (before + offset) / PAGE;
            int end = (before + offset + count - 1) / PAGE + 1;
            switch (random.nextInt(5)) {
                case 0 -> {
                    residency.touch(offset, count);
                    Arrays.fill(model, from, end, Place.RESIDENT);
                }
                case 1, 2 -> {
                    int went = 0;
                    for (int page = from; page < end; page++) {
                        went += model[page] == Place.RESIDENT ? 1 : 0;
                        model[page] = model[page] == Place.RESIDENT ? Place.EVICTED : model[page];
                    }
                    assertThat(residency.evict(offset, count)).isEqualTo(went);
                }
                case 3 -> {
                    if (i % 50 == 0) {
                        residency.pin();
                        Arrays.fill(model, Place.RESIDENT);
                    }
                }
                default -> {}
            }
            assertThat(residency.countPages(offset, count)).isEqualTo(census(model, from, end));
            assertThat(residency.firstAbsent(offset, count)).isEqualTo(firstAbsent(model, from, end, offset, before));
        }
    }

    private static PageCounts census(Place[] model, int from, int end) {
        int[] found = new int[Place.values().length];
        for (int page = from; page < end; page++) {
            found[model[page].ordinal()]++;
        }
        return new PageCounts(
                found[Place.RESIDENT.ordinal()], found[Place.NOWHERE.ordinal()], found[Place.EVICTED.ordinal()]);
    }

    private static long firstAbsent(Place[] model, int from, int end, int offset, int before) {
        for (int page = from; page < end; page++) {
            if (model[page] != Place.RESIDENT) {
                return Math.max(offset, page * PAGE - before);
            }
        }
        return -1;
    }
}
