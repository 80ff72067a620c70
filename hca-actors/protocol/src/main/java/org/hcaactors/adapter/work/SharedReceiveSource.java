// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/** A shared receive queue as the source of a queue pair's receives. Its methods take effect at once, on any thread. */
public interface SharedReceiveSource extends ReceiveSource {
    /** Returns the number of the shared receive queue. */
    int number();

    /** Returns the number of the protection domain of its receives' keys. */
    int domain();

    /** Takes the oldest receive; null if there is none, or the queue is in error. {@link #taken} must follow. */
    @Nullable
    Receive take();

    /**
     * Reports that the receive was taken, and that the queue reached its limit if it did; called when the queue pair holds the
     * receive, so that an exception does not lose it.
     */
    void taken(Receive receive);

    // rule receive-returned
    /** Puts an unused receive back at the head of the queue. */
    void putBack(Receive receive);

    @Override
    default QueuePairReceives receives(ReceiveParts parts) {
        return new SrqReceives(this, parts.memoryIn(domain()));
    }

    @Override
    default boolean isShared() {
        return true;
    }
}
