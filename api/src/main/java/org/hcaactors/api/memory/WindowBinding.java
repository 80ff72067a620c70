// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Binding of a window: a part of a region, and the rights of a peer ({@code ibv_mw_bind_info}).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class WindowBinding {
    /** Maximum length of a window: 2^31 bytes (rule window-post). */
    public static final long MAX_BYTES = 1L << 31;

    /** No region: unbinds a window of type 1. */
    public static final WindowBinding NOTHING = new WindowBinding(Optional.empty(), 0, 0, AccessFlags.NONE, false);

    private final Optional<MemoryRegion> region;
    private final long address;
    private final long lengthBytes;
    private final AccessFlags access;
    private final boolean zeroBased;

    private WindowBinding(
            Optional<MemoryRegion> region, long address, long lengthBytes, AccessFlags access, boolean zeroBased) {
        if (lengthBytes < 0) {
            throw new IllegalArgumentException(
                    "the length of a binding is " + lengthBytes + " bytes; 0 or more is allowed");
        }
        this.region = region;
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.zeroBased = zeroBased;
    }

    /** All of a region, without rights. */
    public static WindowBinding of(MemoryRegion region) {
        return of(region, region.address(), region.lengthBytes());
    }

    /**
     * A part of a region, without rights.
     *
     * @param address first address, under the region's keys
     * @param lengthBytes 0 or more; IllegalArgumentException otherwise
     */
    public static WindowBinding of(MemoryRegion region, long address, long lengthBytes) {
        return new WindowBinding(Optional.of(region), address, lengthBytes, AccessFlags.NONE, false);
    }

    /** A range without a region, which every adapter refuses. */
    public static WindowBinding withoutRegion(long address, long lengthBytes) {
        return new WindowBinding(Optional.empty(), address, lengthBytes, AccessFlags.NONE, false);
    }

    /**
     * Sets these rights, in place of the previous ones. The region need not have the remote rights: it needs MW_BIND, and
     * LOCAL_WRITE for remote write or atomic (rule window-rights). Rights other than remote ones are accepted without effect.
     */
    public WindowBinding withAccess(AccessFlags requested) {
        return new WindowBinding(region, address, lengthBytes, requested, zeroBased);
    }

    /** Sets these rights, in place of the previous ones. */
    public WindowBinding withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /** Makes remote addresses offsets from the window's first byte; only for windows of type 2. */
    public WindowBinding withZeroBased() {
        return new WindowBinding(region, address, lengthBytes, access, true);
    }

    public Optional<MemoryRegion> region() {
        return region;
    }

    public long address() {
        return address;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public AccessFlags access() {
        return access;
    }

    public boolean zeroBased() {
        return zeroBased;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WindowBinding same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "WindowBinding" + values();
    }

    private List<Object> values() {
        return List.of(region, address, lengthBytes, access, zeroBased);
    }
}
