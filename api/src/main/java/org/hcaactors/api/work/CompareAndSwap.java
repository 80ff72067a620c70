// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Atomic compare and swap of eight bytes: the peer's value becomes {@code swap} if it equals {@code compare}; the value
 * before is scattered to {@code local}.
 *
 * <p>Immutable.
 *
 * @param local exactly eight bytes; its keys need LOCAL_WRITE
 * @param remote an 8-aligned address
 */
public record CompareAndSwap(
        long id, List<LocalSlice> local, RemoteAddress remote, long compare, long swap, SendFlags flags)
        implements RcWork {
    public CompareAndSwap {
        local = List.copyOf(local);
    }

    public static CompareAndSwap of(long id, LocalSlice local, RemoteAddress remote, long compare, long swap) {
        return new CompareAndSwap(id, List.of(local), remote, compare, swap, SendFlags.NONE);
    }

    @Override
    public CompareAndSwap withFlags(SendFlags other) {
        return new CompareAndSwap(id, local, remote, compare, swap, other);
    }

    public CompareAndSwap signaled() {
        return withFlags(flags.withSignaled());
    }

    public CompareAndSwap fenced() {
        return withFlags(flags.withFence());
    }
}
