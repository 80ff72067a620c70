// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;

/**
 * RDMA READ.
 *
 * <p>Immutable.
 *
 * @param local where the bytes go; its keys need LOCAL_WRITE
 */
public record RdmaRead(long id, List<LocalSlice> local, RemoteAddress remote, SendFlags flags) implements RcWork {
    public RdmaRead {
        local = List.copyOf(local);
    }

    public static RdmaRead of(long id, LocalSlice local, RemoteAddress remote) {
        return new RdmaRead(id, List.of(local), remote, SendFlags.NONE);
    }

    @Override
    public RdmaRead withFlags(SendFlags other) {
        return new RdmaRead(id, local, remote, other);
    }

    public RdmaRead signaled() {
        return withFlags(flags.withSignaled());
    }

    public RdmaRead fenced() {
        return withFlags(flags.withFence());
    }
}
