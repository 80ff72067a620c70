// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.hcaactors.mutation.MutationPoint;

// rule pages-fragment
/**
 * Free memory of one node in a buddy allocator: a block is split if only a larger one is free, and two free halves are merged.
 * The smallest sufficient block with the lowest number is taken, so that allocating and freeing leaves holes.
 *
 * <p>Memory that was never allocated is kept as one range, however large the node is.
 */
final class FreeBlocks {
    /** Free blocks, by order; each is identified by the number of its first frame. */
    private final List<TreeSet<Long>> free = new ArrayList<>();

    private long nextUnused;
    private long end;
    private long freeFrames;
    /** Order of the largest block kept in the lists. */
    private final int maxOrder;

    /** Order of the largest block that can be allocated; larger ones may be kept. */
    private int largest;

    /**
     * @param first number of the first frame, a multiple of the largest block's size in frames
     * @param largest order of the largest block that can be allocated
     */
    FreeBlocks(long first, long frames, int largest) {
        this.largest = largest;
        maxOrder = largest;
        this.freeFrames = frames;
        for (int order = MIN_ORDER; order <= largest; order++) {
            free.add(new TreeSet<>());
        }
        nextUnused = first;
        end = first + frames & -FrameBlock.frames(largest);
        spread(end, first + frames);
    }

    /** Adds a range as blocks, each as large as its alignment permits. */
    private void spread(long from, long to) {
        long at = from;
        while (at < to) {
            int order = largest;
            while ((at & FrameBlock.frames(order) - 1) != 0 || at + FrameBlock.frames(order) > to) {
                order--;
            }
            merge(new FrameBlock(at, order));
            at += FrameBlock.frames(order);
        }
    }

    /** Limits the order of blocks that can be allocated from now on, whatever is freed. */
    void fragment(int order) {
        largest = Math.min(largest, order);
    }

    long freeFrames() {
        return freeFrames;
    }

    /** Order of the largest free block; 0 if nothing is free. */
    int largestFree() {
        if (nextUnused < end) {
            return largest;
        }
        for (int order = maxOrder; order >= MIN_ORDER; order--) {
            if (!at(order).isEmpty()) {
                return Math.min(order, largest);
            }
        }
        return 0;
    }

    /** Number of blocks of that order that can be allocated. */
    long count(int order) {
        if (order > largest) {
            return 0;
        }
        long found = end - nextUnused >> order - MIN_ORDER;
        for (int larger = order; larger <= maxOrder; larger++) {
            found += (long) at(larger).size() << larger - order;
        }
        return found;
    }

    /** Allocates a block of that order; call it only if there is one. */
    FrameBlock allocate(int order) {
        FrameBlock found = smallest(order);
        freeFrames -= FrameBlock.frames(order);
        while (found.order() > order) {
            add(found.upperHalf());
            found = found.lowerHalf();
        }
        return found;
    }

    /**
     * Allocates the largest block of at most this many frames out of the smallest free block, as allocating page by page would.
     */
    FrameBlock allocateUpTo(long max) {
        FrameBlock found = smallest(MIN_ORDER);
        while (found.frames() > max) {
            add(found.upperHalf());
            found = found.lowerHalf();
        }
        freeFrames -= found.frames();
        return found;
    }

    private FrameBlock smallest(int order) {
        for (int larger = order; larger <= maxOrder; larger++) {
            Long first = at(larger).pollFirst();
            if (first != null) {
                return new FrameBlock(first, larger);
            }
        }
        if (nextUnused == end) {
            throw new IllegalStateException("no block of order " + order + " is free");
        }
        FrameBlock unused = new FrameBlock(nextUnused, maxOrder);
        nextUnused += unused.frames();
        return unused;
    }

    void free(FrameBlock taken) {
        freeFrames += taken.frames();
        merge(taken);
    }

    @MutationPoint("free-blocks.merge")
    private void merge(FrameBlock one) {
        FrameBlock merged = one;
        while (merged.order() < largest
                && at(merged.order()).remove(merged.buddy().first())) {
            merged = merged.parent();
        }
        add(merged);
    }

    private void add(FrameBlock block) {
        at(block.order()).add(block.first());
    }

    private TreeSet<Long> at(int order) {
        return free.get(order - MIN_ORDER);
    }
}
