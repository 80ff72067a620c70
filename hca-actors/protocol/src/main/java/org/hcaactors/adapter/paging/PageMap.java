// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

// rule paging-implicit
/**
 * Pages of one region that the adapter has mapped, for reading or also for writing, by page number in the process's address
 * space. Memory use depends only on its content: 128 bytes for each 2 MiB, and a table for each 1 GiB, with a mapped page.
 *
 * <p>Read by any thread for each access, without allocation or locks; changed by one thread, the pager's. A page that is being
 * mapped may be missed, which costs another fault; one that {@link #clear} has removed is not found.
 */
public final class PageMap {
    /** log2 of the page size in bytes. */
    public static final int PAGE_SHIFT = 12;

    public static final long PAGE = 1L << PAGE_SHIFT;

    /** log2 of the pages in a chunk of 2 MiB. */
    private static final int CHUNK_SHIFT = 9;

    private static final int CHUNK_PAGES = 1 << CHUNK_SHIFT;

    /** Number of longs in a chunk for each of its two bitmaps. */
    private static final int WORDS = CHUNK_PAGES / Long.SIZE;

    /** log2 of the chunks in a slot of 1 GiB, the unit of translations in an implicit region. */
    private static final int SLOT_SHIFT = 9;

    private static final int SLOT_CHUNKS = 1 << SLOT_SHIFT;

    private static final Slot[] NONE = {};

    /** One bitmap of mapped pages, and one of writable pages. */
    private static final class Chunk {
        final AtomicLongArray bits = new AtomicLongArray(2 * WORDS);
        int had;
    }

    private static final class Slot {
        final long number;
        final AtomicReferenceArray<@Nullable Chunk> chunks = new AtomicReferenceArray<>(SLOT_CHUNKS);
        int made;

        Slot(long number) {
            this.number = number;
        }
    }

    /** In the order of their numbers. */
    private volatile Slot[] slots = NONE;

    private long had;

    /** Number of mapped pages. Call it on the thread that changes the map. */
    long size() {
        return had;
    }

    /** Returns the number of the first page of a range that is not mapped, or not writable if {@code writing}; -1 for none. */
    public long firstAbsent(long from, long pages, boolean writing) {
        int mark = writing ? WORDS : 0;
        long end = from + pages;
        long page = from;
        while (page < end) {
            Chunk chunk = find(page >>> CHUNK_SHIFT);
            if (chunk == null) {
                return page;
            }
            int in = (int) page & CHUNK_PAGES - 1;
            long absent = ~chunk.bits.get(mark + in / Long.SIZE) >>> in;
            if (absent != 0) {
                long first = page + Long.numberOfTrailingZeros(absent);
                return first < end ? first : -1;
            }
            page += Long.SIZE - in % Long.SIZE;
        }
        return -1;
    }

    private @Nullable Chunk find(long chunk) {
        Slot slot = slot(chunk >>> SLOT_SHIFT);
        return slot == null ? null : slot.chunks.get((int) chunk & SLOT_CHUNKS - 1);
    }

    private @Nullable Slot slot(long number) {
        Slot[] all = slots;
        int low = 0;
        int high = all.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            Slot at = all[middle];
            if (at.number == number) {
                return at;
            }
            if (at.number < number) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /** Maps these pages; returns how many of them were not mapped before. */
    @MutationPoint("page-map.map")
    long map(long from, long pages, boolean writable) {
        long before = had;
        for (long page = from; page < from + pages; page++) {
            Chunk chunk = make(page >>> CHUNK_SHIFT);
            int in = (int) page & CHUNK_PAGES - 1;
            if (set(chunk.bits, in / Long.SIZE, 1L << in)) {
                chunk.had++;
                had++;
            }
            if (writable) {
                set(chunk.bits, WORDS + in / Long.SIZE, 1L << in);
            }
        }
        return had - before;
    }

    private static boolean set(AtomicLongArray bits, int word, long bit) {
        long now = bits.get(word);
        bits.set(word, now | bit);
        return (now & bit) == 0;
    }

    private Chunk make(long number) {
        Slot slot = slot(number >>> SLOT_SHIFT);
        if (slot == null) {
            slot = new Slot(number >>> SLOT_SHIFT);
            Slot[] more = Arrays.copyOf(slots, slots.length + 1);
            int at = more.length - 1;
            while (at > 0 && more[at - 1].number > slot.number) {
                more[at] = more[at - 1];
                at--;
            }
            more[at] = slot;
            slots = more;
        }
        int in = (int) number & SLOT_CHUNKS - 1;
        Chunk chunk = slot.chunks.get(in);
        if (chunk == null) {
            chunk = new Chunk();
            slot.chunks.set(in, chunk);
            slot.made++;
        }
        return chunk;
    }

    /** Unmaps these pages; returns how many of them were mapped. Empty chunks are freed. */
    @MutationPoint("page-map.clear")
    long clear(long from, long pages) {
        long before = had;
        long end = from + pages < 0 ? Long.MAX_VALUE : from + pages;
        for (Slot slot : slots) {
            long first = Math.max(from >>> CHUNK_SHIFT, slot.number << SLOT_SHIFT);
            long last = Math.min(end - 1 >>> CHUNK_SHIFT, (slot.number + 1 << SLOT_SHIFT) - 1);
            for (long chunk = first; chunk <= last; chunk++) {
                clear(slot, chunk, from, end);
            }
        }
        if (before != had) {
            slots = Arrays.stream(slots).filter(slot -> slot.made > 0).toArray(Slot[]::new);
        }
        return before - had;
    }

    private void clear(Slot slot, long number, long from, long end) {
        int place = (int) number & SLOT_CHUNKS - 1;
        Chunk chunk = slot.chunks.get(place);
        if (chunk == null) {
            return;
        }
        int first = (int) Math.max(0, from - (number << CHUNK_SHIFT));
        int last = (int) Math.min(CHUNK_PAGES, end - (number << CHUNK_SHIFT));
        for (int in = first; in < last; in++) {
            int word = in / Long.SIZE;
            long others = ~(1L << in);
            long now = chunk.bits.get(word);
            if ((now & ~others) != 0) {
                chunk.bits.set(WORDS + word, chunk.bits.get(WORDS + word) & others);
                chunk.bits.set(word, now & others);
                chunk.had--;
                had--;
            }
        }
        if (chunk.had == 0) {
            slot.chunks.set(place, null);
            slot.made--;
        }
    }

    /** Number of 2 MiB chunks with mapped pages, for measurements. */
    int chunks() {
        return Arrays.stream(slots).mapToInt(slot -> slot.made).sum();
    }
}
