// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.concurrent.atomic.AtomicLongArray;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.api.memory.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Residency of the pages of one memory in the host's physical memory. It uses a bit for each page once the first is touched,
 * another once one is evicted, and nothing before. Ranges are in bytes of the memory, at least one. Safe for several threads.
 */
final class PageResidency {
    /** State of a page. */
    enum Place {
        /** Never touched: it is brought in as zeros. */
        NOWHERE,
        RESIDENT,
        /** Must be read back. */
        EVICTED
    }

    /** Number of bytes of the first page before the memory. */
    private final long before;

    private final long pages;

    /** Number of pages that are brought in together. */
    private final int together;

    /** State of pages for which no bit is set. */
    private volatile Place first;

    private volatile @Nullable AtomicLongArray resident;
    private volatile @Nullable AtomicLongArray evicted;

    /**
     * @param stands pages of the memory; huge pages are brought in as a whole
     * @param first initial state of every page
     */
    PageResidency(long address, long lengthBytes, AllocatedPages stands, Place first) {
        before = address % ModelledSpace.PAGE;
        pages = lengthBytes == 0 ? 0 : (before + lengthBytes - 1) / ModelledSpace.PAGE + 1;
        together = stands.isHuge() ? 1 << stands.order() - PageLayout.MIN_ORDER : 1;
        this.first = first;
    }

    private int pageOf(long offset) {
        return (int) ((before + offset) / ModelledSpace.PAGE);
    }

    PageCounts countPages(long offset, long count) {
        int from = pageOf(offset);
        int last = pageOf(offset + count - 1);
        long residents = 0;
        long absent = 0;
        for (int word = from >>> 6; word <= last >>> 6; word++) {
            long mask = within(word, from, last);
            long part = residentIn(word);
            residents += Long.bitCount(part & mask);
            absent += Long.bitCount(bits(evicted, word) & ~part & mask);
        }
        return new PageCounts(residents, last - from + 1L - residents - absent, absent);
    }

    /** Returns the first byte of a range that is not in physical memory, -1 for none. */
    long firstAbsent(long offset, long count) {
        int from = pageOf(offset);
        int last = pageOf(offset + count - 1);
        for (int word = from >>> 6; word <= last >>> 6; word++) {
            long absent = ~residentIn(word) & within(word, from, last);
            if (absent != 0) {
                long page = ((long) word << 6) + Long.numberOfTrailingZeros(absent);
                return Math.max(offset, page * ModelledSpace.PAGE - before);
            }
        }
        return -1;
    }

    /** Mask of the pages of a word that are in the range. */
    private static long within(int word, int from, int last) {
        long lower = word == from >>> 6 ? -1L << from : -1L;
        return word == last >>> 6 ? lower & -1L >>> ~last : lower;
    }

    private long residentIn(int word) {
        long noted = bits(resident, word);
        return first == Place.RESIDENT ? noted | ~bits(evicted, word) : noted;
    }

    private static long bits(@Nullable AtomicLongArray bits, int word) {
        return bits == null ? 0 : bits.get(word);
    }

    void touch(long offset, long count) {
        if (first == Place.RESIDENT && evicted == null) {
            return;
        }
        AtomicLongArray bits = residents();
        int from = pageOf(offset) / together * together;
        int last = (int) Math.min(pages - 1, (pageOf(offset + count - 1) / together + 1L) * together - 1);
        for (int word = from >>> 6; word <= last >>> 6; word++) {
            long touched = within(word, from, last);
            if ((bits.get(word) & touched) != touched) {
                set(bits, word, touched);
            }
        }
    }

    /** Makes the whole memory resident for as long as it is pinned. */
    synchronized void pin() {
        first = Place.RESIDENT;
        evicted = null;
    }

    /** Evicts a range; returns how many pages were evicted. */
    int evict(long offset, long count) {
        AtomicLongArray bits = residents();
        AtomicLongArray evictedBits = evictedPages();
        int from = pageOf(offset);
        int last = pageOf(offset + count - 1);
        int evicted = 0;
        for (int word = from >>> 6; word <= last >>> 6; word++) {
            long evicting = residentIn(word) & within(word, from, last);
            if (evicting != 0) {
                set(evictedBits, word, evicting);
                clear(bits, word, evicting);
                evicted += Long.bitCount(evicting);
            }
        }
        return evicted;
    }

    private synchronized AtomicLongArray residents() {
        AtomicLongArray bits = resident;
        if (bits == null) {
            bits = newBits();
            resident = bits;
        }
        return bits;
    }

    private synchronized AtomicLongArray evictedPages() {
        AtomicLongArray bits = evicted;
        if (bits == null) {
            bits = newBits();
            evicted = bits;
        }
        return bits;
    }

    private AtomicLongArray newBits() {
        return new AtomicLongArray(Math.toIntExact(pages + Long.SIZE - 1 >>> 6));
    }

    private static void set(AtomicLongArray bits, int word, long these) {
        bits.getAndAccumulate(word, these, (now, more) -> now | more);
    }

    private static void clear(AtomicLongArray bits, int word, long these) {
        bits.getAndAccumulate(word, these, (now, less) -> now & ~less);
    }
}
