// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Describes a region before it is registered: which memory, and what its key allows. Immutable: each call gives a new
 * description, safe for several threads. Nothing is looked at before a protection domain registers it.
 */
public final class Registration {
    /** What is registered. Immutable. More will follow: a switch over them wants a default. */
    public sealed interface Source {
        long lengthBytes();

        /** @param offset bytes after the memory's first address */
        record Mapped(HostMemory memory, long offset, long lengthBytes) implements Source {
            @Override
            public String toString() {
                return "%d bytes at offset %d of %s".formatted(lengthBytes, offset, memory.describe());
            }
        }

        /** Memory that the registration makes, and that goes with the region. */
        record Allocated(long lengthBytes) implements Source {
            @Override
            public String toString() {
                return lengthBytes + " bytes of its own";
            }
        }

        /** The same at that address of the process, on contiguous pages. */
        record AllocatedAt(long address, long lengthBytes) implements Source {
            @Override
            public String toString() {
                return "%d bytes of its own at 0x%x".formatted(lengthBytes, address);
            }
        }

        /** Addresses of the process, whether memory is there or not. */
        record Addresses(long address, long lengthBytes) implements Source {
            /** All of them: {@code IBV_EXP_IMPLICIT_MR_SIZE} bytes from 0. */
            public static final Addresses WHOLE = new Addresses(0, Long.MAX_VALUE);

            @Override
            public String toString() {
                return equals(WHOLE)
                        ? "the whole address space"
                        : "%d bytes of the address space at 0x%x".formatted(lengthBytes, address);
            }
        }

        /** A range of the host's physical memory. */
        record Physical(long address, long lengthBytes) implements Source {
            /** All of it. */
            public static final Physical WHOLE = new Physical(0, Long.MAX_VALUE);

            @Override
            public String toString() {
                return equals(WHOLE)
                        ? "the physical memory"
                        : "%d bytes of the physical memory at 0x%x".formatted(lengthBytes, address);
            }
        }
    }

    /** What else a region is. */
    private enum Trait {
        ON_DEMAND,
        HUGE,
        RELAXED,
        TUNNELING
    }

    private final Source source;
    private final OptionalLong address;
    private final AccessFlags rights;
    private final Set<Permission> sharing;
    private final boolean rdma;
    private final Set<Trait> traits;

    private Registration(
            Source source,
            OptionalLong address,
            AccessFlags rights,
            Set<Permission> sharing,
            boolean rdma,
            Set<Trait> traits) {
        this.source = source;
        this.address = address;
        this.rights = rights;
        this.sharing = sharing;
        this.rdma = rdma;
        this.traits = traits;
    }

    private static Registration from(Source source) {
        return new Registration(source, OptionalLong.empty(), AccessFlags.NONE, Set.of(), true, Set.of());
    }

    private Registration of(Source other) {
        return new Registration(other, address, rights, sharing, rdma, traits);
    }

    /** All of {@code memory}, with no right but local read. */
    public static Registration of(HostMemory memory) {
        return from(new Source.Mapped(memory, 0, memory.lengthBytes()));
    }

    /**
     * Memory that the registration makes, zeroed, at the beginning of a page ({@code IBV_EXP_ACCESS_ALLOCATE_MR}). It is
     * unmapped when the region is deregistered, or registered anew with other memory, and nothing else covers it; until
     * then it can't be closed. It stands on pages as {@code MLX_MR_ALLOC_TYPE} says: contiguous ones where the host has them,
     * unless that is set; ENOMEM where it can't be had so.
     */
    public static Registration allocated(long lengthBytes) {
        return from(new Source.Allocated(lengthBytes));
    }

    /**
     * The same at that address, on contiguous pages or not at all ({@code IBV_EXP_REG_MR_CREATE_CONTIG}): ENOMEM where the host has
     * none, EINVAL unless the address begins a page and neither it nor one above it was given out in the process before.
     */
    public static Registration allocatedAt(long address, long lengthBytes) {
        return from(new Source.AllocatedAt(address, lengthBytes));
    }

    /**
     * A range of addresses of the process, whatever memory is there, now or later. Only {@link #onDemand} can it be
     * registered.
     */
    public static Registration addresses(long address, long lengthBytes) {
        return from(new Source.Addresses(address, lengthBytes));
    }

    /**
     * The whole address space of the process, whatever memory is there, now or later (implicit on-demand traits). Only {@link
     * #onDemand} can it be registered, under its own addresses.
     */
    public static Registration everything() {
        return from(Source.Addresses.WHOLE);
    }

    /**
     * The whole of the host's physical memory, whose addresses are those of {@link HostMemory#busAddress}: of whatever process,
     * mapped now or later ({@code IBV_EXP_ACCESS_PHYSICAL_ADDR}). Only root registers it, with no rights but LOCAL_WRITE and
     * those from afar; it pins nothing.
     */
    public static Registration physical() {
        return from(Source.Physical.WHOLE);
    }

    /** A range of the host's physical memory; otherwise as {@link #physical()}. */
    public static Registration physical(long busAddress, long lengthBytes) {
        return from(new Source.Physical(busAddress, lengthBytes));
    }

    /**
     * Only {@code bytes} bytes, from {@code first} bytes after the memory's first address. 0 bytes have a key like any
     * other: requests of 0 bytes succeed under it, and any byte is outside. IllegalStateException unless it is a
     * registration of memory that is there.
     */
    public Registration part(long first, long bytes) {
        if (source instanceof Source.Mapped whole) {
            return of(new Source.Mapped(whole.memory(), first, bytes));
        }
        throw new IllegalStateException("a part of " + source + "; only memory that is there has parts");
    }

    /**
     * Under the key, the range begins at this address, here and for peers, wherever it stands in the process ({@code
     * ibv_reg_mr_iova}). Its last 12 bits are those of the range's first address, as a page is mapped to a page; a
     * region at 0 counts as {@link #zeroBased()}.
     */
    public Registration at(long iova) {
        return new Registration(source, OptionalLong.of(iova), rights, sharing, rdma, traits);
    }

    /**
     * Under the key, addresses are offsets ({@code IBV_ACCESS_ZERO_BASED}). The range begins a page, and no window can be
     * bound to it.
     */
    public Registration zeroBased() {
        return at(0);
    }

    /** These rights, and no others. */
    public Registration withAccess(AccessFlags requested) {
        return new Registration(source, address, requested, sharing, rdma, traits);
    }

    /** These rights, and no others. */
    public Registration withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /**
     * Other processes of the host may register the same memory by the region's {@linkplain MemoryRegion#handle() number}, each
     * as these permissions let it. Only {@linkplain #allocated allocated} memory can be shared.
     */
    public Registration sharedWith(Permission... permissions) {
        Set<Permission> all = EnumSet.noneOf(Permission.class);
        Collections.addAll(all, permissions);
        return new Registration(source, address, rights, Collections.unmodifiableSet(all), rdma, traits);
    }

    /** The region is there to be shared: its key lets nobody in ({@code IBV_EXP_ACCESS_NO_RDMA}). */
    public Registration withoutRdma() {
        return new Registration(source, address, rights, sharing, false, traits);
    }

    /**
     * Its pages come when they are used, and may go again ({@code IBV_EXP_ACCESS_ON_DEMAND}): nothing is pinned, and nothing need be
     * there. It does not hold on to memory, which may be unmapped under it: what is used then is refused. Which uses wait for
     * pages, the adapter's {@link org.hcaactors.api.capability.PagingCapabilities} say. Only memory of the process that is
     * no peer device's, and addresses, can be registered so.
     */
    public Registration onDemand() {
        return and(Trait.ON_DEMAND);
    }

    public boolean isOnDemand() {
        return traits.contains(Trait.ON_DEMAND);
    }

    // rule paging-huge
    /**
     * Its pages are huge ones ({@code IBV_ACCESS_HUGETLB}): one of them comes at a time, whole. It can be registered where no such
     * memory is, as anything on demand; what is used then, is refused. EINVAL unless it is on demand, and for the whole address
     * space.
     */
    public Registration hugePages() {
        return and(Trait.HUGE);
    }

    public boolean hasHugePages() {
        return traits.contains(Trait.HUGE);
    }

    // rule paging-relaxed
    /**
     * The library may register more than is asked for, with more rights, and keep it longer ({@code IBV_EXP_ACCESS_RELAXED});
     * this one does not. EINVAL unless it is on demand, and for more than 128 MiB.
     */
    public Registration relaxed() {
        return and(Trait.RELAXED);
    }

    public boolean isRelaxed() {
        return traits.contains(Trait.RELAXED);
    }

    // rules atomic-tunneled-region, atomic-tunneled-payload
    /**
     * RDMA WRITEs into it bring commands for the host's memory controller instead of bytes ({@code
     * IBV_EXP_ACCESS_TUNNELED_ATOMIC}), 16 bytes each, as {@link org.hcaactors.api.work.TunneledCommand#toBytes} gives them. All
     * numbers are big-endian; the form is our own, that of hardware is not published:
     *
     * <table>
     * <caption>a command</caption>
     * <tr><th>bytes</th><th>what</th></tr>
     * <tr><td>0</td><td>the function: 0 add, 1 exclusive or, 2 or, 3 and, 4 greater, 5 greater with a sign, 6 less, 7 less with a
     *     sign</td></tr>
     * <tr><td>1</td><td>log2 of the value's bytes: 2 or 3</td></tr>
     * <tr><td>2, 3</td><td>zeros</td></tr>
     * <tr><td>4 to 7</td><td>where the value is, from the WRITE's address on; the sum is a multiple of its bytes</td></tr>
     * <tr><td>8 to 15</td><td>the operand; for a value of 4 bytes, the last four of these</td></tr>
     * </table>
     *
     * <p>The commands of a WRITE are carried out in their order when the last is there, up to 64 KiB of them; where one of them is none,
     * none is carried out, and the WRITE is an invalid request. Peers need REMOTE_WRITE. Only memory of the process can be registered so, on an adapter whose {@linkplain
     * org.hcaactors.api.capability.PlatformCapabilities platform} has tunneled atomics, and not on demand: else EINVAL.
     */
    public Registration withTunneledAtomics() {
        return and(Trait.TUNNELING);
    }

    public boolean tunnelsAtomics() {
        return traits.contains(Trait.TUNNELING);
    }

    private Registration and(Trait more) {
        Set<Trait> all = EnumSet.of(more);
        all.addAll(traits);
        return new Registration(source, address, rights, sharing, rdma, Collections.unmodifiableSet(all));
    }

    public Source source() {
        return source;
    }

    public long lengthBytes() {
        return source.lengthBytes();
    }

    /** Where the range begins under the key; empty for where it begins in the process. */
    public OptionalLong address() {
        return address;
    }

    public AccessFlags rights() {
        return rights;
    }

    /** In the order of the enum; empty where it is not shared. */
    public Set<Permission> sharing() {
        return sharing;
    }

    /** Its key can be used. */
    public boolean allowsRdma() {
        return rdma;
    }

    @Override
    public String toString() {
        String shown = address.isPresent() ? " at 0x%x".formatted(address.getAsLong()) : "";
        return source + shown + ", " + rights + (sharing.isEmpty() ? "" : ", shared " + sharing)
                + (rdma ? "" : ", no RDMA") + (isOnDemand() ? ", on demand" : "")
                + (hasHugePages() ? ", on huge pages" : "") + (isRelaxed() ? ", relaxed" : "")
                + (tunnelsAtomics() ? ", tunneling atomics" : "");
    }
}
