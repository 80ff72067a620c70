// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.jspecify.annotations.Nullable;

/**
 * RDMA READ.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class RdmaRead implements RcWork {
    private final long id;
    private final List<LocalSlice> local;
    private final RemoteAddress remote;
    private final SendFlags flags;

    private RdmaRead(long id, List<LocalSlice> local, RemoteAddress remote, SendFlags flags) {
        this.id = id;
        this.local = List.copyOf(local);
        this.remote = remote;
        this.flags = flags;
    }

    public static RdmaRead of(long id, LocalSlice local, RemoteAddress remote) {
        return new RdmaRead(id, List.of(local), remote, SendFlags.NONE);
    }

    public static RdmaRead of(long id, List<LocalSlice> local, RemoteAddress remote) {
        return new RdmaRead(id, local, remote, SendFlags.NONE);
    }

    @Override
    public long id() {
        return id;
    }

    /** Destination; its keys need LOCAL_WRITE. */
    @Override
    public List<LocalSlice> local() {
        return local;
    }

    /** Source. */
    public RemoteAddress remote() {
        return remote;
    }

    @Override
    public SendFlags flags() {
        return flags;
    }

    @Override
    public RdmaRead withFlags(SendFlags other) {
        return new RdmaRead(id, local, remote, other);
    }

    public RdmaRead withSignaled() {
        return withFlags(flags.withSignaled());
    }

    public RdmaRead withFence() {
        return withFlags(flags.withFence());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RdmaRead same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "RdmaRead" + values();
    }

    private List<Object> values() {
        return List.of(id, local, remote, flags);
    }
}
