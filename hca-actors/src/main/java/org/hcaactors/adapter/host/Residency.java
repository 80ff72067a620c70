// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.concurrent.atomic.AtomicLongArray;
import org.hcaactors.adapter.page.Pages;
import org.hcaactors.api.memory.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of one memory its host has in physical memory. It costs a bit a page once the first is touched, and nothing
 * before. Safe for several threads.
 */
final class Residency {
    /** Where a page is. */
    enum Place {
        /** Nobody has touched it: it comes as zeros. */
        NOWHERE,
        RESIDENT,
        /** It has to be read back. */
        EVICTED
    }

    private final int pages;

    /** Those that come together. */
    private final int together;

    /** Where pages are of which nothing is noted. */
    private volatile Place first;

    private volatile @Nullable AtomicLongArray resident;
    private volatile @Nullable AtomicLongArray evicted;

    /**
     * @param stands what they stand on; huge pages come whole
     * @param first where every page is
     */
    Residency(int pages, Pages stands, Place first) {
        this.pages = pages;
        together = stands.isHuge() ? 1 << stands.order() - PageLayout.LEAST_ORDER : 1;
        this.first = first;
    }

    PageCensus census(int from, int end) {
        int[] found = new int[Place.values().length];
        for (int page = from; page < end; page++) {
            found[of(page).ordinal()]++;
        }
        return new PageCensus(
                found[Place.RESIDENT.ordinal()], found[Place.NOWHERE.ordinal()], found[Place.EVICTED.ordinal()]);
    }

    private Place of(int page) {
        if (has(resident, page)) {
            return Place.RESIDENT;
        }
        return has(evicted, page) ? Place.EVICTED : first;
    }

    private static boolean has(@Nullable AtomicLongArray bits, int page) {
        return bits != null && (bits.get(page >>> 6) >>> page & 1) != 0;
    }

    void touch(int from, int count) {
        if (first == Place.RESIDENT && evicted == null) {
            return;
        }
        AtomicLongArray bits = residents();
        int end = (from + count + together - 1) / together * together;
        for (int page = from / together * together; page < end; page++) {
            if (!has(bits, page)) {
                set(bits, page);
            }
        }
    }

    /** All of it is held in physical memory. */
    synchronized void pin() {
        first = Place.RESIDENT;
        evicted = null;
    }

    /** Returns how many of the pages went. */
    int evict(int from, int count) {
        AtomicLongArray bits = residents();
        AtomicLongArray gone = gone();
        int went = 0;
        for (int page = from; page < from + count; page++) {
            if (of(page) == Place.RESIDENT) {
                set(gone, page);
                clear(bits, page);
                went++;
            }
        }
        return went;
    }

    private synchronized AtomicLongArray residents() {
        AtomicLongArray bits = resident;
        if (bits == null) {
            bits = fresh();
            resident = bits;
        }
        return bits;
    }

    private synchronized AtomicLongArray gone() {
        AtomicLongArray bits = evicted;
        if (bits == null) {
            bits = fresh();
            evicted = bits;
        }
        return bits;
    }

    private AtomicLongArray fresh() {
        return new AtomicLongArray(pages + Long.SIZE - 1 >>> 6);
    }

    private static void set(AtomicLongArray bits, int page) {
        bits.getAndAccumulate(page >>> 6, 1L << page, (now, bit) -> now | bit);
    }

    private static void clear(AtomicLongArray bits, int page) {
        bits.getAndAccumulate(page >>> 6, 1L << page, (now, bit) -> now & ~bit);
    }
}
