// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.BusyRefusal;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Host memory: consecutive addresses of a process, with the bytes behind them.
 *
 * <p>Unmapping drops the storage. A thread that copies at that moment still holds it, and the garbage collector waits for it:
 * buffers are never freed under an access, as they would be when freed explicitly.
 */
public final class MappedMemory implements HostMemory, HostBytes {
    private final long address;
    private final OptionalLong busAddress;
    private final long lengthBytes;
    private final AllocatedPages pages;
    private final MappingListener listener;
    private final PageResidency residency;

    @MutationPoint("host-buffers.pins")
    private Set<Pin> pins = Set.of();

    /** Null once it is unmapped. */
    private volatile @Nullable Storage storage;

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
     * @param busAddress first address in physical memory; empty if it is not contiguous there
     * @param pages pages of the memory, freed when it is unmapped
     * @param first initial state of its pages
     */
    MappedMemory(
            long address,
            OptionalLong busAddress,
            long lengthBytes,
            AllocatedPages pages,
            MappingListener listener,
            PageResidency.Place first,
            Storage storage) {
        this.address = address;
        this.busAddress = busAddress;
        this.lengthBytes = lengthBytes;
        this.pages = pages;
        this.listener = listener;
        this.storage = storage;
        residency = new PageResidency(address, lengthBytes, pages, first);
    }

    /** Creates zeroed memory at a given address, a multiple of 8; at most 1 GiB. */
    public static MappedMemory at(long address, int lengthBytes) {
        if ((address & 7) != 0 || lengthBytes < 1) {
            throw new IllegalArgumentException(lengthBytes
                    + " bytes at 0x%x are refused; at least 1 byte at a multiple of 8 is allowed".formatted(address));
        }
        return new MappedMemory(
                address,
                OptionalLong.of(address),
                lengthBytes,
                AllocatedPages.NONE,
                MappingListener.NONE,
                PageResidency.Place.RESIDENT,
                BufferStorage.zeros(lengthBytes, BufferStorage.SEGMENT_SHIFT, ByteOrder.nativeOrder()));
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    // rule memory-program
    @Override
    public long busAddress() {
        return busAddress.orElseThrow(() -> new VerbsException(
                Errno.EOPNOTSUPP, describe() + ", has no bus address: a program's pages are not contiguous"));
    }

    @Override
    public boolean isMapped() {
        return storage != null;
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
        ByteOrder order = mapped().order();
        return ByteBuffer.wrap(read(offset, Long.BYTES)).order(order).getLong();
    }

    @Override
    public void writeLong(long offset, long value) {
        ByteOrder order = mapped().order();
        write(offset, ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        mapped().load(from - address, target, targetOffset, count);
    }

    @Override
    public boolean canLend() {
        Storage now = storage;
        return now != null && now.canLend();
    }

    @Override
    public Loan lend(long from, int count) {
        return mapped().lend(from - address, count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        mapped().store(to - address, source, sourceOffset, count);
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return unit.update(mapped().cell(at - address, atomic.sizeBytes()), atomic);
    }

    boolean holds(long from, long count) {
        return from >= address && count <= lengthBytes - (from - address);
    }

    private Storage mapped() {
        Storage now = storage;
        if (now == null) {
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
        if (count == 0 || isPinned() || !pages.canBeEvicted()) {
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
     * Pins a part of the memory for a region; EINVAL once it is unmapped, EFAULT if its program has unmapped the part, ENOMEM
     * beyond the process's limit of locked memory.
     *
     * @param first address of the part's first byte
     */
    public synchronized Pin pin(LockedMemory locked, long first, long count) {
        checkPresent(mapped(), first, count);
        if (condemned) {
            throw VerbsException.invalid(describe() + ", was revoked by its driver");
        }
        Pin pin = new Pin(this, isOfHost() ? locked.take(first, count) : () -> {});
        pins = pins.isEmpty() ? new LinkedHashSet<>(2) : pins;
        pins.add(pin);
        residency.pin();
        return pin;
    }

    // rule memory-program
    private void checkPresent(Storage now, long first, long count) {
        long gone = now.firstGone(first - address, count);
        if (gone >= 0) {
            throw ProgramSpace.notMapped(first, count, address + gone);
        }
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
        return Optional.ofNullable(storage)
                .map(now -> new MappedMemory(
                        address,
                        busAddress,
                        lengthBytes,
                        AllocatedPages.NONE,
                        MappingListener.NONE,
                        PageResidency.Place.RESIDENT,
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

    /** Returns the storage, for memory that is mapped elsewhere, too; EINVAL once it is unmapped. */
    Storage storage() {
        return mapped();
    }

    /** Unmaps the memory with its process, even if it is pinned. */
    @MutationPoint("host-buffers.unmap")
    synchronized void unmap() {
        if (isMapped()) {
            storage = null;
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
