// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.ArrayDeque;
import java.util.Optional;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;

/** Receives of a shared receive queue and its limit (rule receive-shared-order; ibv_modify_srq(3)). */
public final class SharedReceives {
    @MutationPoint("shared-receives.buffers")
    private final ArrayDeque<Receive> buffers = new ArrayDeque<>();

    private int limit;

    public int size() {
        return buffers.size();
    }

    public int limit() {
        return limit;
    }

    public void add(Receive receive) {
        buffers.add(receive);
    }

    /** Takes the oldest receive; empty if there is none. */
    @MutationPoint("shared-receives.take")
    public Optional<Receive> take() {
        return Optional.ofNullable(buffers.poll());
    }

    /** Puts an unused receive back; it is the oldest again (rule receive-returned). */
    public void putBack(Receive receive) {
        buffers.addFirst(receive);
    }

    /** Sets the limit; 0 disarms it. */
    public void arm(int requested) {
        limit = requested;
    }

    /** True once, when fewer receives than the limit are left; the limit is then 0 (rule receive-limit). */
    public boolean limitReached() {
        boolean reached = buffers.size() < limit;
        if (reached) {
            limit = 0;
        }
        return reached;
    }
}
