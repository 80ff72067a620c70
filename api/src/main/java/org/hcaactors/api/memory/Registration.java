// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.Collections;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Description of a region to register: its memory and the rights of its key. Immutable: each method returns a new description,
 * safe for several threads. It is checked when a protection domain registers it.
 */
public final class Registration {
    /** Memory to register. Immutable. More will follow: a switch over them wants a default. */
    public sealed interface Source {
        long lengthBytes();

        /** @param offset bytes after the memory's first address */
        record Mapped(HostMemory memory, long offset, long lengthBytes) implements Source {
            @Override
            public String toString() {
                return "%d bytes at offset %d of %s".formatted(lengthBytes, offset, memory.describe());
            }
        }

        /** Memory that the registration allocates, and that is freed with the region. */
        record Allocated(long lengthBytes) implements Source {
            @Override
            public String toString() {
                return lengthBytes + " bytes that the registration allocates";
            }
        }

        /** Allocated memory at this address of the process, on contiguous pages. */
        record AllocatedAt(long address, long lengthBytes) implements Source {
            @Override
            public String toString() {
                return "%d bytes that the registration allocates at 0x%x".formatted(lengthBytes, address);
            }
        }

        /** Addresses of the process, mapped or not. */
        record Addresses(long address, long lengthBytes) implements Source {
            /** The whole address space: {@code IBV_EXP_IMPLICIT_MR_SIZE} bytes from 0. */
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
            /** All physical memory. */
            public static final Physical WHOLE = new Physical(0, Long.MAX_VALUE);

            @Override
            public String toString() {
                return equals(WHOLE)
                        ? "all physical memory"
                        : "%d bytes of the physical memory at 0x%x".formatted(lengthBytes, address);
            }
        }
    }

    /** Further options of a region. */
    private enum Trait {
        ON_DEMAND,
        HUGE,
        RELAXED,
        TUNNELING
    }

    private final Source source;
    private final OptionalLong address;
    private final AccessFlags access;
    private final Set<Permission> sharing;
    private final boolean rdma;
    private final Set<Trait> traits;

    private Registration(
            Source source,
            OptionalLong address,
            AccessFlags access,
            Set<Permission> sharing,
            boolean rdma,
            Set<Trait> traits) {
        this.source = source;
        this.address = address;
        this.access = access;
        this.sharing = sharing;
        this.rdma = rdma;
        this.traits = traits;
    }

    private static Registration from(Source source) {
        return new Registration(source, OptionalLong.empty(), AccessFlags.NONE, Set.of(), true, Set.of());
    }

    private Registration of(Source other) {
        return new Registration(other, address, access, sharing, rdma, traits);
    }

    /** All of {@code memory}, with no right but local read. */
    public static Registration of(HostMemory memory) {
        return from(new Source.Mapped(memory, 0, memory.lengthBytes()));
    }

    /**
     * Zeroed memory that the registration allocates, page-aligned ({@code IBV_EXP_ACCESS_ALLOCATE_MR}). It is unmapped when the
     * region is deregistered, or reregistered with other memory, and no other region covers it; until then it cannot be closed.
     * {@code MLX_MR_ALLOC_TYPE} selects its pages; by default contiguous ones if the host has them. ENOMEM if no such memory is
     * available, EOPNOTSUPP in a process with a {@linkplain ProgramMemory program's memory}.
     */
    public static Registration allocated(long lengthBytes) {
        return from(new Source.Allocated(lengthBytes));
    }

    /**
     * Zeroed memory at this address, on contiguous pages only ({@code IBV_EXP_REG_MR_CREATE_CONTIG}): ENOMEM if the host has
     * none; EINVAL unless the address begins a page and neither it nor a higher address was allocated in the process before.
     */
    public static Registration allocatedAt(long address, long lengthBytes) {
        return from(new Source.AllocatedAt(address, lengthBytes));
    }

    /**
     * A range of addresses of the process, including memory that is mapped later. It can be registered only {@link #withOnDemandPaging}.
     */
    public static Registration addresses(long address, long lengthBytes) {
        return from(new Source.Addresses(address, lengthBytes));
    }

    /**
     * The whole address space of the process, including memory that is mapped later (implicit ODP). It can be registered only
     * {@link #withOnDemandPaging}, under its own addresses.
     */
    public static Registration wholeAddressSpace() {
        return from(Source.Addresses.WHOLE);
    }

    /**
     * All of the host's physical memory, addressed by {@link HostMemory#busAddress}, of all processes, including memory that is
     * mapped later ({@code IBV_EXP_ACCESS_PHYSICAL_ADDR}). Only root can register it, with no rights but LOCAL_WRITE and the
     * remote ones; it pins nothing.
     */
    public static Registration physical() {
        return from(Source.Physical.WHOLE);
    }

    /** A range of the host's physical memory; otherwise as {@link #physical()}. */
    public static Registration physical(long busAddress, long lengthBytes) {
        return from(new Source.Physical(busAddress, lengthBytes));
    }

    /**
     * Restricts the region to {@code bytes} bytes, from {@code first} bytes after the memory's first address. A region of 0
     * bytes has a key: requests of 0 bytes succeed under it, and access to any byte fails. IllegalStateException unless the
     * source is mapped memory.
     */
    public Registration withRange(long first, long bytes) {
        if (source instanceof Source.Mapped whole) {
            return of(new Source.Mapped(whole.memory(), first, bytes));
        }
        throw new IllegalStateException(
                "the registration of " + source + " has no parts; only existing memory has parts");
    }

    /**
     * Sets the first address under the key, for local and remote use, independent of the address in the process ({@code
     * ibv_reg_mr_iova}). Its low 12 bits must equal those of the range's first address, because pages are mapped to pages; a
     * region at 0 counts as {@link #withZeroBased()}.
     */
    public Registration withAddress(long iova) {
        return new Registration(source, OptionalLong.of(iova), access, sharing, rdma, traits);
    }

    /**
     * Makes addresses under the key offsets ({@code IBV_ACCESS_ZERO_BASED}). The range must begin a page, and no window can be
     * bound to it.
     */
    public Registration withZeroBased() {
        return withAddress(0);
    }

    /** Sets these rights, in place of the previous ones. */
    public Registration withAccess(AccessFlags requested) {
        return new Registration(source, address, requested, sharing, rdma, traits);
    }

    /** Sets these rights, in place of the previous ones. */
    public Registration withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /**
     * Lets other processes of the host register the same memory by the region's {@linkplain MemoryRegion#handle() number}, as
     * these permissions allow. Only {@linkplain #allocated allocated} memory can be shared.
     */
    public Registration withSharing(Permission... permissions) {
        Set<Permission> all = EnumSet.noneOf(Permission.class);
        Collections.addAll(all, permissions);
        return new Registration(source, address, access, Collections.unmodifiableSet(all), rdma, traits);
    }

    /** Registers the region only for sharing: access under its key is refused ({@code IBV_EXP_ACCESS_NO_RDMA}). */
    public Registration withoutRdma() {
        return new Registration(source, address, access, sharing, false, traits);
    }

    /**
     * On-demand paging ({@code IBV_EXP_ACCESS_ON_DEMAND}): pages are fetched when used and may be evicted, nothing is pinned,
     * and the memory need not be mapped. Memory may be unmapped under the region; then its use is refused. The adapter's {@link
     * org.hcaactors.api.capability.PagingCapabilities} list the operations that can fault. Only addresses, and memory of the
     * process other than a peer device's, can be registered so.
     */
    public Registration withOnDemandPaging() {
        return and(Trait.ON_DEMAND);
    }

    public boolean onDemandPaging() {
        return traits.contains(Trait.ON_DEMAND);
    }

    // rule paging-huge
    /**
     * Uses huge pages ({@code IBV_ACCESS_HUGETLB}): one of them is fetched at a time, whole. It can be registered without such
     * memory, as any on-demand region; using other memory is refused. EINVAL unless it is on demand, and for the whole address
     * space.
     */
    public Registration withHugePages() {
        return and(Trait.HUGE);
    }

    public boolean hugePages() {
        return traits.contains(Trait.HUGE);
    }

    // rule paging-relaxed
    /**
     * Allows the library to register more than requested, with more rights, and to keep it longer ({@code
     * IBV_EXP_ACCESS_RELAXED}); this library does not. EINVAL unless it is on demand, and for more than 128 MiB.
     */
    public Registration withRelaxedAccess() {
        return and(Trait.RELAXED);
    }

    public boolean relaxedAccess() {
        return traits.contains(Trait.RELAXED);
    }

    // rules atomic-tunneled-region, atomic-tunneled-payload
    /**
     * Makes RDMA WRITEs into the region commands for the host's memory controller ({@code IBV_EXP_ACCESS_TUNNELED_ATOMIC}), 16
     * bytes each, as from {@link org.hcaactors.api.work.TunneledCommand#toBytes}. All numbers are big-endian; the format is
     * this project's own, that of hardware is not published:
     *
     * <table>
     * <caption>a command</caption>
     * <tr><th>bytes</th><th>content</th></tr>
     * <tr><td>0</td><td>function: 0 add, 1 exclusive or, 2 or, 3 and, 4 unsigned maximum, 5 signed maximum, 6 unsigned minimum,
     *     7 signed minimum</td></tr>
     * <tr><td>1</td><td>log2 of the value's size: 2 or 3</td></tr>
     * <tr><td>2, 3</td><td>zeros</td></tr>
     * <tr><td>4 to 7</td><td>offset of the value from the WRITE's address; the sum is a multiple of the value's size</td></tr>
     * <tr><td>8 to 15</td><td>operand; for a value of 4 bytes, in the last four of these</td></tr>
     * </table>
     *
     * <p>The commands of a WRITE, up to 64 KiB of them, are executed in order when the last one has arrived. If one of them is
     * invalid, none is executed, and the WRITE is an invalid request. Peers need REMOTE_WRITE. EINVAL unless it is memory of
     * the process, not on demand, on an adapter whose {@linkplain org.hcaactors.api.capability.PlatformCapabilities platform}
     * has tunneled atomics.
     */
    public Registration withTunneledAtomics() {
        return and(Trait.TUNNELING);
    }

    public boolean tunneledAtomics() {
        return traits.contains(Trait.TUNNELING);
    }

    private Registration and(Trait more) {
        Set<Trait> all = EnumSet.of(more);
        all.addAll(traits);
        return new Registration(source, address, access, sharing, rdma, Collections.unmodifiableSet(all));
    }

    public Source source() {
        return source;
    }

    public long lengthBytes() {
        return source.lengthBytes();
    }

    /** First address under the key; empty: the address in the process. */
    public OptionalLong address() {
        return address;
    }

    public AccessFlags access() {
        return access;
    }

    /** Sharing permissions in the order of the enum; empty if it is not shared. */
    public Set<Permission> sharing() {
        return sharing;
    }

    /** True if its key can be used for access. */
    public boolean allowsRdma() {
        return rdma;
    }

    @Override
    public String toString() {
        String shown = address.isPresent() ? " at 0x%x".formatted(address.getAsLong()) : "";
        return source + shown + ", " + access + (sharing.isEmpty() ? "" : ", shared " + sharing)
                + (rdma ? "" : ", no RDMA") + (onDemandPaging() ? ", on demand" : "")
                + (hugePages() ? ", on huge pages" : "") + (relaxedAccess() ? ", relaxed" : "")
                + (tunneledAtomics() ? ", tunneling atomics" : "");
    }
}
