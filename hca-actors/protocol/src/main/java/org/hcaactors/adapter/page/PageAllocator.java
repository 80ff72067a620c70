// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import static org.hcaactors.api.memory.PageLayout.MIN_ORDER;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hcaactors.adapter.flow.NoPages;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.page.PageAllocationSettings.Terms;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageType;

// rule pages-fallback
/** Allocator of pages for the buffers of one context: tries page types and block orders in turn. Safe for several threads. */
public final class PageAllocator {
    private final HostPages host;
    private final HugePages huge;
    private final Supplier<PageAllocationSettings> attributes;
    private final Consumer<NoPages> refusals;

    /**
     * @param attributes read for each buffer
     * @param refusals receives each refusal before it is thrown, on the caller's thread
     */
    public PageAllocator(HostPages host, Supplier<PageAllocationSettings> attributes, Consumer<NoPages> refusals) {
        this.host = host;
        this.attributes = attributes;
        this.refusals = refusals;
        huge = new HugePages(host);
    }

    /**
     * Allocates pages for a buffer. VerbsException (ENOMEM) if none of the permitted page types is available; then nothing is
     * allocated.
     */
    public AllocatedPages take(BufferKind what, long bytes) {
        Terms terms = attributes.get().of(what);
        List<PageType> tries = what.pageTypesToTry(terms.type());
        if (bytes == 0) {
            return AllocatedPages.NONE;
        }
        return tries.stream()
                .map(type -> attempt(type, terms, what, bytes))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> refused(what, terms, tries, bytes))
                .typeRequested(terms.explicit() || what == BufferKind.REGION);
    }

    // rule pages-queues
    /** Allocates single pages, whatever the environment says; VerbsException (ENOMEM) if there are too few. */
    public AllocatedPages takeSingle(long bytes) {
        return host.single(bytes);
    }

    // rule pages-at
    /** Allocates contiguous pages; VerbsException (ENOMEM) if there are too few. */
    public AllocatedPages takeContiguous(BufferKind what, long bytes) {
        Terms terms = attributes.get().of(what);
        if (bytes == 0) {
            return AllocatedPages.NONE;
        }
        return contiguous(terms, what, bytes)
                .orElseThrow(() -> refused(what, terms, List.of(PageType.CONTIG), bytes))
                .typeRequested(true);
    }

    private Optional<AllocatedPages> attempt(PageType type, Terms terms, BufferKind what, long bytes) {
        return switch (type) {
            case ANON -> host.anonymous(HostPages.frames(bytes));
            case HUGE -> huge.take(bytes);
            case CONTIG -> contiguous(terms, what, bytes);
        };
    }

    // rule pages-orders
    private Optional<AllocatedPages> contiguous(Terms terms, BufferKind what, long bytes) {
        if (!host.machine().hasContiguousPages()) {
            return Optional.empty();
        }
        OptionalInt requested = what.node(host.machine());
        for (int order = first(terms, bytes); ; order--) {
            long count = HostPages.blocks(bytes, order);
            Optional<AllocatedPages> found = host.allocateContiguous(order, count, requested);
            // rule pages-node
            if (found.isEmpty() && requested.isPresent()) {
                found = host.allocateContiguous(order, count, OptionalInt.empty());
            }
            if (found.isPresent() || order <= terms.min()) {
                return found;
            }
        }
    }

    /** Order of one block for the buffer, limited to the largest allowed order. */
    private static int first(Terms terms, long bytes) {
        long whole = HostPages.frames(bytes) << MIN_ORDER;
        int roundedUp = Long.SIZE - Long.numberOfLeadingZeros(whole - 1);
        return Math.min(terms.largest(), Math.max(MIN_ORDER, roundedUp));
    }

    // rule pages-refused
    private VerbsException refused(BufferKind what, Terms terms, List<PageType> tries, long bytes) {
        List<FreeMemory> left = host.free();
        boolean blocks = tries.contains(PageType.CONTIG);
        int first = first(terms, bytes);
        int last = host.machine().hasContiguousPages() ? Math.min(first, terms.min()) : 0;
        NoPages reason = new NoPages(
                what.allocType(),
                terms.type().name(),
                bytes,
                blocks ? first : 0,
                blocks ? last : 0,
                what.node(host.machine()).orElse(-1),
                left.stream().mapToLong(FreeMemory::bytes).sum(),
                left.stream().mapToInt(FreeMemory::largestOrder).max().orElse(0),
                left.stream().mapToInt(FreeMemory::hugePages).sum());
        refusals.accept(reason);
        return new VerbsException(Errno.ENOMEM, ReasonTexts.of(reason));
    }
}
