// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.lease.Pager;
import org.hcaactors.adapter.stage.Reply;

/** What an adapter's pager is told. */
public sealed interface PagingOrder {
    /** A region shows that range from now on. */
    record Open(PagedRange range, int key) implements PagingOrder {}

    /** No region shows it any more. */
    record Close(PagedRange range) implements PagingOrder {}

    /** A queue pair waits for pages. */
    record Serve(RegionPager of, int queuePair, PageFault fault, Pager.Listener listener) implements PagingOrder {}

    /** The host has taken pages. */
    record Gone(PagedRange range, long address, long count, Departure reason) implements PagingOrder {}

    /** What somebody waits for. */
    sealed interface Verb extends PagingOrder {
        Reply<Void> reply();
    }

    /**
     * A part of a range.
     *
     * @param from in the process
     */
    record Piece(PagedRange range, int key, long from, long count) {}

    /**
     * Pages shall come before they are used (rule paging-prefetch).
     *
     * @param writing they may be written then
     * @param residentOnly only what the host has in physical memory
     * @param flush it is answered when they are there, or with what came of it; else once it is accepted
     */
    record Prefetch(List<Piece> pieces, boolean writing, boolean residentOnly, boolean flush, Reply<Void> reply)
            implements Verb {}

    /** Answered when no prefetch is under way on that range. */
    record Drain(PagedRange range, Reply<Void> reply) implements Verb {}
}
