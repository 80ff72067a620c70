// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;

/** Has the host bring in pages of a region (rule paging-fault). Called from any thread; it only tells its actor. */
@FunctionalInterface
public interface Pager {
    /** Told once of each fault, from any thread. */
    @FunctionalInterface
    interface Listener {
        /**
         * The access may be tried again; it may find its pages gone again.
         *
         * @param event what it follows from, 0 where nothing is traced
         * @param refusal why it can't succeed; empty if it can
         */
        void served(long event, Optional<Denial> refusal);
    }

    /** @param queuePair number of the one that waits */
    void serve(int queuePair, PageFault fault, Listener listener);
}
