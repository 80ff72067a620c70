// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Describes a region before it is registered: which memory, and what its key allows. Immutable: each call gives a new
 * description, safe for several threads. Nothing is looked at before a protection domain registers it.
 */
public final class Registration {
    private final HostMemory memory;
    private final long offset;
    private final long lengthBytes;
    private final AccessFlags rights;

    private Registration(HostMemory memory, long offset, long lengthBytes, AccessFlags rights) {
        this.memory = memory;
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.rights = rights;
    }

    /** All of {@code memory}, with no right but local read. */
    public static Registration of(HostMemory memory) {
        return new Registration(memory, 0, memory.lengthBytes(), AccessFlags.NONE);
    }

    /**
     * Only {@code bytes} bytes, from {@code first} bytes after the memory's first address. 0 bytes have a key like any
     * other: requests of 0 bytes succeed under it, and any byte is outside.
     */
    public Registration part(long first, long bytes) {
        return new Registration(memory, first, bytes, rights);
    }

    /** These rights, and no others. */
    public Registration allowing(AccessFlags wanted) {
        return new Registration(memory, offset, lengthBytes, wanted);
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

    public AccessFlags rights() {
        return rights;
    }

    @Override
    public String toString() {
        return "%d bytes at offset %d of %s, %s".formatted(lengthBytes, offset, memory.describe(), rights);
    }
}
