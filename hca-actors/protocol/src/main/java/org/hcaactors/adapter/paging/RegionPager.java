// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.lease.Pager;

/** The pager as used by one region's accesses. */
public final class RegionPager implements Pager {
    private final PagedRange range;
    private final int key;
    private final boolean writable;

    /** @param writable pages are always mapped for writing, whatever access needs them (rule paging-writable) */
    public RegionPager(PagedRange range, int key, boolean writable) {
        this.range = range;
        this.key = key;
        this.writable = writable;
    }

    PagedRange range() {
        return range;
    }

    public int key() {
        return key;
    }

    boolean isWritable() {
        return writable;
    }

    @Override
    public void serve(int queuePair, PageFault fault, Listener listener) {
        range.tell(new PagingCommand.Serve(this, queuePair, fault, listener));
    }
}
