// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import java.util.List;
import org.hcaactors.api.memory.LocalSlice;

/**
 * A buffer for one incoming message ({@code ibv_recv_wr}).
 *
 * <p>Immutable.
 *
 * @param id the caller's identifier, returned in the completion
 * @param local destination of the message; its keys need LOCAL_WRITE; may be empty for WRITE with immediate
 */
public record Receive(long id, List<LocalSlice> local) {
    public Receive {
        local = List.copyOf(local);
    }

    public static Receive of(long id, LocalSlice... local) {
        return new Receive(id, List.of(local));
    }

    public long lengthBytes() {
        return LocalSlice.lengthBytes(local);
    }
}
