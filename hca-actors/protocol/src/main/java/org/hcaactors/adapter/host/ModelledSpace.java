// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
 * A modelled address space, in which the process allocates memory. No address is assigned twice, so a stale one finds nothing
 * (rule memory-address-once). Safe for several threads.
 */
public final class ModelledSpace implements AddressSpace {
    private static final long FIRST = 0x7F00_0000_0000L;
    static final long PAGE = 4096;

    /** Upper limit of the addresses. */
    private static final long TOP = 0x7FFF_FFFF_F000L;

    private final int segmentShift;
    private final PhysicalMemory physical;
    private final HostPages pages;
    private final ByteOrder order;
    private final MappedMemory.MappingListener listener = new MappedMemory.MappingListener() {
        @Override
        public void unmapped(MappedMemory memory) {
            forget(memory);
            watchers.invalidated(memory.address(), memory.lengthBytes(), Departure.UNMAPPED);
        }

        @Override
        public void evicted(long address, long count) {
            watchers.invalidated(address, count, Departure.EVICTED);
        }

        @Override
        public void accessed(long address, long count, boolean writes) {
            accesses.accessed(address, count, writes);
        }
    };
    private final MemoryMap mapped = new MemoryMap();
    private long next = FIRST;
    private final PageWatchers watchers = new PageWatchers();
    private final LockedMemory locked;
    private final ProcessAccesses accesses;
    private boolean dying;
    private boolean closed;

    public ModelledSpace() {
        this(BufferStorage.SEGMENT_SHIFT);
    }

    /**
     * @param physical physical memory of the host
     * @param pages pages of the host
     */
    public ModelledSpace(PhysicalMemory physical, HostPages pages) {
        this(physical, pages, Long.MAX_VALUE, ProcessAccesses.NONE);
    }

    /**
     * @param maxLocked maximum number of bytes that its regions may pin; Long.MAX_VALUE for no limit
     * @param accesses receives the process's reads and writes
     */
    public ModelledSpace(PhysicalMemory physical, HostPages pages, long maxLocked, ProcessAccesses accesses) {
        this(BufferStorage.SEGMENT_SHIFT, physical, pages, maxLocked, accesses);
    }

    /** @param segmentShift log2 of a segment's bytes, at least 3 */
    ModelledSpace(int segmentShift) {
        this(
                segmentShift,
                new PhysicalMemory(),
                new HostPages(HostMachine.DEFAULT),
                Long.MAX_VALUE,
                ProcessAccesses.NONE);
    }

    private ModelledSpace(
            int segmentShift, PhysicalMemory physical, HostPages pages, long maxLocked, ProcessAccesses accesses) {
        this.accesses = accesses;
        this.segmentShift = segmentShift;
        this.physical = physical;
        this.pages = pages;
        locked = new LockedMemory(maxLocked);
        order = pages.machine().byteOrder();
    }

    @Override
    public LockedMemory locked() {
        return locked;
    }

    /**
     * Maps a buffer. IllegalArgumentException unless the buffer is direct and writable; EINVAL once the process exited, ENOMEM
     * as for {@link #allocate(long)}.
     */
    public MappedMemory map(ByteBuffer direct) {
        if (!direct.isDirect() || direct.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the buffer is read-only or not direct; an adapter can access only direct, writable buffers");
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
                        BufferStorage.of(direct, segmentShift, order)));
    }

    /**
     * Allocates zeroed memory; 0 bytes have an address of their own. IllegalArgumentException if {@code lengthBytes} is
     * negative or more than can be allocated, EINVAL once the process exited, ENOMEM if the host has not enough pages.
     */
    public MappedMemory allocate(long lengthBytes) {
        checkLength(lengthBytes);
        return allocate(lengthBytes, pages.single(lengthBytes));
    }

    // rule paging-huge
    /** Allocates zeroed memory on whole huge pages; ENOMEM if the host has too few. */
    public MappedMemory allocateHuge(long lengthBytes) {
        checkLength(lengthBytes);
        AllocatedPages taken = pages.huge(lengthBytes);
        return allocate(taken.layout().entries() << taken.order(), taken);
    }

    /** Allocates memory without pages of the host, for a peer device; else like the host's own memory. */
    public MappedMemory allocatePeer(long lengthBytes) {
        return allocate(lengthBytes, AllocatedPages.NONE);
    }

    /** Allocates memory on these pages, which are freed with it, or at once if it is refused. */
    public MappedMemory allocate(long lengthBytes, AllocatedPages taken) {
        return on(taken, its -> allocateNew(lengthBytes, next -> begin(its, next), its));
    }

    // rule pages-at
    /**
     * Allocates memory on these pages at that address; EINVAL unless it is the start of a page and no address from there on was
     * assigned before.
     */
    public MappedMemory allocateAt(long address, long lengthBytes, AllocatedPages taken) {
        return on(taken, its -> allocateNew(lengthBytes, next -> free(address, lengthBytes, next), its));
    }

    private static long free(long requested, long lengthBytes, long next) {
        if (requested % PAGE != 0 || requested < next || lengthBytes > TOP - requested) {
            throw VerbsException.invalid(
                    "%d bytes can't be placed at 0x%x; a multiple of 4096 from 0x%x on is allowed, with an end below 0x%x"
                            .formatted(lengthBytes, requested, next, TOP));
        }
        return requested;
    }

    /** @param place returns the address, given the first one that was never assigned */
    private MappedMemory allocateNew(long lengthBytes, LongUnaryOperator place, AllocatedPages taken) {
        checkLength(lengthBytes);
        checkOpen();
        Storage storage = zeros(lengthBytes);
        return place(lengthBytes, place, physical.take(lengthBytes), taken, PageResidency.Place.NOWHERE, storage);
    }

    private Storage zeros(long lengthBytes) {
        return BufferStorage.zeros(lengthBytes, segmentShift, order);
    }

    @Override
    public ModelledSpace allocating() {
        return this;
    }

    // rule memory-program
    @Override
    public MappedMemory mapAt(long address, long lengthBytes) {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "0x%x, %d bytes, can't be mapped: the process allocates its memory in this JVM; only a program has memory of its own"
                        .formatted(address, lengthBytes));
    }

    @Override
    public ProcessBytes bytes() {
        return new ModelledBytes(this);
    }

    private static MappedMemory on(AllocatedPages taken, Function<AllocatedPages, MappedMemory> made) {
        try {
            return made.apply(taken);
        } catch (RuntimeException | Error refused) {
            taken.release();
            throw refused;
        }
    }

    private void checkLength(long lengthBytes) {
        if (lengthBytes < 0 || lengthBytes >>> segmentShift >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the length is " + lengthBytes + " bytes; 0 to 2^"
                    + (segmentShift + Integer.SIZE - 1) + " is allowed");
        }
    }

    // rule paging-fixed-address
    /**
     * Allocates zeroed memory at a fixed address. EINVAL if the address is not the start of a page or is one that
     * {@link #allocate} still has to assign; EEXIST if memory is mapped there; else refuses as {@link #allocate(long)}.
     */
    public MappedMemory allocateFixed(long address, long lengthBytes) {
        checkOpen();
        if (address <= 0 || address % PAGE != 0 || lengthBytes < 1 || lengthBytes > TOP - address) {
            throw VerbsException.invalid(
                    "%d bytes can't be placed at 0x%x; 1 byte or more at the beginning of a page, below 0x%x, is allowed"
                            .formatted(lengthBytes, address, TOP));
        }
        return on(pages.single(lengthBytes), its -> fixed(address, lengthBytes, its));
    }

    private MappedMemory fixed(long address, long lengthBytes, AllocatedPages taken) {
        Storage storage = zeros(lengthBytes);
        synchronized (this) {
            checkOpen();
            if (address + lengthBytes > next) {
                throw VerbsException.invalid(
                        "0x%x, %d bytes, can't be allocated: addresses from 0x%x on are reserved for later allocations"
                                .formatted(address, lengthBytes, next));
            }
            mapped.lastIn(address, lengthBytes).ifPresent(mapping -> {
                throw new VerbsException(
                        Errno.EEXIST,
                        "0x%x, %d bytes, can't be allocated: %s is mapped there"
                                .formatted(address, lengthBytes, mapping.describe()));
            });
            long bus = physical.take(lengthBytes);
            return put(new MappedMemory(
                    address, OptionalLong.of(bus), lengthBytes, taken, listener, PageResidency.Place.NOWHERE, storage));
        }
    }

    /** Maps memory of another process, too. EINVAL once the process exited, or if the other memory is unmapped. */
    public MappedMemory share(MappedMemory other) {
        Storage storage = other.storage();
        return on(
                other.pagesToo(),
                its -> place(
                        other.lengthBytes(),
                        next -> begin(its, next),
                        other.busAddress(),
                        its,
                        PageResidency.Place.RESIDENT,
                        storage));
    }

    /** Returns the memory that contains the whole range; VerbsException (EINVAL) if none does. */
    public MappedMemory at(long address, long lengthBytes) {
        return find(address, lengthBytes).orElseThrow(() -> AddressSpace.unmapped(address, lengthBytes));
    }

    /** Returns the memory that contains the whole range; empty if none does. */
    public synchronized Optional<MappedMemory> find(long address, long lengthBytes) {
        return mapped.find(address, lengthBytes);
    }

    @Override
    public synchronized MappedMemory require(HostMemory memory) {
        HostMemory buffers = memory instanceof PeerBuffers peer ? peer.buffers() : memory;
        if (buffers instanceof MappedMemory known && mapped.holds(known)) {
            return known;
        }
        throw AddressSpace.foreign(memory);
    }

    @Override
    @MutationPoint("address-space.close")
    public void close() {
        List<MappedMemory> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(mapped.all());
        }
        left.forEach(MappedMemory::unmap);
    }

    @Override
    public synchronized List<AllocatedPages> pages() {
        return mapped.all().stream().map(MappedMemory::pages).toList();
    }

    @Override
    public synchronized int count() {
        return mapped.size();
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw VerbsException.invalid("the process has exited; no memory can be mapped");
        }
    }

    /** Next address at the start of one of these pages, so that the adapter can translate whole pages. */
    private static long begin(AllocatedPages pages, long next) {
        long page = 1L << pages.order();
        return (next + page - 1) / page * page;
    }

    /** @param where returns the address, given the first one that was never assigned */
    private synchronized MappedMemory place(
            long lengthBytes,
            LongUnaryOperator where,
            long bus,
            AllocatedPages pages,
            PageResidency.Place first,
            Storage storage) {
        checkOpen();
        if (lengthBytes > Long.MAX_VALUE - next - (1L << pages.order()) - 3 * PAGE) {
            throw new VerbsException(
                    Errno.ENOMEM, "the address space is exhausted: each address is allocated once and never reused");
        }
        long address = where.applyAsLong(next);
        next = (address + lengthBytes + 2 * PAGE - 1) / PAGE * PAGE;
        return put(new MappedMemory(address, OptionalLong.of(bus), lengthBytes, pages, listener, first, storage));
    }

    private MappedMemory put(MappedMemory placed) {
        mapped.put(placed);
        physical.add(placed);
        return placed;
    }

    private synchronized void forget(MappedMemory unmapped) {
        mapped.remove(unmapped);
        physical.remove(unmapped);
    }

    // --- pages ---

    @Override
    public void watch(PageWatcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void unwatch(PageWatcher watcher) {
        watchers.remove(watcher);
    }

    @Override
    public void die() {
        synchronized (this) {
            dying = true;
        }
        watchers.invalidated(0, Long.MAX_VALUE, Departure.PROCESS_ENDED);
    }

    @Override
    public synchronized OptionalLong firstUnmapped(long from, long count) {
        return dying ? OptionalLong.of(from) : mapped.firstUnmapped(from, count);
    }

    /** A modelled process may write to all of its memory. */
    @Override
    public OptionalLong firstUnwritable(long from, long count) {
        return firstUnmapped(from, count);
    }

    @Override
    public synchronized OptionalLong firstNotHuge(long from, long count) {
        return dying ? OptionalLong.of(from) : mapped.firstNotHuge(from, count);
    }

    @Override
    public synchronized long firstAbsent(long from, long count) {
        return dying ? from : mapped.firstAbsent(from, count);
    }

    @Override
    public synchronized PageCounts countPages(long from, long count) {
        return mapped.parts(from, count).stream()
                .map(part -> part.memory().residency().countPages(part.offset(), part.count()))
                .reduce(PageCounts.NONE, PageCounts::plus);
    }

    @Override
    public synchronized void touch(long from, long count) {
        mapped.parts(from, count).forEach(part -> part.memory().touch(part.offset(), part.count()));
    }

    @Override
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
