// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * Atomic fetch and add of 8 bytes, modulo 2^64; the previous value is scattered to {@code local}.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class FetchAdd implements RcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final long add;
    private final SendFlags flags;

    private FetchAdd(long id, List<LocalSlice> local, RemoteAddress remote, long add, SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.add = add;
        this.flags = flags;
    }

    public static FetchAdd of(long id, LocalSlice local, RemoteAddress remote, long add) {
        return new FetchAdd(id, List.of(local), remote, add, SendFlags.NONE);
    }

    public static FetchAdd of(long id, List<LocalSlice> local, RemoteAddress remote, long add) {
        return new FetchAdd(id, local, remote, add, SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    /** Exactly 8 bytes; its keys need LOCAL_WRITE. */
    @Override
    public List<LocalSlice> local() {
        return local;
    }

    /** Address of the value, a multiple of 8. */
    public RemoteAddress remote() {
        return remote;
    }

    /** Addend. */
    public long add() {
        return add;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public FetchAdd withFlags(SendFlags other) {
        return new FetchAdd(id, local, remote, add, other);
    }

    public FetchAdd withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public FetchAdd withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FetchAdd same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "FetchAdd" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, add, flags);
    }
}
