// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * RDMA WRITE, or RDMA WRITE with immediate (which also takes one of the peer's receives).
 *
 * <p>Immutable.
 *
 * @param remote where the bytes go; neither key nor address is looked at when the length is 0
 * @param immediate handed to the peer's completion, 32 bits
 */
public record RdmaWrite(long id, List<LocalSlice> local, RemoteAddress remote, OptionalInt immediate, SendFlags flags)
        implements RcWork, UcWork {
    public RdmaWrite {
        local = List.copyOf(local);
    }

    public static RdmaWrite of(long id, LocalSlice local, RemoteAddress remote) {
        return new RdmaWrite(id, List.of(local), remote, OptionalInt.empty(), SendFlags.NONE);
    }

    public static RdmaWrite of(long id, List<LocalSlice> local, RemoteAddress remote) {
        return new RdmaWrite(id, local, remote, OptionalInt.empty(), SendFlags.NONE);
    }

    public RdmaWrite withImmediate(int value) {
        return new RdmaWrite(id, local, remote, OptionalInt.of(value), flags);
    }

    @Override
    public RdmaWrite withFlags(SendFlags other) {
        return new RdmaWrite(id, local, remote, immediate, other);
    }

    public RdmaWrite signaled() {
        return withFlags(flags.withSignaled());
    }

    public RdmaWrite solicited() {
        return withFlags(flags.withSolicited());
    }

    public RdmaWrite fenced() {
        return withFlags(flags.withFence());
    }

    public RdmaWrite inline() {
        return withFlags(flags.withInline());
    }
}
