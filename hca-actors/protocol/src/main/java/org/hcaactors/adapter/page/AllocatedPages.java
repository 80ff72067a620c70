// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.mutation.MutationPoint;

// rule pages-freed
/** Pages allocated for a buffer, until the last holder releases them. Safe for several threads. */
public final class AllocatedPages {
    /** Value for a buffer without pages of the host. */
    public static final AllocatedPages NONE = new AllocatedPages(PageSource.NONE, PageType.ANON, PageLayout.MIN_ORDER);

    /** Value for memory of a program outside of the JVM, which the modelled machine neither allocates nor evicts. */
    public static final AllocatedPages OF_A_PROGRAM =
            new AllocatedPages(PageSource.NONE, PageType.ANON, PageLayout.MIN_ORDER);

    private static final long[] NO_MORE = {};

    private final PageSource origin;

    /** The only block, as in most buffers; 0 for none. */
    private final long block;

    private final long[] more;
    private final PageType type;
    private final byte order;
    private boolean typeRequested;
    private int holders = 1;

    /**
     * @param order log2 of the page size in bytes
     * @param blocks blocks as their source encodes them; none of them is 0
     */
    AllocatedPages(PageSource origin, PageType type, int order, long... blocks) {
        this.origin = origin;
        this.type = type;
        this.order = (byte) order;
        block = blocks.length == 1 ? blocks[0] : 0;
        more = blocks.length > 1 ? blocks : NO_MORE;
    }

    /** Sets whether the program chose the type of the pages; call it before the pages are published. */
    AllocatedPages typeRequested(boolean byName) {
        typeRequested = byName;
        return this;
    }

    /** True if the program chose the type of the pages, so that their allocation is traced. */
    public boolean isTypeRequested() {
        return typeRequested;
    }

    /** Returns the layout as the adapter sees it. */
    public PageLayout layout() {
        return origin.layout(this);
    }

    public PageType type() {
        return type;
    }

    // rule paging-huge
    /** True for huge pages, which a host does not evict and which are resident as a whole. */
    public boolean isHuge() {
        return type == PageType.HUGE;
    }

    // rule paging-host
    /** True if the modelled machine may evict them. */
    public boolean canBeEvicted() {
        return origin != PageSource.NONE && !isHuge();
    }

    /** log2 of the page size in bytes. */
    public int order() {
        return order;
    }

    /** Returns the blocks as their source encodes them. */
    long[] blocks() {
        return block == 0 ? more : new long[] {block};
    }

    /** Adds a holder, as for memory shared by processes; returns false if the pages have been freed. */
    public synchronized boolean hold() {
        if (holders == 0) {
            return false;
        }
        holders++;
        return true;
    }

    /** Releases the pages; each holder calls it once, and the last call frees them. Does nothing if they are free already. */
    @MutationPoint("allocated-pages.release")
    public synchronized void release() {
        if (holders > 0 && --holders == 0) {
            origin.free(this);
        }
    }

    @Override
    public String toString() {
        return layout().toString();
    }
}
