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
 * BIND_MW: a window of type 2 shows a part of a region from then on, under another key. Requests behind it in its queue see the window as
 * it is then.
 *
 * <p>A window of type 1 is bound by a verb of its own, {@link org.hcaactors.api.queue.RcQueuePair#bind}; posted for one, this is refused with
 * EINVAL.
 *
 * <p>Completes MW_BIND_ERR where the window or the region does not allow it, and takes the queue pair to its error state.
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
    private final AccessFlags rights;
    private final boolean zeroBased;
    private final SendFlags flags;
    private final @Nullable Handles handles;

    private record Handles(MemoryWindow window, WindowBinding binding) {}

    /** One without its handles. */
    private BindWindow(
            long id,
            int key,
            int newKey,
            WindowType type,
            int region,
            long address,
            long lengthBytes,
            AccessFlags rights,
            boolean zeroBased,
            SendFlags flags) {
        this(id, key, newKey, type, region, address, lengthBytes, rights, zeroBased, flags, null);
    }

    private BindWindow(
            long id,
            int key,
            int newKey,
            WindowType type,
            int region,
            long address,
            long lengthBytes,
            AccessFlags rights,
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
        this.rights = rights;
        this.zeroBased = zeroBased;
        this.flags = flags;
        this.handles = handles;
    }

    /** The window has its {@linkplain MemoryWindow#next next} key from then on. Window and region are named by their keys of now. */
    public static BindWindow of(long id, MemoryWindow window, WindowBinding binding) {
        int key = window.rkey();
        return new BindWindow(
                id,
                key,
                MemoryWindow.next(key),
                window.type(),
                binding.region().map(MemoryRegion::lkey).orElse(0),
                binding.address(),
                binding.lengthBytes(),
                binding.rights(),
                binding.isZeroBased(),
                SendFlags.NONE,
                new Handles(window, binding));
    }

    @Override
    public long id() {
        return id;
    }

    /** The window's key when this request was made. */
    @Override
    public int key() {
        return key;
    }

    /** The window's key from then on. */
    public int newKey() {
        return newKey;
    }

    public WindowType type() {
        return type;
    }

    /** The region's local key when this request was made; 0 where there is none. */
    public int region() {
        return region;
    }

    public long address() {
        return address;
    }

    public long lengthBound() {
        return lengthBytes;
    }

    public AccessFlags rights() {
        return rights;
    }

    public boolean isZeroBased() {
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

    /** The new key's low 8 bits; the others are the window's for ever. */
    public BindWindow withVariant(int low) {
        return with(newKey & ~VARIANT | low & VARIANT, flags);
    }

    @Override
    public BindWindow withFlags(SendFlags other) {
        return with(newKey, other);
    }

    private BindWindow with(int other, SendFlags otherFlags) {
        return new BindWindow(
                id, key, other, type, region, address, lengthBytes, rights, zeroBased, otherFlags, handles);
    }

    public BindWindow signaled() {
        return withFlags(flags.withSignaled());
    }

    public BindWindow fenced() {
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
        return List.of(id, key, newKey, type, region, address, lengthBytes, rights, zeroBased, flags);
    }
}
