// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.LEAST_ORDER;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.hcaactors.adapter.page.PageTerms.Terms;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageType;

// rule pages-fallback
/** Finds pages for the buffers of one context: kind after kind, order after order. Safe for several threads. */
public final class PageAllocator {
    private final HostPages host;
    private final HugePages huge;
    private final PageTerms terms;

    /** @param terms for {@linkplain PageTerms#DEFAULT nothing said} where the adapter's library reads no such variables */
    public PageAllocator(HostPages host, PageTerms terms) {
        this.host = host;
        this.terms = terms;
        huge = new HugePages(host);
    }

    /** Pages for a buffer. VerbsException (ENOMEM) where none of what may be tried can be had; then nothing is taken. */
    public Pages take(Buffer what, long bytes) {
        Terms asked = terms.of(what);
        List<PageType> tries = what.tries(asked.type());
        if (bytes == 0) {
            return Pages.NONE;
        }
        return tries.stream()
                .map(type -> attempt(type, asked, what, bytes))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> refused(what, asked, tries, bytes))
                .asked(asked.told() || what == Buffer.REGION);
    }

    // rule pages-at
    /** Contiguous ones, or VerbsException (ENOMEM). */
    public Pages takeContiguous(Buffer what, long bytes) {
        Terms asked = terms.of(what);
        if (bytes == 0) {
            return Pages.NONE;
        }
        return contiguous(asked, what, bytes)
                .orElseThrow(() -> refused(what, asked, List.of(PageType.CONTIG), bytes))
                .asked(true);
    }

    private Optional<Pages> attempt(PageType type, Terms asked, Buffer what, long bytes) {
        return switch (type) {
            case ANON -> host.anonymous(HostPages.frames(bytes));
            case HUGE -> huge.take(bytes);
            case CONTIG -> contiguous(asked, what, bytes);
        };
    }

    // rule pages-orders
    private Optional<Pages> contiguous(Terms asked, Buffer what, long bytes) {
        if (!host.machine().hasContiguousPages()) {
            return Optional.empty();
        }
        OptionalInt wanted = what.node(host.machine());
        for (int order = first(asked, bytes); ; order--) {
            long count = bytes + (1L << order) - 1 >> order;
            Optional<Pages> found = host.contiguous(order, count, wanted);
            // rule pages-node
            if (found.isEmpty() && wanted.isPresent()) {
                found = host.contiguous(order, count, OptionalInt.empty());
            }
            if (found.isPresent() || order <= asked.least()) {
                return found;
            }
        }
    }

    /** One block, unless it would be larger than the largest allowed. */
    private static int first(Terms asked, long bytes) {
        long whole = HostPages.frames(bytes) << LEAST_ORDER;
        int roundedUp = Long.SIZE - Long.numberOfLeadingZeros(whole - 1);
        return Math.min(asked.largest(), Math.max(LEAST_ORDER, roundedUp));
    }

    // rule pages-refused
    private VerbsException refused(Buffer what, Terms asked, List<PageType> tries, long bytes) {
        String tried = tries.stream()
                .map(type -> type == PageType.CONTIG ? orders(asked, bytes) : type.name())
                .collect(Collectors.joining(", then "));
        String left = host.free().stream().map(PageAllocator::left).collect(Collectors.joining("; "));
        return new VerbsException(
                Errno.ENOMEM,
                "%d bytes for a %s by %s=%s: %s was tried; %s"
                        .formatted(bytes, words(what), what.allocType(), asked.type(), tried, left));
    }

    private static String words(Buffer what) {
        return switch (what) {
            case RC_QUEUE_PAIR, UC_QUEUE_PAIR, UD_QUEUE_PAIR -> "queue pair";
            case COMPLETION_QUEUE -> "completion queue";
            case REGION -> "region";
            case RECEIVE_WORK_QUEUE -> "receive work queue";
        };
    }

    private String orders(Terms asked, long bytes) {
        if (!host.machine().hasContiguousPages()) {
            return "CONTIG, of which the host's kernel has none,";
        }
        int first = first(asked, bytes);
        int last = Math.min(first, asked.least());
        return first == last ? "CONTIG of order " + first : "CONTIG of orders " + first + " to " + last;
    }

    private static String left(FreeMemory node) {
        return "node %d has %d bytes free in blocks up to order %d, and %d huge pages"
                .formatted(node.node(), node.bytes(), node.largestOrder(), node.hugePages());
    }
}
