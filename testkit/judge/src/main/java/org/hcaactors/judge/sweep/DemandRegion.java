// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * A region on demand. The host evicts its pages during the traffic, or its process unmaps them, after which they no longer
 * exist.
 */
final class DemandRegion extends SpecialRegion {
    private static final long PAGE = 4096;
    private static final long PAGES = 9;
    private static final long ELSEWHERE = 0x6800_0000_0000L;
    /** Address at which no process has memory. */
    private static final long NOWHERE = 0x1000;

    private final boolean whole;
    private final HostMemory memory;
    /** Offset of the region in the memory, so that messages cross page boundaries at different places. */
    private final int skipped;

    private final MemoryRegion region;
    private final long first;
    private Optional<MemoryWindow> window = Optional.empty();
    private Optional<CompletionStage<Void>> going = Optional.empty();
    private boolean unmapped;

    /**
     * Creates the region.
     *
     * @param whole true if it covers the whole address space, of which this memory is a part
     */
    DemandRegion(SpecialRegionSlot place, boolean whole) {
        super(place);
        this.whole = whole;
        memory = place.site().context.process().allocate(PAGES * PAGE);
        skipped = Long.BYTES * place.random().nextInt((int) (PAGES * PAGE - BYTES) / Long.BYTES);
        place.begins(SweepNode.PROCESS, memory);
        if (place.random().nextBoolean()) {
            memory.evict(0, memory.lengthBytes());
        }
        Registration requested = registration().withOnDemandPaging().withAccess(Access.values());
        region = place.sweep().world().await(place.domain().register(requested));
        first = whole ? memory.address() + skipped : region.address();
    }

    /**
     * Returns the random numbers for evictions of memory under other keys than its region's. Present on half of the adapters on
     * which every RC operation waits for pages.
     */
    static Optional<SplittableRandom> evictions(SweepContext sweep, SweepNode site) {
        SplittableRandom random = sweep.random("evictions of " + site.adapter.name());
        return Optional.of(random).filter(any -> waitsForAtomics(site) && any.nextBoolean());
    }

    private static boolean waitsForAtomics(SweepNode site) {
        return site.adapter.profile().paging().uses(Transport.RC).contains(Use.ATOMIC);
    }

    private Registration registration() {
        if (whole) {
            return Registration.wholeAddressSpace();
        }
        long begins = memory.address() + skipped;
        return switch (place.random().nextInt(4)) {
            case 0 -> Registration.addresses(begins, BYTES);
            case 1 -> part().withAddress(ELSEWHERE + begins % PAGE);
            default -> part();
        };
    }

    private Registration part() {
        return Registration.of(memory).withRange(skipped, BYTES);
    }

    @Override
    MemoryRegion region() {
        return region;
    }

    @Override
    long first() {
        return first;
    }

    @Override
    boolean isOfUse() {
        return !unmapped;
    }

    @Override
    boolean takesAtomics() {
        return waitsForAtomics(place.site());
    }

    // rule window-bind
    /** Lets peers use a window from now on, if possible: a region that begins at 0 can have none (rule window-bind). */
    @Override
    void show(RcQueuePair by, QueuePairLife binder) {
        if (whole || unmapped || place.random().nextInt(3) > 0) {
            return;
        }
        try {
            MemoryWindow newWindow = place.sweep().world().await(place.domain().allocateWindow(WindowType.TYPE_1));
            window = Optional.of(newWindow);
            WindowBinding shown = WindowBinding.of(region, first, BYTES)
                    .withAccess(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
            CompletionStage<WorkCompletion> bound = by.submitBind(1, newWindow, shown);
            binder.add("BIND_MW", bound, () -> {});
            place.sweep().world().await(bound);
        } catch (VerbsException refused) {
            window = Optional.empty();
        }
    }

    @Override
    RemoteAddress remote(int offset) {
        return window.map(shown -> shown.remote(first + offset)).orElseGet(() -> super.remote(offset));
    }

    /** Frees the window first, since it keeps its region in use. */
    @Override
    CompletionStage<Void> deregistered() {
        if (going.isEmpty()) {
            going = Optional.of(window.map(shown -> place.sweep().promises().verb("free", shown.deallocate()))
                    .map(freed -> freed.thenCompose(done -> super.deregistered()))
                    .orElseGet(super::deregistered));
        }
        return going.get();
    }

    @Override
    RemoteAddress stray() {
        return whole && window.isEmpty() ? new RemoteAddress(region.rkey(), NOWHERE) : remote(BYTES);
    }

    @Override
    Optional<byte[]> gives(int offset, int bytes) {
        return bytes(memory, skipped + offset, bytes);
    }

    /** Evicts some or all of its pages; the process touches evicted pages, or prefetches them with either verb. */
    @Override
    void change() {
        if (unmapped || !memory.isMapped()) {
            return;
        }
        switch (place.random().nextInt(5)) {
            case 0 -> memory.evict(0, memory.lengthBytes());
            case 1 -> memory.read(0, place.random().nextInt(1, (int) memory.lengthBytes()));
            case 2 -> prefetch();
            default -> {
                long from = place.random().nextLong(memory.lengthBytes());
                memory.evict(from, 1 + place.random().nextLong(memory.lengthBytes() - from));
            }
        }
    }

    // rule paging-prefetch
    private void prefetch() {
        if (going.isEmpty()) {
            int from = place.random().nextInt(BYTES);
            int count = 1 + place.random().nextInt(BYTES - from);
            long offset = first - region.address() + from;
            CompletionStage<Void> prefetched = place.random().nextBoolean()
                    ? region.prefetch(offset, count, place.random().nextBoolean())
                    : place.domain().advise(advice(new LocalSlice(region.lkey(), first + from, count)));
            place.sweep().promises().verb("prefetch", prefetched, Errno.EINVAL, Errno.EFAULT);
        }
    }

    private Prefetch advice(LocalSlice slice) {
        Prefetch.Purpose[] purposes = Prefetch.Purpose.values();
        Prefetch requested = Prefetch.of(purposes[place.random().nextInt(purposes.length)], slice);
        return place.random().nextBoolean() ? requested.withFlush() : requested;
    }

    @Override
    boolean disturb() {
        if (place.random().nextBoolean()) {
            unmapped = true;
            place.sweep().promises().verb("unmap under a region on demand", memory.closeAsync());
        } else {
            deregistered();
        }
        return true;
    }

    @Override
    void end() {
        deregistered();
        if (place.random().nextBoolean()) {
            place.sweep().promises().verb("unmap", memory.closeAsync());
        }
    }
}
