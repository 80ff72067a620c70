// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;

/** Makes the host bring in pages of a region (rule paging-fault). Called from any thread; it only sends a message to its actor. */
@FunctionalInterface
public interface Pager {
    /** Receives the answer to a fault, once, on any thread. */
    @FunctionalInterface
    interface Listener {
        /**
         * The access may be tried again; its pages may be absent again by then.
         *
         * @param event the event that caused the answer, 0 if nothing is traced
         * @param refusal why the access can't succeed; empty if it can
         */
        void served(long event, Optional<Denial> refusal);
    }

    /** @param queuePair number of the queue pair that waits */
    void serve(int queuePair, PageFault fault, Listener listener);
}
