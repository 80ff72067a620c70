// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * Atomic fetch and add of eight bytes, modulo 2^64; the value before is scattered to {@code local}.
 *
 * <p>Immutable.
 *
 * @param local exactly eight bytes; its keys need LOCAL_WRITE
 * @param remote an 8-aligned address
 */
public record FetchAdd(long id, List<LocalSlice> local, RemoteAddress remote, long add, SendFlags flags)
        implements RcWork {
    public FetchAdd {
        local = List.copyOf(local);
    }

    public static FetchAdd of(long id, LocalSlice local, RemoteAddress remote, long add) {
        return new FetchAdd(id, List.of(local), remote, add, SendFlags.NONE);
    }

    @Override
    public FetchAdd withFlags(SendFlags other) {
        return new FetchAdd(id, local, remote, add, other);
    }

    public FetchAdd signaled() {
        return withFlags(flags.withSignaled());
    }

    public FetchAdd fenced() {
        return withFlags(flags.withFence());
    }
}
