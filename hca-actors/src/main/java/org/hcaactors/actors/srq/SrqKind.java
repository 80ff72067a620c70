// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.service.Services;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;
import org.hcaactors.adapter.srq.TagQueue;

/** A kind of shared receive queue, with the attributes that only such queues have. */
public sealed interface SrqKind permits SrqKind.Plain, XrcSrqAttributes, TagQueueParts {
    /** A queue that its queue pairs name when they are created, and that matches no tags. */
    SrqKind PLAIN = new Plain();

    /**
     * Parts that a queue's behavior is created from.
     *
     * @param domain number of its protection domain
     */
    record Parts(int number, int domain, SharedReceiveHandle handle, Services services) {}

    /** Returns its own completion queue, if messages complete there and not on that of their queue pairs. */
    Optional<CompletionQueueHandle> completions();

    /** Creates the behavior of one queue. */
    default SrqBehavior behavior(Parts parts) {
        return SrqBehavior.NONE;
    }

    /** Creates the tag list of one queue, if it matches tags. */
    default Optional<TagQueue> tags(int number, SharedReceives receives, ReceiveSlots slots, AdapterTrace trace) {
        return Optional.empty();
    }

    /** A queue without further attributes. */
    record Plain() implements SrqKind {
        @Override
        public Optional<CompletionQueueHandle> completions() {
            return Optional.empty();
        }
    }
}
