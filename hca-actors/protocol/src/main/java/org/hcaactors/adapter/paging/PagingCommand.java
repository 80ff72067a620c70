// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.lease.Pager;
import org.hcaactors.adapter.stage.Reply;

/** Commands to an adapter's pager. */
public sealed interface PagingCommand {
    /** A region maps that range from now on. */
    record Open(PagedRange range, int key) implements PagingCommand {}

    /** No region maps that range any more. */
    record Close(PagedRange range) implements PagingCommand {}

    /** A queue pair waits for pages. */
    record Serve(RegionPager of, int queuePair, PageFault fault, Pager.Listener listener) implements PagingCommand {}

    /** The host has invalidated pages. */
    record Invalidated(PagedRange range, long address, long count, Departure reason) implements PagingCommand {}

    /** A command whose caller waits for an answer. */
    sealed interface Verb extends PagingCommand {
        Reply<Void> reply();
    }

    /**
     * A part of a range.
     *
     * @param from address in the process
     */
    record Piece(PagedRange range, int key, long from, long count) {}

    /**
     * Prefetches pages before they are used (rule paging-prefetch).
     *
     * @param writing map them for writing, too
     * @param residentOnly only pages that the host has in physical memory
     * @param flush answer when the pages are present or have failed; else answer as soon as the prefetch is accepted
     */
    record Prefetch(List<Piece> pieces, boolean writing, boolean residentOnly, boolean flush, Reply<Void> reply)
            implements Verb {}

    /** Answers when no prefetch of that range is under way. */
    record Drain(PagedRange range, Reply<Void> reply) implements Verb {}
}
