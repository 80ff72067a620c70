// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.adapter.host.PageWatcher;
import org.hcaactors.api.memory.PagingStatistics;

/**
 * Addresses of a process that an on-demand region maps, and the pages of them that the adapter has mapped. Read by any thread;
 * only the pager changes the mapped pages.
 */
public final class PagedRange implements PageWatcher {
    private final AddressSpace space;
    private final long first;
    private final long lengthBytes;
    private final PagerCommands pager;
    private final boolean byHost;
    private final int order;
    private final PageMap pages = new PageMap();
    private final RangeStats stats = new RangeStats();
    private volatile boolean opened;
    private volatile boolean closed;
    private volatile boolean replaced;

    /**
     * @param first address of its first byte, in the process
     * @param byHost the adapter reads the host's page tables and has none of its own (rule paging-capi)
     * @param order log2 of the bytes that are brought in at a time
     */
    public PagedRange(
            AddressSpace space, long first, long lengthBytes, PagerCommands pager, boolean byHost, int order) {
        this.order = order;
        this.byHost = byHost;
        this.space = space;
        this.first = first;
        this.lengthBytes = lengthBytes;
        this.pager = pager;
    }

    public AddressSpace space() {
        return space;
    }

    public long first() {
        return first;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** Opens the range for a region that maps it from now on, or is about to; a repeated call does nothing. */
    public void open(int key) {
        if (!opened) {
            opened = true;
            space.watch(this);
            pager.tell(new PagingCommand.Open(this, key));
        }
    }

    /** Completes when no prefetch of the range is under way. */
    public CompletionStage<Void> drained() {
        return pager.ask(reply -> new PagingCommand.Drain(this, reply));
    }

    /** Closes the range, since its region maps something else under the same key. */
    public void replace() {
        replaced = true;
        close();
    }

    boolean isReplaced() {
        return replaced;
    }

    /** Closes the range, since no region maps it any more; a repeated call does nothing. */
    public void close() {
        if (!closed) {
            closed = true;
            space.unwatch(this);
            pager.tell(new PagingCommand.Close(this));
        }
    }

    boolean isClosed() {
        return closed;
    }

    void tell(PagingCommand command) {
        pager.tell(command);
    }

    // rule paging-huge
    /** True if only huge pages map it. */
    boolean isHuge() {
        return order > PageMap.PAGE_SHIFT;
    }

    /** log2 of the bytes that are brought in at a time. */
    public int order() {
        return order;
    }

    public boolean isByHost() {
        return byHost;
    }

    PageMap pages() {
        return pages;
    }

    RangeStats stats() {
        return stats;
    }

    public PagingStatistics statistics() {
        return stats.read();
    }

    // rule paging-invalidates
    @Override
    public void invalidated(long address, long count, Departure reason) {
        // Whole pages are invalidated, even if only some of their bytes are named.
        long beyond = address + count + PageMap.PAGE - 1 & -PageMap.PAGE;
        long from = Math.max(address & -PageMap.PAGE, first);
        long end = Math.min(beyond < address ? Long.MAX_VALUE : beyond, first + lengthBytes);
        if (from < end) {
            pager.tell(new PagingCommand.Invalidated(this, from, end - from, reason));
        }
    }

    /**
     * Returns the first byte of a range whose page the adapter has not mapped; -1 for none.
     *
     * @param from address in the process
     */
    public long firstAbsent(long from, long count, boolean writing) {
        return byHost ? space.firstAbsent(from, count) : firstUnknown(from, count, writing);
    }

    private long firstUnknown(long from, long count, boolean writing) {
        long page = from >>> PageMap.PAGE_SHIFT;
        long absent = pages.firstAbsent(page, (from + count - 1 >>> PageMap.PAGE_SHIFT) - page + 1, writing);
        return absent < 0 ? -1 : Math.max(from, absent << PageMap.PAGE_SHIFT);
    }
}
