// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.jspecify.annotations.Nullable;

/**
 * BIND_MW: binds a window of type 2 to a part of a region, under a new key. Later requests of the same queue see the window as
 * bound.
 *
 * <p>A window of type 1 is bound by a verb of its own, {@link org.hcaactors.api.queue.RcQueuePair#bind}; posting this request
 * for one is refused with EINVAL.
 *
 * <p>If the window or the region does not allow it, it completes with MW_BIND_ERR and moves the queue pair to ERR.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class BindWindow implements KeyWork {
    private static final int VARIANT = 0xFF;

    private final long id;
    private final int key;
    private final int newKey;
    private final WindowType type;
    private final int region;
    private final long address;
    private final long lengthBytes;
    private final AccessFlags access;
    private final boolean zeroBased;
    private final SendFlags flags;
    private final @Nullable Handles handles;

    private record Handles(MemoryWindow window, WindowBinding binding) {}

    /** A request without handles. */
    private BindWindow(
            long id,
            int key,
            int newKey,
            WindowType type,
            int region,
            long address,
            long lengthBytes,
            AccessFlags access,
            boolean zeroBased,
            SendFlags flags) {
        this(id, key, newKey, type, region, address, lengthBytes, access, zeroBased, flags, null);
    }

    private BindWindow(
            long id,
            int key,
            int newKey,
            WindowType type,
            int region,
            long address,
            long lengthBytes,
            AccessFlags access,
            boolean zeroBased,
            SendFlags flags,
            @Nullable Handles handles) {
        this.id = id;
        this.key = key;
        this.newKey = newKey;
        this.type = type;
        this.region = region;
        this.address = address;
        this.lengthBytes = lengthBytes;
        this.access = access;
        this.zeroBased = zeroBased;
        this.flags = flags;
        this.handles = handles;
    }

    /**
     * Binds the window with its {@linkplain MemoryWindow#nextKey next} key. Window and region are identified by their current
     * keys.
     */
    public static BindWindow of(long id, MemoryWindow window, WindowBinding binding) {
        int key = window.rkey();
        return new BindWindow(
                id,
                key,
                MemoryWindow.nextKey(key),
                window.type(),
                binding.region().map(MemoryRegion::lkey).orElse(0),
                binding.address(),
                binding.lengthBytes(),
                binding.access(),
                binding.zeroBased(),
                SendFlags.NONE,
                new Handles(window, binding));
    }

    @Override
    public long id() {
        return id;
    }

    /** The window's key when this request was created. */
    @Override
    public int key() {
        return key;
    }

    /** The window's key after the bind. */
    public int newKey() {
        return newKey;
    }

    public WindowType type() {
        return type;
    }

    /** The region's local key when this request was created; 0 without a region. */
    public int region() {
        return region;
    }

    public long address() {
        return address;
    }

    public long lengthBound() {
        return lengthBytes;
    }

    public AccessFlags access() {
        return access;
    }

    public boolean zeroBased() {
        return zeroBased;
    }

    /** Empty in a request that was read from a recorded run. */
    public Optional<MemoryWindow> window() {
        return Optional.ofNullable(handles).map(Handles::window);
    }

    /** Empty in a request that was read from a recorded run. */
    public Optional<WindowBinding> binding() {
        return Optional.ofNullable(handles).map(Handles::binding);
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    /** Sets the low 8 bits of the new key; the upper 24 bits of a window's key never change. */
    public BindWindow withVariant(int low) {
        return with(newKey & ~VARIANT | low & VARIANT, flags);
    }

    @Override
    public BindWindow withFlags(SendFlags other) {
        return with(newKey, other);
    }

    private BindWindow with(int other, SendFlags otherFlags) {
        return new BindWindow(
                id, key, other, type, region, address, lengthBytes, access, zeroBased, otherFlags, handles);
    }

    public BindWindow withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public BindWindow withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BindWindow same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "BindWindow" + values();
    }

    private List<Object> values() {
        return List.of(id, key, newKey, type, region, address, lengthBytes, access, zeroBased, flags);
    }
}
