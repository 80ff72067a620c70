// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * Atomic compare and swap of 8 bytes: the peer's value becomes {@code swap} if it equals {@code compare}; the previous value is
 * scattered to {@code local}.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class CompareAndSwap implements RcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final long compare;
    private final long swap;
    private final SendFlags flags;

    private CompareAndSwap(
            long id, List<LocalSlice> local, RemoteAddress remote, long compare, long swap, SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.compare = compare;
        this.swap = swap;
        this.flags = flags;
    }

    public static CompareAndSwap of(long id, LocalSlice local, RemoteAddress remote, long compare, long swap) {
        return new CompareAndSwap(id, List.of(local), remote, compare, swap, SendFlags.NONE);
    }

    public static CompareAndSwap of(long id, List<LocalSlice> local, RemoteAddress remote, long compare, long swap) {
        return new CompareAndSwap(id, local, remote, compare, swap, SendFlags.NONE);
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

    /** Expected value. */
    public long compare() {
        return compare;
    }

    /** New value if the expected value matches. */
    public long swap() {
        return swap;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public CompareAndSwap withFlags(SendFlags other) {
        return new CompareAndSwap(id, local, remote, compare, swap, other);
    }

    public CompareAndSwap withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public CompareAndSwap withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CompareAndSwap same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "CompareAndSwap" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, compare, swap, flags);
    }
}
