// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.HostPages;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.mutation.MutationPoint;

/**
 * Where a process's buffers stand in its 64-bit address space. No address is given out twice, so a stale one finds nothing
 * (rule memory-address-once). Safe for several threads.
 */
public final class AddressSpace {
    /** 1 GiB a segment. */
    static final int SEGMENT_SHIFT = 30;

    private static final long FIRST = 0x7F00_0000_0000L;
    static final long PAGE = 4096;

    /** What a process can address. */
    private static final long TOP = 0x7FFF_FFFF_F000L;

    private final int segmentShift;
    private final PhysicalMemory physical;
    private final HostPages pages;
    private final ByteOrder order;
    private final HostBuffers.Ground ground = new HostBuffers.Ground() {
        @Override
        public void unmapped(HostBuffers memory) {
            forget(memory);
            tell(memory.address(), memory.lengthBytes(), Departure.UNMAPPED);
        }

        @Override
        public void evicted(long address, long count) {
            tell(address, count, Departure.EVICTED);
        }

        @Override
        public void accessed(long address, long count, boolean writes) {
            accesses.accessed(address, count, writes);
        }
    };
    private final MemoryMap mapped = new MemoryMap();
    private long next = FIRST;
    private final Set<PageWatcher> watchers = new LinkedHashSet<>();
    private final LockedMemory locked;
    private final ProcessAccesses accesses;
    private boolean dying;
    private boolean closed;

    public AddressSpace() {
        this(SEGMENT_SHIFT);
    }

    /**
     * @param physical of the host
     * @param pages of the host
     */
    public AddressSpace(PhysicalMemory physical, HostPages pages) {
        this(physical, pages, Long.MAX_VALUE, ProcessAccesses.NONE);
    }

    /**
     * @param maxLocked bytes that its regions may keep pinned; Long.MAX_VALUE for no limit
     * @param accesses told of what its process reads and writes
     */
    public AddressSpace(PhysicalMemory physical, HostPages pages, long maxLocked, ProcessAccesses accesses) {
        this(SEGMENT_SHIFT, physical, pages, maxLocked, accesses);
    }

    /** @param segmentShift log2 of a segment's bytes, at least 3 */
    AddressSpace(int segmentShift) {
        this(
                segmentShift,
                new PhysicalMemory(),
                new HostPages(HostMachine.DEFAULT),
                Long.MAX_VALUE,
                ProcessAccesses.NONE);
    }

    private AddressSpace(
            int segmentShift, PhysicalMemory physical, HostPages pages, long maxLocked, ProcessAccesses accesses) {
        this.accesses = accesses;
        this.segmentShift = segmentShift;
        this.physical = physical;
        this.pages = pages;
        locked = new LockedMemory(maxLocked);
        order = pages.machine().byteOrder();
    }

    /** What its regions keep pinned. */
    public LockedMemory locked() {
        return locked;
    }

    /** IllegalArgumentException unless the buffer is direct and writable; EINVAL once the process exited, ENOMEM as for the next. */
    public HostBuffers map(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException("an adapter reaches only direct, writable buffers");
        }
        int misaligned = direct.alignmentOffset(0, Long.BYTES);
        long bus = physical.take(direct.capacity()) + misaligned;
        return on(
                pages.single(direct.capacity()),
                taken -> place(
                        direct.capacity(),
                        next -> next + misaligned,
                        bus,
                        taken,
                        PageResidency.Place.RESIDENT,
                        cut(direct)));
    }

    /** Each segment but the last goes on into the next, so that a word of a misaligned buffer lies in one. */
    private ByteBuffer[] cut(ByteBuffer direct) {
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(direct.capacity())];
        for (int i = 0; i < segments.length; i++) {
            int from = i << segmentShift;
            long max = (1L << segmentShift) + Long.BYTES - 1;
            segments[i] = direct.slice(from, (int) Math.min(direct.capacity() - from, max));
        }
        return segments;
    }

    /**
     * Zeroed memory; 0 bytes have an address of their own. IllegalArgumentException if {@code lengthBytes} is negative or
     * more than can be allocated, EINVAL once the process exited, ENOMEM where the host has no such pages left.
     */
    public HostBuffers allocate(long lengthBytes) {
        checkLength(lengthBytes);
        return allocate(lengthBytes, pages.single(lengthBytes));
    }

    // rule paging-huge
    /** The same on whole huge pages, as many as it needs; ENOMEM where the host has too few. */
    public HostBuffers allocateHuge(long lengthBytes) {
        checkLength(lengthBytes);
        AllocatedPages taken = pages.huge(lengthBytes);
        return allocate(taken.layout().entries() << taken.order(), taken);
    }

    /** Otherwise as the host's own: it stands on no pages of the host. */
    public HostBuffers allocateElsewhere(long lengthBytes) {
        return allocate(lengthBytes, AllocatedPages.NONE);
    }

    /** On these pages, which go back with it, or at once where it is refused. */
    public HostBuffers allocate(long lengthBytes, AllocatedPages taken) {
        return on(taken, its -> fresh(lengthBytes, next -> begin(its, next), its));
    }

    // rule pages-at
    /** The same at that address; EINVAL unless it begins a page and nothing from there on was given out before. */
    public HostBuffers allocateAt(long address, long lengthBytes, AllocatedPages taken) {
        return on(taken, its -> fresh(lengthBytes, next -> free(address, lengthBytes, next), its));
    }

    private static long free(long requested, long lengthBytes, long next) {
        if (requested % PAGE != 0 || requested < next || lengthBytes > TOP - requested) {
            throw VerbsException.invalid(
                    "%d bytes of memory at 0x%x; multiples of 4096 from 0x%x on are allowed, below 0x%x"
                            .formatted(lengthBytes, requested, next, TOP));
        }
        return requested;
    }

    /** @param place where it stands, from the first address that was never given out */
    private HostBuffers fresh(long lengthBytes, LongUnaryOperator place, AllocatedPages taken) {
        checkLength(lengthBytes);
        checkOpen();
        ByteBuffer[] segments = zeros(lengthBytes);
        return place(lengthBytes, place, physical.take(lengthBytes), taken, PageResidency.Place.NOWHERE, segments);
    }

    private ByteBuffer[] zeros(long lengthBytes) {
        ByteBuffer[] segments = new ByteBuffer[segmentsFor(lengthBytes)];
        long left = lengthBytes;
        for (int i = 0; i < segments.length; i++) {
            int part = (int) Math.min(left, 1L << segmentShift);
            segments[i] = aligned(part);
            left -= part;
        }
        return segments;
    }

    private static HostBuffers on(AllocatedPages taken, Function<AllocatedPages, HostBuffers> made) {
        try {
            return made.apply(taken);
        } catch (RuntimeException | Error refused) {
            taken.release();
            throw refused;
        }
    }

    private void checkLength(long lengthBytes) {
        if (lengthBytes < 0 || lengthBytes >>> segmentShift >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    lengthBytes + " bytes; 0 to 2^" + (segmentShift + Integer.SIZE - 1) + " can be allocated");
        }
    }

    // rule paging-fixed-address
    /**
     * Zeroed memory where the program wants it. EINVAL for an address that begins no page, or that {@link #allocate} has still
     * to give out; EEXIST where something is mapped; and as allocating refuses.
     */
    public HostBuffers allocateFixed(long address, long lengthBytes) {
        checkOpen();
        if (address <= 0 || address % PAGE != 0 || lengthBytes < 1 || lengthBytes > TOP - address) {
            throw VerbsException.invalid("%d bytes at 0x%x; 1 and more from the beginning of a page, below 0x%x"
                    .formatted(lengthBytes, address, TOP));
        }
        return on(pages.single(lengthBytes), its -> fixed(address, lengthBytes, its));
    }

    private HostBuffers fixed(long address, long lengthBytes, AllocatedPages taken) {
        ByteBuffer[] segments = zeros(lengthBytes);
        synchronized (this) {
            checkOpen();
            if (address + lengthBytes > next) {
                throw VerbsException.invalid("0x%x, %d bytes; from 0x%x on is what has still to be given out"
                        .formatted(address, lengthBytes, next));
            }
            mapped.lastIn(address, lengthBytes).ifPresent(there -> {
                throw new VerbsException(
                        Errno.EEXIST, "0x%x, %d bytes; there is %s".formatted(address, lengthBytes, there.describe()));
            });
            long bus = physical.take(lengthBytes);
            return put(new HostBuffers(
                    address,
                    bus,
                    lengthBytes,
                    taken,
                    segmentShift,
                    ground,
                    PageResidency.Place.NOWHERE,
                    order,
                    segments));
        }
    }

    /** The bytes of memory that stands in another process, too. EINVAL once the process exited, or the other is unmapped. */
    public HostBuffers share(HostBuffers other) {
        ByteBuffer[] bytes = other.bytes();
        return on(
                other.pagesToo(),
                its -> place(
                        other.lengthBytes(),
                        next -> begin(its, next),
                        other.busAddress(),
                        its,
                        PageResidency.Place.RESIDENT,
                        bytes));
    }

    private int segmentsFor(long lengthBytes) {
        return (int) (lengthBytes + (1L << segmentShift) - 1 >>> segmentShift);
    }

    static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + Long.BYTES)
                .alignedSlice(Long.BYTES)
                .slice(0, bytes);
    }

    /** The memory that holds the whole range; VerbsException (EINVAL) if none does. */
    public HostBuffers at(long address, long lengthBytes) {
        return find(address, lengthBytes).orElseThrow(() -> nothingAt(address, lengthBytes));
    }

    public static VerbsException nothingAt(long address, long lengthBytes) {
        return VerbsException.invalid("nothing is mapped at 0x%x, %d bytes".formatted(address, lengthBytes));
    }

    /** The memory that holds the whole range, if one does. */
    public synchronized Optional<HostBuffers> find(long address, long lengthBytes) {
        return mapped.find(address, lengthBytes);
    }

    /** VerbsException (EINVAL) if the memory is of another process, or unmapped. */
    public synchronized HostBuffers own(HostMemory memory) {
        HostMemory behind = memory instanceof PeerBuffers peer ? peer.buffers() : memory;
        if (behind instanceof HostBuffers known && mapped.holds(known)) {
            return known;
        }
        throw VerbsException.invalid(
                memory.describe() + (memory.isMapped() ? ", is not of this process" : ", is unmapped"));
    }

    /** The process is gone: all of its memory is unmapped, and no more can be mapped. */
    @MutationPoint("address-space.close")
    public void close() {
        List<HostBuffers> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(mapped.all());
        }
        left.forEach(HostBuffers::unmap);
    }

    /** What its memories stand on, some perhaps on the same. */
    public synchronized List<AllocatedPages> pages() {
        return mapped.all().stream().map(HostBuffers::pages).toList();
    }

    /** How many memories are mapped. */
    public synchronized int count() {
        return mapped.size();
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw VerbsException.invalid("the process has exited; nothing can be mapped");
        }
    }

    /** The next address that begins one of these pages, so that a translation can have them whole. */
    private static long begin(AllocatedPages pages, long next) {
        long page = 1L << pages.order();
        return (next + page - 1) / page * page;
    }

    /** @param where from the first address that was never given out */
    private synchronized HostBuffers place(
            long lengthBytes,
            LongUnaryOperator where,
            long bus,
            AllocatedPages pages,
            PageResidency.Place first,
            ByteBuffer... segments) {
        checkOpen();
        if (lengthBytes > Long.MAX_VALUE - next - (1L << pages.order()) - 3 * PAGE) {
            throw new VerbsException(Errno.ENOMEM, "every address was given out; none comes back");
        }
        long address = where.applyAsLong(next);
        next = (address + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        return put(new HostBuffers(address, bus, lengthBytes, pages, segmentShift, ground, first, order, segments));
    }

    private HostBuffers put(HostBuffers placed) {
        mapped.put(placed);
        physical.add(placed);
        return placed;
    }

    private synchronized void forget(HostBuffers unmapped) {
        mapped.remove(unmapped);
        physical.remove(unmapped);
    }

    // --- pages ---

    /** From here on they are told of pages that go. */
    public synchronized void watch(PageWatcher watcher) {
        watchers.add(watcher);
    }

    public synchronized void unwatch(PageWatcher watcher) {
        watchers.remove(watcher);
    }

    private void tell(long address, long count, Departure reason) {
        List<PageWatcher> told;
        synchronized (this) {
            told = watchers.isEmpty() ? List.of() : List.copyOf(watchers);
        }
        told.forEach(each -> each.gone(address, count, reason));
    }

    /** The process ends: no page comes any more, and those that are used go. */
    public void die() {
        synchronized (this) {
            dying = true;
        }
        tell(0, Long.MAX_VALUE, Departure.PROCESS_ENDED);
    }

    /** The first address of the range that no page can come for; empty where all of it is mapped. */
    public synchronized OptionalLong firstUnmapped(long from, long count) {
        return dying ? OptionalLong.of(from) : mapped.firstUnmapped(from, count);
    }

    // rule paging-huge
    /** The first address of the range that no huge page can come for; empty where all of it is on such pages. */
    public synchronized OptionalLong firstNotHuge(long from, long count) {
        return dying ? OptionalLong.of(from) : mapped.firstNotHuge(from, count);
    }

    /** The first address of a range that is not in physical memory, -1 for none. */
    public synchronized long firstAbsent(long from, long count) {
        return dying ? from : mapped.firstAbsent(from, count);
    }

    /** Where the pages of a range are; what is not mapped does not count. */
    public synchronized PageCounts census(long from, long count) {
        return mapped.parts(from, count).stream()
                .map(part -> part.memory().residency().census(part.offset(), part.count()))
                .reduce(PageCounts.NONE, PageCounts::plus);
    }

    /** The pages of a range are in physical memory from here on, where it is mapped. */
    public synchronized void touch(long from, long count) {
        mapped.parts(from, count).forEach(part -> part.memory().touch(part.offset(), part.count()));
    }

    /** The host takes the pages of a range, where it is mapped; returns how many went. */
    public long evict(long from, long count) {
        List<MemoryMap.Part> parts;
        synchronized (this) {
            parts = mapped.parts(from, count);
        }
        return parts.stream()
                .mapToLong(part -> part.memory().evict(part.offset(), part.count()))
                .sum();
    }
}
