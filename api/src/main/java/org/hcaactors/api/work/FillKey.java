// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.KeyListMemory;
import org.jspecify.annotations.Nullable;

/**
 * Fills an indirect key: from then on it shows what the layout says, and nothing of what it showed before ({@code
 * mlx5dv_wr_mr_list}, {@code mlx5dv_wr_mr_interleaved}, {@code UMR_FILL}). When it completes, no packet and no request uses
 * any more what it showed before.
 *
 * <p>What the keys behind it are, and allow, is judged when it is used. Completes LOC_QP_OP_ERR where the key is not what it
 * was, is of another protection domain, or has no room for so many entries.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class FillKey implements KeyWork {
    private final long id;
    private final int key;
    private final int room;
    private final KeyLayout layout;
    private final AccessFlags rights;
    private final OptionalInt listRoom;
    private final SendFlags flags;

    private FillKey(
            long id, int key, int room, KeyLayout layout, AccessFlags rights, OptionalInt listRoom, SendFlags flags) {
        this.id = id;
        this.key = key;
        this.room = room;
        this.layout = layout;
        this.rights = rights;
        this.listRoom = listRoom;
        this.flags = flags;
    }

    /** With no right but local read. */
    public static FillKey of(long id, IndirectKey key, KeyLayout layout) {
        return of(id, key.lkey(), key.maxEntries(), layout);
    }

    /**
     * With no right but local read.
     *
     * @param room entries that the key has room for
     */
    public static FillKey of(long id, int key, int room, KeyLayout layout) {
        return new FillKey(id, key, room, layout, AccessFlags.NONE, OptionalInt.empty(), SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int key() {
        return key;
    }

    /** Entries that the key has room for; ENOMEM at posting where the layout has more. */
    public int room() {
        return room;
    }

    public KeyLayout layout() {
        return layout;
    }

    /** What the key allows; what the keys behind it don't allow it does not allow either. */
    public AccessFlags rights() {
        return rights;
    }

    /** Entries that the list memory has room for; empty where the request carries them itself. */
    public OptionalInt listRoom() {
        return listRoom;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    /** These rights, and no others. */
    public FillKey withAccess(AccessFlags requested) {
        return new FillKey(id, key, room, layout, requested, listRoom, flags);
    }

    /** These rights, and no others. */
    public FillKey withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /** The entries stand in that memory, not in the request; it has to stay until the request completes. */
    public FillKey through(KeyListMemory memory) {
        return viaListOf(memory.maxEntries());
    }

    /** The entries stand in memory with room for so many. */
    public FillKey viaListOf(int entries) {
        return new FillKey(id, key, room, layout, rights, OptionalInt.of(entries), flags);
    }

    @Override
    public FillKey withFlags(SendFlags other) {
        return new FillKey(id, key, room, layout, rights, listRoom, other);
    }

    public FillKey signaled() {
        return withFlags(flags.withSignaled());
    }

    public FillKey fenced() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FillKey same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "FillKey" + values();
    }

    private List<Object> values() {
        return List.of(id, key, room, layout, rights, listRoom, flags);
    }
}
