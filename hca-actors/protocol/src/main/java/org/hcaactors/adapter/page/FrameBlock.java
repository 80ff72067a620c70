// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

/**
 * Frames of 4 KiB that lie one behind the other, a power of two of them, at a multiple of their number.
 *
 * @param first number of the first frame
 * @param order log2 of its bytes
 */
record FrameBlock(long first, int order) {
    private static final int ORDER_BITS = 6;

    static long frames(int order) {
        return 1L << order - MIN_ORDER;
    }

    long frames() {
        return frames(order);
    }

    /** The one that it makes one of twice the size with. */
    FrameBlock buddy() {
        return new FrameBlock(first ^ frames(), order);
    }

    /** Itself and its buddy. */
    FrameBlock parent() {
        return new FrameBlock(first & -frames(order + 1), order + 1);
    }

    FrameBlock lowerHalf() {
        return new FrameBlock(first, order - 1);
    }

    FrameBlock upperHalf() {
        return new FrameBlock(first + frames(order - 1), order - 1);
    }

    /** In 64 bits, as what is taken is remembered. */
    long packed() {
        return first << ORDER_BITS | order;
    }

    static FrameBlock unpacked(long packed) {
        return new FrameBlock(packed >>> ORDER_BITS, (int) packed & (1 << ORDER_BITS) - 1);
    }
}
