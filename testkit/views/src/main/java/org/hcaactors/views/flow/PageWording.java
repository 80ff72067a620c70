// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.HcaEvent.PageFaultRaised;
import org.hcaactors.adapter.flow.HcaEvent.PagesInvalidated;
import org.hcaactors.adapter.flow.HcaEvent.PagesMapped;
import org.hcaactors.adapter.flow.HcaEvent.PrefetchAccepted;
import org.hcaactors.adapter.flow.HcaEvent.PrefetchFailed;
import org.hcaactors.adapter.flow.PageFaultKind;

/** Descriptions of events of pages. */
public final class PageWording {
    private PageWording() {}

    /** Returns {@code qp17 waits for 8192 bytes at 0x7f0000001000 of key 0x00000200, to write a peer's}. */
    static String of(PageFaultRaised e) {
        return e.element() + " waits for " + requested(e);
    }

    /** Returns {@code 8192 bytes at 0x7f0000001000 of key 0x00000200, to write a message}. */
    public static String requested(PageFaultRaised e) {
        return "%d bytes at 0x%x of key 0x%08x, %s"
                .formatted(e.lengthBytes(), e.address(), e.key(), purpose(e.kind(), e.writing()));
    }

    private static String purpose(PageFaultKind kind, boolean writing) {
        return switch (kind) {
            case GATHER -> "to send them";
            case RESPONSE -> "to write a response";
            case RECEIVE -> "to write a message";
            case REMOTE -> writing ? "which a peer writes" : "which a peer reads";
        };
    }

    // rules paging-contention, paging-capi
    /**
     * Returns {@code 2 pages of key 0x00000200 are mapped, from 0x7f0000001000 on}. Says so if the pages are the host's because the
     * adapter keeps none, and if an invalidation in progress prevented the mapping.
     */
    static String of(PagesMapped e) {
        if (e.contended()) {
            return "no page of %s is mapped at 0x%x yet: the host was invalidating pages"
                    .formatted(e.element(), e.address());
        }
        String ahead = e.reason() == Arrival.PREFETCH ? " before use" : "";
        if (e.pages() == 0) {
            return "the host's pages of %s are present%s, from 0x%x on".formatted(e.element(), ahead, e.address());
        }
        String mapped = e.pages() == 1 ? "is mapped" : "are mapped";
        return "%s of %s %s%s, from 0x%x on".formatted(pages(e.pages()), e.element(), mapped, ahead, e.address());
    }

    /** Returns {@code the host evicts 4096 bytes at 0x7f0000001000: key 0x00000200 loses 1 page}. */
    static String of(PagesInvalidated e) {
        String what = switch (e.reason()) {
            case EVICTED -> "the host evicts %d bytes at 0x%x".formatted(e.lengthBytes(), e.address());
            case UNMAPPED -> "%d bytes at 0x%x are unmapped".formatted(e.lengthBytes(), e.address());
            case PROCESS_ENDED -> "its process ends";
        };
        return what
                + lost(e).map(pages -> ": " + e.element() + " loses " + pages).orElse(" of " + e.element());
    }

    /** Returns {@code 2 pages}; empty if the adapter had none of them, as with one that uses the host's page tables. */
    public static Optional<String> lost(PagesInvalidated e) {
        return e.pages() == 0 ? Optional.empty() : Optional.of(pages(e.pages()));
    }

    /** Returns {@code prefetch of 8192 bytes of key 0x00000200, to write}. */
    static String of(PrefetchAccepted e) {
        return "prefetch of %d bytes of %s, to %s"
                .formatted(e.lengthBytes(), e.element(), e.writing() ? "write" : "read");
    }

    /** Returns {@code the prefetch of key 0x00000200 fails}. */
    static String of(PrefetchFailed e) {
        return "the prefetch of " + e.element()
                + (e.told() ? " fails" : ", which was accepted, fails without a report");
    }

    private static String pages(long count) {
        return count == 1 ? "1 page" : count + " pages";
    }
}
