// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;

// rule pages-huge
/**
 * Huge pages of one context. Its buffers share them, in chunks of 32 KiB; a page returns to the host's pool with the last
 * buffer in it. Safe for several threads.
 */
final class HugePages {
    private static final int ORDER = Long.numberOfTrailingZeros(MemoryNode.HUGE_PAGE_BYTES);
    private static final int CHUNK_SHIFT = 15;
    private static final int CHUNKS = 1 << ORDER - CHUNK_SHIFT;

    /** Pages that were allocated together and are consecutive in the process. */
    private final class Slab implements PageSource {
        private final int[] byNode;
        private final int chunks;
        private final BitSet inUse = new BitSet();

        Slab(int pages, int... byNode) {
            this.byNode = byNode;
            chunks = pages * CHUNKS;
        }

        Optional<AllocatedPages> take(int count) {
            int at = inUse.nextClearBit(0);
            while (at + count <= chunks) {
                int used = inUse.nextSetBit(at);
                if (used < 0 || used - at >= count) {
                    inUse.set(at, at + count);
                    return Optional.of(host.inHuge(this, ORDER, (long) count << Integer.SIZE | at));
                }
                at = inUse.nextClearBit(used);
            }
            return Optional.empty();
        }

        @Override
        public PageLayout layout(AllocatedPages pages) {
            long place = pages.blocks()[0];
            int last = first(place) + count(place) - 1;
            return new PageLayout(PageType.HUGE, ORDER, last / CHUNKS - first(place) / CHUNKS + 1, node());
        }

        private OptionalInt node() {
            int found = -1;
            for (int i = 0; i < byNode.length; i++) {
                if (byNode[i] > 0 && found >= 0) {
                    return OptionalInt.empty();
                }
                found = byNode[i] > 0 ? i : found;
            }
            return OptionalInt.of(found);
        }

        @Override
        public void free(AllocatedPages pages) {
            long place = pages.blocks()[0];
            synchronized (HugePages.this) {
                host.countHugeFreed();
                inUse.clear(first(place), first(place) + count(place));
                if (inUse.isEmpty()) {
                    slabs.remove(this);
                    host.freeHuge(byNode);
                }
            }
        }
    }

    private final HostPages host;
    private final List<Slab> slabs = new ArrayList<>();

    HugePages(HostPages host) {
        this.host = host;
    }

    private static int first(long place) {
        return (int) place;
    }

    private static int count(long place) {
        return (int) (place >>> Integer.SIZE);
    }

    /** Allocates in a page with enough space, else in new pages; empty if there are too few, and then nothing is allocated. */
    synchronized Optional<AllocatedPages> take(long bytes) {
        int chunks = Math.toIntExact(bytes + (1L << CHUNK_SHIFT) - 1 >> CHUNK_SHIFT);
        for (Slab slab : slabs) {
            Optional<AllocatedPages> found = slab.take(chunks);
            if (found.isPresent()) {
                return found;
            }
        }
        int pages = (chunks + CHUNKS - 1) / CHUNKS;
        return host.takeHuge(pages).flatMap(byNode -> {
            Slab slab = new Slab(pages, byNode);
            slabs.add(slab);
            return slab.take(chunks);
        });
    }
}
