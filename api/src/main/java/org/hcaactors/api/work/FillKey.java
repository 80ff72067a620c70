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
 * Fills an indirect key with a layout, in place of the previous one ({@code mlx5dv_wr_mr_list}, {@code
 * mlx5dv_wr_mr_interleaved}, {@code UMR_FILL}). When it completes, no packet and no request uses the previous layout.
 *
 * <p>The keys in the layout, and their rights, are checked when the indirect key is used. Completes with LOC_QP_OP_ERR if the
 * key is no longer valid, is of another protection domain, or has too few entries.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class FillKey implements KeyWork {
    private final long id;
    private final int key;
    private final int maxEntries;
    private final KeyLayout layout;
    private final AccessFlags access;
    private final OptionalInt listEntries;
    private final SendFlags flags;

    private FillKey(
            long id,
            int key,
            int maxEntries,
            KeyLayout layout,
            AccessFlags access,
            OptionalInt listEntries,
            SendFlags flags) {
        this.id = id;
        this.key = key;
        this.maxEntries = maxEntries;
        this.layout = layout;
        this.access = access;
        this.listEntries = listEntries;
        this.flags = flags;
    }

    /** A request without rights other than local read. */
    public static FillKey of(long id, IndirectKey key, KeyLayout layout) {
        return of(id, key.lkey(), key.maxEntries(), layout);
    }

    /**
     * A request without rights other than local read.
     *
     * @param maxEntries maximum entries of the key
     */
    public static FillKey of(long id, int key, int maxEntries, KeyLayout layout) {
        return new FillKey(id, key, maxEntries, layout, AccessFlags.NONE, OptionalInt.empty(), SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public int key() {
        return key;
    }

    /** Maximum entries of the key; posting is ENOMEM if the layout has more. */
    public int maxEntries() {
        return maxEntries;
    }

    public KeyLayout layout() {
        return layout;
    }

    /** Rights of the key, limited by those of the keys in the layout. */
    public AccessFlags access() {
        return access;
    }

    /** Maximum entries of the list memory; empty if the entries are inline in the request. */
    public OptionalInt listEntries() {
        return listEntries;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    /** Sets these rights, in place of the previous ones. */
    public FillKey withAccess(AccessFlags requested) {
        return new FillKey(id, key, maxEntries, layout, requested, listEntries, flags);
    }

    /** Sets these rights, in place of the previous ones. */
    public FillKey withAccess(Access... requested) {
        return withAccess(AccessFlags.of(requested));
    }

    /**
     * Reads the entries from this memory instead of inline from the request; the memory must exist until the request completes.
     */
    public FillKey withList(KeyListMemory memory) {
        return withListEntries(memory.maxEntries());
    }

    /** Reads the entries from list memory for this number of entries. */
    public FillKey withListEntries(int entries) {
        return new FillKey(id, key, maxEntries, layout, access, OptionalInt.of(entries), flags);
    }

    @Override
    public FillKey withFlags(SendFlags other) {
        return new FillKey(id, key, maxEntries, layout, access, listEntries, other);
    }

    public FillKey withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public FillKey withFence() {
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
        return List.of(id, key, maxEntries, layout, access, listEntries, flags);
    }
}
