// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicCell;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.BusyRefusal;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Host memory as direct buffers of one size, the last one shorter, consecutive in a modelled address space. Addresses keep the
 * buffers' alignment modulo 8, so an aligned address is an aligned word and the JVM's atomic accesses apply to it.
 *
 * <p>Unmapping drops the buffers. A thread that copies at that moment still holds one, and the garbage collector waits for it:
 * memory is never freed under an access, as it would be when freed explicitly.
 */
public final class MappedMemory implements HostMemory, HostBytes {
    private static final ByteBuffer[] UNMAPPED = {};

    @MutationPoint("host-buffers.address")
    private final long address;

    private final long busAddress;
    private final long lengthBytes;
    private final AllocatedPages pages;
    private final int segmentShift;
    private final MappingListener listener;
    private final PageResidency residency;
    private final ByteOrder order;

    @MutationPoint("host-buffers.pins")
    private Set<Pin> pins = Set.of();

    @MutationPoint("host-buffers.segments")
    private volatile ByteBuffer[] segments;

    @MutationPoint("host-buffers.owner")
    private @Nullable Pin owner;
    /** The owner has released its pin. */
    private boolean orphaned;

    private boolean condemned;

    /** The address space of a memory, as the memory sees it. */
    interface MappingListener {
        MappingListener NONE = new MappingListener() {};

        /** Called once. */
        default void unmapped(MappedMemory memory) {}

        default void evicted(long address, long count) {}

        /** The process is about to read or write the memory. */
        default void accessed(long address, long count, boolean writes) {}
    }

    /**
     * @param pages pages of the memory, freed when it is unmapped
     * @param segmentShift log2 of the distance of two segments in bytes; an aligned word lies in the segment that it begins in
     * @param first initial state of its pages
     * @param order byte order of numbers in it
     */
    MappedMemory(
            long address,
            long busAddress,
            long lengthBytes,
            AllocatedPages pages,
            int segmentShift,
            MappingListener listener,
            PageResidency.Place first,
            ByteOrder order,
            ByteBuffer... segments) {
        this.address = address;
        this.busAddress = busAddress;
        this.lengthBytes = lengthBytes;
        this.pages = pages;
        this.segmentShift = segmentShift;
        this.listener = listener;
        this.order = order;
        this.segments = segments;
        residency = new PageResidency(address, lengthBytes, pages, first);
        for (ByteBuffer segment : segments) {
            segment.order(order);
        }
    }

    /** Creates zeroed memory at a given address, a multiple of 8; at most 1 GiB. */
    public static MappedMemory at(long address, int lengthBytes) {
        if ((address & 7) != 0 || lengthBytes < 1) {
            throw new IllegalArgumentException(lengthBytes
                    + " bytes at 0x%x are refused; at least 1 byte at a multiple of 8 is allowed".formatted(address));
        }
        ByteBuffer memory = ModelledSpace.aligned(lengthBytes);
        return new MappedMemory(
                address,
                address,
                lengthBytes,
                AllocatedPages.NONE,
                ModelledSpace.SEGMENT_SHIFT,
                MappingListener.NONE,
                PageResidency.Place.RESIDENT,
                ByteOrder.nativeOrder(),
                memory);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public long busAddress() {
        return busAddress;
    }

    @Override
    public boolean isMapped() {
        return segments != UNMAPPED;
    }

    @Override
    public byte[] read(long offset, int count) {
        check(offset, count);
        listener.accessed(address + offset, count, false);
        byte[] bytes = new byte[count];
        load(address + offset, bytes, 0, count);
        touch(offset, count);
        return bytes;
    }

    @Override
    public void write(long offset, byte[] bytes) {
        check(offset, bytes.length);
        listener.accessed(address + offset, bytes.length, true);
        store(address + offset, Octets.copyOf(bytes), 0, bytes.length);
        touch(offset, bytes.length);
    }

    /** Returns the bytes for an observer, without counting as an access of the process. */
    public byte[] inspect(long offset, int count) {
        check(offset, count);
        byte[] bytes = new byte[count];
        load(address + offset, bytes, 0, count);
        return bytes;
    }

    @Override
    public long readLong(long offset) {
        return ByteBuffer.wrap(read(offset, Long.BYTES)).order(order).getLong();
    }

    @Override
    public void writeLong(long offset, long value) {
        write(offset, ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        ByteBuffer[] mapped = mapped();
        if (mapped.length == 1) {
            mapped[0].get((int) (from - address), target, targetOffset, count);
        } else {
            loadAcross(mapped, from, target, targetOffset, count);
        }
    }

    private void loadAcross(ByteBuffer[] mapped, long from, byte[] target, int targetOffset, int count) {
        long offset = from - address;
        int done = 0;
        while (done < count) {
            ByteBuffer segment = mapped[(int) (offset >>> segmentShift)];
            int at = indexOf(offset);
            int part = Math.min(count - done, (1 << segmentShift) - at);
            segment.get(at, target, targetOffset + done, part);
            done += part;
            offset += part;
        }
    }

    @Override
    public boolean canLend() {
        return segments.length == 1;
    }

    @Override
    public Loan lend(long from, int count) {
        return new Loan(mapped()[0], (int) (from - address), count);
    }

    @Override
    @MutationPoint("host-buffers.store")
    public void store(long to, Octets source, int sourceOffset, int count) {
        ByteBuffer[] mapped = mapped();
        if (mapped.length == 1) {
            source.store(sourceOffset, mapped[0], (int) (to - address), count);
        } else {
            storeAcross(mapped, to, source, sourceOffset, count);
        }
    }

    private void storeAcross(ByteBuffer[] mapped, long to, Octets source, int sourceOffset, int count) {
        long offset = to - address;
        int done = 0;
        while (done < count) {
            ByteBuffer segment = mapped[(int) (offset >>> segmentShift)];
            int at = indexOf(offset);
            int part = Math.min(count - done, (1 << segmentShift) - at);
            source.store(sourceOffset + done, segment, at, part);
            done += part;
            offset += part;
        }
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        AtomicCell cell = new BufferCell(segmentOf(at), indexOf(at - address), atomic.sizeBytes());
        return unit.update(cell, atomic);
    }

    boolean holds(long from, long count) {
        return from >= address && count <= lengthBytes - (from - address);
    }

    private ByteBuffer segmentOf(long at) {
        return mapped()[(int) (at - address >>> segmentShift)];
    }

    private int indexOf(long offset) {
        return (int) (offset & (1L << segmentShift) - 1);
    }

    private ByteBuffer[] mapped() {
        ByteBuffer[] now = segments;
        if (now == UNMAPPED) {
            throw unmapped();
        }
        return now;
    }

    private VerbsException unmapped() {
        return VerbsException.invalid(describe() + ", is unmapped");
    }

    // rule paging-host
    @Override
    public long evict(long offset, long count) {
        check(offset, count);
        mapped();
        if (count == 0 || !isOfHost() || isPinned() || pages.isHuge()) {
            return 0;
        }
        int evicted = residency.evict(offset, count);
        if (evicted > 0) {
            listener.evicted(address + offset, count);
        }
        return evicted;
    }

    // rule paging-peer
    /** True if the pages are the host's, which evicts and brings them in. */
    boolean isOfHost() {
        return pages != AllocatedPages.NONE;
    }

    private synchronized boolean isPinned() {
        return !pins.isEmpty();
    }

    // rule paging-host
    /** Makes pages resident in physical memory, as the processor used them. */
    public void touch(long offset, long count) {
        if (count > 0) {
            residency.touch(offset, count);
        }
    }

    PageResidency residency() {
        return residency;
    }

    private void check(long offset, long count) {
        if (offset < 0 || count < 0 || count > lengthBytes - offset) {
            throw new IndexOutOfBoundsException(
                    count + " bytes at offset " + offset + " are not inside the memory of " + lengthBytes + " bytes");
        }
    }

    /**
     * Pins a part of the memory for a region; EINVAL once it is unmapped, ENOMEM beyond the process's limit of locked memory.
     *
     * @param first address of the part's first byte
     */
    public synchronized Pin pin(LockedMemory locked, long first, long count) {
        mapped();
        if (condemned) {
            throw VerbsException.invalid(describe() + ", was revoked by its driver");
        }
        Pin pin = new Pin(this, isOfHost() ? locked.take(first, count) : () -> {});
        pins = pins.isEmpty() ? new LinkedHashSet<>(2) : pins;
        pins.add(pin);
        residency.pin();
        return pin;
    }

    /** Like {@link #pin}; the memory is unmapped when this pin is released and no other one exists. */
    @MutationPoint("host-buffers.pin-for-good")
    public synchronized Pin pinForGood(LockedMemory locked) {
        Pin pin = pin(locked, address, lengthBytes);
        owner = pin;
        return pin;
    }

    // rule memory-allocated
    /** Removes a pin; returns true if it was held until now. */
    boolean released(Pin pin) {
        boolean first;
        boolean last;
        synchronized (this) {
            first = pins.contains(pin) && pins.remove(pin);
            orphaned |= first && pin == owner;
            last = first && orphaned && pins.isEmpty();
        }
        if (last) {
            unmap();
        }
        return first;
    }

    /** Begins to revoke the memory: no further pin is allowed. Returns the present pins. */
    synchronized List<Pin> condemn() {
        condemned = true;
        return List.copyOf(pins);
    }

    /** Returns a view that stays mapped for its holder; empty once the memory is unmapped. */
    Optional<MappedMemory> keep() {
        ByteBuffer[] now = segments;
        return now == UNMAPPED
                ? Optional.empty()
                : Optional.of(new MappedMemory(
                        address,
                        busAddress,
                        lengthBytes,
                        AllocatedPages.NONE,
                        segmentShift,
                        MappingListener.NONE,
                        PageResidency.Place.RESIDENT,
                        order,
                        now));
    }

    /** Returns the pages of the memory. */
    public AllocatedPages pages() {
        return pages;
    }

    /**
     * Returns the pages for another holder, which releases them by itself; EINVAL once this memory is unmapped and no holder is
     * left.
     */
    AllocatedPages pagesToo() {
        if (!pages.hold()) {
            throw unmapped();
        }
        return pages;
    }

    /** Returns the buffers, for memory that is mapped elsewhere, too. */
    ByteBuffer[] bytes() {
        return mapped();
    }

    /** Unmaps the memory with its process, even if it is pinned. */
    @MutationPoint("host-buffers.unmap")
    synchronized void unmap() {
        if (isMapped()) {
            segments = UNMAPPED;
            pins = Set.of();
            listener.unmapped(this);
            pages.release();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        try {
            close();
            return CompletableFuture.completedStage(null);
        } catch (VerbsException busy) {
            return CompletableFuture.failedStage(busy);
        }
    }

    /** Does not block. */
    @Override
    @MutationPoint("host-buffers.close")
    public synchronized void close() {
        if (!pins.isEmpty()) {
            throw BusyRefusal.because(describe() + ", is covered by", pins, Pin::toString);
        }
        unmap();
    }

    @Override
    public String describe() {
        return "host memory at 0x%x, %d bytes".formatted(address, lengthBytes);
    }

    @Override
    public String toString() {
        return describe();
    }
}
