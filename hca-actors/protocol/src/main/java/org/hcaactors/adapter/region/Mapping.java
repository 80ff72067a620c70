// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.HcaEvent.KeyKind;
import org.hcaactors.adapter.flow.InlineCopyFailed;
import org.hcaactors.adapter.host.LockedMemory;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.Pin;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PeerMemory;
import org.hcaactors.mutation.MutationPoint;

/**
 * A range of a process's memory, registered page by page.
 *
 * @param memory the memory as the process knows it
 * @param first address of its first byte, in the process
 * @param address address of its first byte, under the key
 * @param windows the windows that can be bound
 * @param sharing sharing with other processes, if it is shared
 * @param rdma whether the key can be used
 * @param allocated whether the memory is freed with the region
 * @param pin keeps the memory mapped until the region is gone
 */
public record Mapping(
        HostMemory memory,
        MappedMemory buffers,
        long first,
        long address,
        long lengthBytes,
        Region.Windows windows,
        Optional<RegionSharing> sharing,
        boolean rdma,
        boolean allocated,
        Pin pin)
        implements RegionBacking {
    private static final int PAGE_SHIFT = PageLayout.MIN_ORDER;
    private static final long IN_PAGE = (1L << PAGE_SHIFT) - 1;

    /**
     * Pins the memory. VerbsException: EINVAL if the range is outside of the memory or can't be at the address, ENOMEM if it
     * may not be locked.
     */
    public static Mapping of(
            HostMemory memory,
            MappedMemory buffers,
            long offset,
            long lengthBytes,
            OptionalLong iova,
            Profile profile,
            LockedMemory locked) {
        checkPart(memory, offset, lengthBytes);
        long first = memory.address() + offset;
        long address = shown(iova, first, lengthBytes);
        Region.Windows windows = memory instanceof PeerMemory ? Region.Windows.NONE : windows(profile);
        Pin pin = buffers.pin(locked, first, lengthBytes);
        return new Mapping(memory, buffers, first, address, lengthBytes, windows, Optional.empty(), true, false, pin);
    }

    // rule memory-allocated
    /** Pins memory that is freed with its region; it is unmapped at once if it can't be at the address or may not be locked. */
    public static Mapping whole(
            MappedMemory allocated,
            OptionalLong iova,
            Profile profile,
            LockedMemory locked,
            Optional<RegionSharing> sharing,
            boolean rdma) {
        Pin pin = pinned(allocated, locked);
        try {
            long address = shown(iova, allocated.address(), allocated.lengthBytes());
            return new Mapping(
                    allocated,
                    allocated,
                    allocated.address(),
                    address,
                    allocated.lengthBytes(),
                    windows(profile),
                    sharing,
                    rdma,
                    true,
                    pin);
        } catch (VerbsException refused) {
            pin.release();
            throw refused;
        }
    }

    private static Pin pinned(MappedMemory allocated, LockedMemory locked) {
        try {
            return allocated.pinForGood(locked);
        } catch (VerbsException refused) {
            allocated.close();
            throw refused;
        }
    }

    public static void checkPart(HostMemory memory, long offset, long lengthBytes) {
        if (offset < 0 || lengthBytes < 0 || lengthBytes > memory.lengthBytes() - offset) {
            throw VerbsException.invalid(lengthBytes + " bytes at offset " + offset + " are not inside the memory of "
                    + memory.lengthBytes() + " bytes");
        }
    }

    public static Region.Windows windows(Profile profile) {
        return profile.has(Quirk.BINDS_WINDOWS_BEYOND_REGIONS) ? Region.Windows.ANYWHERE : Region.Windows.INSIDE;
    }

    // rule memory-iova
    public static long shown(OptionalLong requested, long first, long lengthBytes) {
        long address = requested.orElse(first);
        if ((address & IN_PAGE) != (first & IN_PAGE)) {
            throw VerbsException.invalid(
                    "a region at 0x%x can't cover memory at 0x%x: the low 12 bits of both addresses must be equal"
                            .formatted(address, first));
        }
        if (Long.compareUnsigned(address, -lengthBytes) > 0 && lengthBytes != 0) {
            throw VerbsException.invalid(
                    "a region at 0x%x with %d bytes exceeds the 64-bit address space".formatted(address, lengthBytes));
        }
        return address;
    }

    @Override
    public KeyKind kind() {
        return KeyKind.MEMORY_REGION;
    }

    @Override
    public long shift() {
        return first - address;
    }

    // rule inline-addresses
    @Override
    public Optional<InlineCopyFailed.Addresses> addresses() {
        if (memory instanceof PeerMemory) {
            return Optional.of(InlineCopyFailed.Addresses.OF_A_DEVICE);
        }
        return shift() == 0 ? Optional.empty() : Optional.of(InlineCopyFailed.Addresses.SHIFTED);
    }

    // rule pages-entries
    /** A page counts as whole if its first byte is the start of a page both in the process and under the key. */
    @Override
    public PageLayout translation() {
        PageLayout layout = buffers.pages().layout();
        long start = buffers.address() | first ^ address;
        int order = Math.min(layout.order(), Math.max(PAGE_SHIFT, Long.numberOfTrailingZeros(start)));
        long inPage = (1L << order) - 1;
        long entries = (first & inPage) + lengthBytes + inPage >>> order;
        return new PageLayout(layout.type(), order, entries, layout.node());
    }

    @Override
    public boolean isAllocated() {
        return allocated;
    }

    @Override
    public void check(AccessFlags rights) {
        sharing.ifPresent(shared -> shared.check(rights));
    }

    // rule memory-peer
    @Override
    public Optional<String> lasting() {
        return memory instanceof PeerMemory ? Optional.of("it covers memory of a peer device") : Optional.empty();
    }

    @Override
    public TranslatedKey translatedKey(int key, int domain, AccessFlags rights) {
        Region region = new Region(key, domain, address, lengthBytes, rights, buffers, shift(), windows);
        return rdma ? region : new InaccessibleRegion(key, new Denial.OnlyShared(), Optional.of(region));
    }

    @Override
    public void heldBy(MemoryRegion region, Supplier<CompletionStage<Void>> give) {
        pin.heldBy(region, give);
        sharing.ifPresent(shared -> shared.begin(region.handle()));
    }

    @Override
    @MutationPoint("mapping.release")
    public void release() {
        sharing.ifPresent(RegionSharing::end);
        pin.release();
    }
}
