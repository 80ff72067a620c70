// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.mutation.MutationPoint;

// rule pages-freed
/** Pages that were taken for a buffer, until the last who has them lets them go. Safe for several threads. */
public final class AllocatedPages {
    /** For what stands on no page of the host. */
    public static final AllocatedPages NONE =
            new AllocatedPages(PageSource.NOWHERE, PageType.ANON, PageLayout.MIN_ORDER);

    private static final long[] NO_MORE = {};

    private final PageSource origin;

    /** The only one, as most buffers have; 0 for none. */
    private final long block;

    private final long[] more;
    private final PageType type;
    private final byte order;
    private boolean asked;
    private int holders = 1;

    /**
     * @param order log2 of a page's bytes
     * @param blocks as their origin knows them; none of them is 0
     */
    AllocatedPages(PageSource origin, PageType type, int order, long... blocks) {
        this.origin = origin;
        this.type = type;
        this.order = (byte) order;
        block = blocks.length == 1 ? blocks[0] : 0;
        more = blocks.length > 1 ? blocks : NO_MORE;
    }

    /** Somebody asked for pages of some kind, before anybody has them. */
    AllocatedPages asked(boolean byName) {
        asked = byName;
        return this;
    }

    /** It was said what they should be, and is worth telling what they are. */
    public boolean wereAskedFor() {
        return asked;
    }

    /** As the adapter knows them. */
    public PageLayout layout() {
        return origin.layout(this);
    }

    public PageType type() {
        return type;
    }

    // rule paging-huge
    /** They are huge ones, which a host does not evict, and each of which is there whole. */
    public boolean isHuge() {
        return type == PageType.HUGE;
    }

    /** log2 of a page's bytes. */
    public int order() {
        return order;
    }

    /** As their origin knows them. */
    long[] blocks() {
        return block == 0 ? more : new long[] {block};
    }

    /** Another has them, too, as where processes share memory; false where nobody has them any more. */
    public synchronized boolean hold() {
        if (holders == 0) {
            return false;
        }
        holders++;
        return true;
    }

    /** Once by each who has them; with the last they go back. Where nobody has them, nothing happens. */
    @MutationPoint("allocated-pages.release")
    public synchronized void release() {
        if (holders > 0 && --holders == 0) {
            origin.give(this);
        }
    }

    @Override
    public String toString() {
        return layout().toString();
    }
}
