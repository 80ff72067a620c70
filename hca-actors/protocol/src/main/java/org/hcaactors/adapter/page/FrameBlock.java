// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

/**
 * A block of consecutive frames of 4 KiB. Their number is a power of two, and the first frame's number a multiple of it.
 *
 * @param first number of the first frame
 * @param order log2 of the block size in bytes
 */
record FrameBlock(long first, int order) {
    private static final int ORDER_BITS = 6;

    static long frames(int order) {
        return 1L << order - MIN_ORDER;
    }

    long frames() {
        return frames(order);
    }

    /** Returns its buddy: together they form the next larger block. */
    FrameBlock buddy() {
        return new FrameBlock(first ^ frames(), order);
    }

    /** Returns the block formed with its buddy. */
    FrameBlock parent() {
        return new FrameBlock(first & -frames(order + 1), order + 1);
    }

    FrameBlock lowerHalf() {
        return new FrameBlock(first, order - 1);
    }

    FrameBlock upperHalf() {
        return new FrameBlock(first + frames(order - 1), order - 1);
    }

    /** Returns the block packed into 64 bits. */
    long packed() {
        return first << ORDER_BITS | order;
    }

    static FrameBlock unpacked(long packed) {
        return new FrameBlock(packed >>> ORDER_BITS, (int) packed & (1 << ORDER_BITS) - 1);
    }
}
