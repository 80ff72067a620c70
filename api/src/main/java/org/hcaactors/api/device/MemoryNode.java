// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

import java.util.List;
import org.hcaactors.api.memory.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * A NUMA node of a host, as it is when the host starts. Immutable: {@code with} methods return changed copies of {@link #of};
 * components are added in minor versions.
 */
public final class MemoryNode {
    /** log2 of the maximum block size of a host in bytes: 8 MiB. */
    public static final int MAX_ORDER = 23;

    /** 2 MiB. */
    public static final long HUGE_PAGE_BYTES = 2L << 20;

    private static final long MAX_BYTES = 4L << 40;

    private final long bytes;
    private final int largestFreeOrder;
    private final int hugePages;

    private MemoryNode(long bytes, int largestFreeOrder, int hugePages) {
        this.bytes = bytes;
        this.largestFreeOrder = largestFreeOrder;
        this.hugePages = hugePages;
    }

    /**
     * All memory free in blocks of 8 MiB, without huge pages.
     *
     * @param bytes 4 KiB to 4 TiB in whole pages of 4 KiB, or IllegalArgumentException
     */
    public static MemoryNode of(long bytes) {
        if (bytes < 1L << PageLayout.MIN_ORDER || bytes > MAX_BYTES || bytes % (1L << PageLayout.MIN_ORDER) != 0) {
            throw new IllegalArgumentException(
                    "the memory of a node is " + bytes + " bytes; a multiple of 4 KiB up to 4 TiB is allowed");
        }
        return new MemoryNode(bytes, MAX_ORDER, 0);
    }

    /**
     * Fragments the memory by unmovable pages: no free block is larger, even if memory is freed.
     *
     * @param order log2 of the maximum block size in bytes, 12 to 23, or IllegalArgumentException
     */
    public MemoryNode withLargestFreeOrder(int order) {
        return new MemoryNode(bytes, checked(order), hugePages);
    }

    static int checked(int order) {
        if (order < PageLayout.MIN_ORDER || order > MAX_ORDER) {
            throw new IllegalArgumentException("the order of a block is " + order + "; " + PageLayout.MIN_ORDER + " to "
                    + MAX_ORDER + " is allowed");
        }
        return order;
    }

    /** Reserves this many additional pages of 2 MiB; IllegalArgumentException below 0. */
    public MemoryNode withHugePages(int pages) {
        if (pages < 0) {
            throw new IllegalArgumentException("the number of huge pages is " + pages + "; 0 and more is allowed");
        }
        return new MemoryNode(bytes, largestFreeOrder, pages);
    }

    public long bytes() {
        return bytes;
    }

    public int largestFreeOrder() {
        return largestFreeOrder;
    }

    public int hugePages() {
        return hugePages;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemoryNode same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "MemoryNode" + values();
    }

    private List<Object> values() {
        return List.of(bytes, largestFreeOrder, hugePages);
    }
}
