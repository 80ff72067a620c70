// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;

/** A kind of shared receive queue, with the attributes that only such queues have. */
public sealed interface SrqKind permits SrqKind.Plain, XrcSrqAttributes, TagQueueParts {
    /** A queue that its queue pairs name when they are created, and that matches no tags. */
    SrqKind PLAIN = new Plain();

    /**
     * Parts that a queue's behavior is created from.
     *
     * @param domain number of its protection domain
     */
    record Parts(
            int number,
            int domain,
            SharedReceives receives,
            ReceiveSlots slots,
            SharedReceiveHandle handle,
            Services services) {}

    /** Returns its own completion queue, if messages complete there and not on that of their queue pairs. */
    Optional<CompletionQueueHandle> completions();

    /** Creates the behavior of one queue. */
    SrqBehavior behavior(Parts parts);

    /** A queue without further attributes. */
    record Plain() implements SrqKind {
        @Override
        public Optional<CompletionQueueHandle> completions() {
            return Optional.empty();
        }

        @Override
        public SrqBehavior behavior(Parts parts) {
            return SrqBehavior.NONE;
        }
    }
}
