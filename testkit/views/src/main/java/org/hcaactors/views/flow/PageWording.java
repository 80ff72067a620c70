// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import org.hcaactors.adapter.flow.HcaEvent.Arrival;
import org.hcaactors.adapter.flow.HcaEvent.FaultKind;
import org.hcaactors.adapter.flow.HcaEvent.PageFaultRaised;
import org.hcaactors.adapter.flow.HcaEvent.PagesInvalidated;
import org.hcaactors.adapter.flow.HcaEvent.PagesMapped;
import org.hcaactors.adapter.flow.HcaEvent.PrefetchAccepted;

/** Pages that come and go, in words. */
public final class PageWording {
    private PageWording() {}

    /** {@code qp17 waits for 8192 bytes at 0x7f0000001000 of key 0x00000200, to write a peer's}. */
    static String of(PageFaultRaised e) {
        return e.who() + " waits for " + wanted(e);
    }

    /** {@code 8192 bytes at 0x7f0000001000 of key 0x00000200, to write a message}. */
    public static String wanted(PageFaultRaised e) {
        return "%d bytes at 0x%x of key 0x%08x, %s"
                .formatted(e.lengthBytes(), e.address(), e.key(), purpose(e.kind(), e.writing()));
    }

    private static String purpose(FaultKind kind, boolean writing) {
        return switch (kind) {
            case GATHER -> "to send them";
            case RESPONSE -> "to write a response";
            case RECEIVE -> "to write a message";
            case REMOTE -> writing ? "which a peer writes" : "which a peer reads";
        };
    }

    /** {@code 2 pages of key 0x00000200 come, from 0x7f0000001000 on}; or, where the host took some meanwhile, none. */
    static String of(PagesMapped e) {
        if (e.contended()) {
            return "no page of %s comes at 0x%x yet: the host took some meanwhile".formatted(e.who(), e.address());
        }
        return "%s of %s %s%s, from 0x%x on"
                .formatted(
                        pages(e.pages()),
                        e.who(),
                        e.pages() == 1 ? "comes" : "come",
                        e.why() == Arrival.PREFETCH ? " before use" : "",
                        e.address());
    }

    /** {@code the host evicts 4096 bytes at 0x7f0000001000: key 0x00000200 loses 1 page}. */
    static String of(PagesInvalidated e) {
        String what = switch (e.why()) {
            case EVICTED -> "the host evicts %d bytes at 0x%x".formatted(e.lengthBytes(), e.address());
            case UNMAPPED -> "%d bytes at 0x%x are unmapped".formatted(e.lengthBytes(), e.address());
            case PROCESS_ENDED -> "its process ends";
        };
        return "%s: %s loses %s".formatted(what, e.who(), pages(e.pages()));
    }

    /** {@code prefetch of 8192 bytes of key 0x00000200, to write}. */
    static String of(PrefetchAccepted e) {
        return "prefetch of %d bytes of %s, to %s".formatted(e.lengthBytes(), e.who(), e.writing() ? "write" : "read");
    }

    private static String pages(long count) {
        return count == 1 ? "1 page" : count + " pages";
    }
}
