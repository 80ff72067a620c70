// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.OptionalLong;

/**
 * Describes a region before it is registered: which memory, and what its key allows. Immutable: each call gives a new
 * description, safe for several threads. Nothing is looked at before a protection domain registers it.
 */
public final class Registration {
    private final HostMemory memory;
    private final long offset;
    private final long lengthBytes;
    private final OptionalLong address;
    private final AccessFlags rights;

    private Registration(HostMemory memory, long offset, long lengthBytes, OptionalLong address, AccessFlags rights) {
        this.memory = memory;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.address = address;
        this.rights = rights;
    }

    /** All of {@code memory}, with no right but local read. */
    public static Registration of(HostMemory memory) {
        return new Registration(memory, 0, memory.lengthBytes(), OptionalLong.empty(), AccessFlags.NONE);
    }

    /**
     * Only {@code bytes} bytes, from {@code first} bytes after the memory's first address. 0 bytes have a key like any
     * other: requests of 0 bytes succeed under it, and any byte is outside.
     */
    public Registration part(long first, long bytes) {
        return new Registration(memory, first, bytes, address, rights);
    }

    /**
     * Under the key, the range begins at this address, here and for peers, wherever it stands in the process ({@code
     * ibv_reg_mr_iova}). Its last 12 bits are those of the range's first address, as a page is mapped to a page; a
     * region at 0 counts as {@link #zeroBased()}.
     */
    public Registration at(long iova) {
        return new Registration(memory, offset, lengthBytes, OptionalLong.of(iova), rights);
    }

    /**
     * Under the key, addresses are offsets ({@code IBV_ACCESS_ZERO_BASED}). The range begins a page, and no window can be
     * bound to it.
     */
    public Registration zeroBased() {
        return at(0);
    }

    /** These rights, and no others. */
    public Registration allowing(AccessFlags wanted) {
        return new Registration(memory, offset, lengthBytes, address, wanted);
    }

    /** These rights, and no others. */
    public Registration allowing(Access... wanted) {
        return allowing(AccessFlags.of(wanted));
    }

    public HostMemory memory() {
        return memory;
    }

    /** Bytes after the memory's first address. */
    public long offset() {
        return offset;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** Where the range begins under the key; empty for where it begins in the process. */
    public OptionalLong address() {
        return address;
    }

    public AccessFlags rights() {
        return rights;
    }

    @Override
    public String toString() {
        String shown = address.isPresent() ? " at 0x%x".formatted(address.getAsLong()) : "";
        return "%d bytes at offset %d of %s%s, %s".formatted(lengthBytes, offset, memory.describe(), shown, rights);
    }
}
