// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.hcaactors.mutation.MutationPoint;

// rule pages-fragment
/**
 * What is free of one node's memory, as a buddy allocator keeps it: a block is split where only a larger one is free, and two
 * halves that are free are one again. The least that serves is taken, and of these the one with the lowest number, so that what
 * is taken and given back leaves holes.
 *
 * <p>What nobody ever took is kept as one range, however large the node is.
 */
final class FreeBlocks {
    /** Numbers of first frames, by order. */
    private final List<TreeSet<Long>> free = new ArrayList<>();

    private long untouched;
    private long end;
    private long frames;
    /** The largest that is ever kept whole. */
    private final int top;

    /** Nothing above it is one block for whoever asks, though it may be kept as one. */
    private int largest;

    /**
     * @param first number of its first frame, a multiple of the largest block's
     * @param largest order above which nothing is one block, whatever is free
     */
    FreeBlocks(long first, long frames, int largest) {
        this.largest = largest;
        top = largest;
        this.frames = frames;
        for (int order = MIN_ORDER; order <= largest; order++) {
            free.add(new TreeSet<>());
        }
        untouched = first;
        end = first + frames & -FrameBlock.frames(largest);
        spread(end, first + frames);
    }

    /** As blocks, each as large as its place allows. */
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

    /** From now on nothing above that order is one block, whatever is freed. */
    void fragment(int order) {
        largest = Math.min(largest, order);
    }

    long freeFrames() {
        return frames;
    }

    /** Order of the largest free block; 0 if nothing is free. */
    int largestFree() {
        if (untouched < end) {
            return largest;
        }
        for (int order = top; order >= MIN_ORDER; order--) {
            if (!at(order).isEmpty()) {
                return Math.min(order, largest);
            }
        }
        return 0;
    }

    /** How many blocks of that order could be taken. */
    long count(int order) {
        if (order > largest) {
            return 0;
        }
        long found = end - untouched >> order - MIN_ORDER;
        for (int larger = order; larger <= top; larger++) {
            found += (long) at(larger).size() << larger - order;
        }
        return found;
    }

    /** A block of that order, which there is. */
    FrameBlock take(int order) {
        FrameBlock found = smallest(order);
        frames -= FrameBlock.frames(order);
        while (found.order() > order) {
            add(found.upperHalf());
            found = found.lowerHalf();
        }
        return found;
    }

    /** The largest that has no more frames than these, of the least that are free: a page after the other would take it, too. */
    FrameBlock takeUpTo(long max) {
        FrameBlock found = smallest(MIN_ORDER);
        while (found.frames() > max) {
            add(found.upperHalf());
            found = found.lowerHalf();
        }
        frames -= found.frames();
        return found;
    }

    private FrameBlock smallest(int order) {
        for (int larger = order; larger <= top; larger++) {
            Long first = at(larger).pollFirst();
            if (first != null) {
                return new FrameBlock(first, larger);
            }
        }
        if (untouched == end) {
            throw new IllegalStateException("no block of order " + order + " is free");
        }
        FrameBlock fresh = new FrameBlock(untouched, top);
        untouched += fresh.frames();
        return fresh;
    }

    void give(FrameBlock taken) {
        frames += taken.frames();
        merge(taken);
    }

    @MutationPoint("free-blocks.merge")
    private void merge(FrameBlock one) {
        FrameBlock whole = one;
        while (whole.order() < largest && at(whole.order()).remove(whole.buddy().first())) {
            whole = whole.parent();
        }
        add(whole);
    }

    private void add(FrameBlock block) {
        at(block.order()).add(block.first());
    }

    private TreeSet<Long> at(int order) {
        return free.get(order - MIN_ORDER);
    }
}
