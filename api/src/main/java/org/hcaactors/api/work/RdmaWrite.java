// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * RDMA WRITE, or RDMA WRITE with immediate, which also takes one of the peer's receives.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class RdmaWrite implements RcWork, UcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final OptionalInt immediate;
    private final SendFlags flags;

    private RdmaWrite(long id, List<LocalSlice> local, RemoteAddress remote, OptionalInt immediate, SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.immediate = immediate;
        this.flags = flags;
    }

    public static RdmaWrite of(long id, LocalSlice local, RemoteAddress remote) {
        return new RdmaWrite(id, List.of(local), remote, OptionalInt.empty(), SendFlags.NONE);
    }

    public static RdmaWrite of(long id, List<LocalSlice> local, RemoteAddress remote) {
        return new RdmaWrite(id, local, remote, OptionalInt.empty(), SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    /** Source. */
    @Override
    public List<LocalSlice> local() {
        return local;
    }

    /** Destination; key and address are not checked if the length is 0. */
    public RemoteAddress remote() {
        return remote;
    }

    /** Immediate data for the peer's completion, 32 bits. */
    public OptionalInt immediate() {
        return immediate;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    public RdmaWrite withImmediate(int value) {
        return new RdmaWrite(id, local, remote, OptionalInt.of(value), flags);
    }

    @Override
    public RdmaWrite withFlags(SendFlags other) {
        return new RdmaWrite(id, local, remote, immediate, other);
    }

    public RdmaWrite withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public RdmaWrite withSolicited() {
        return withFlags(flags.withSolicited());
    }

    public RdmaWrite withFence() {
        return withFlags(flags.withFence());
    }

    public RdmaWrite withInline() {
        return withFlags(flags.withInline());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RdmaWrite same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RdmaWrite" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, immediate, flags);
    }
}
