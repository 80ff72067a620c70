// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;
import org.hcaactors.adapter.srq.TagQueue;
import org.hcaactors.adapter.srq.TagSlots;
import org.hcaactors.adapter.srq.TagTrace;

/**
 * Additional attributes of a tag-matching queue.
 *
 * @param queue completion queue of messages and operations
 */
public record TagQueueParts(CompletionQueueHandle queue, TagSlots slots) implements SrqKind {
    @Override
    public Optional<CompletionQueueHandle> completions() {
        return Optional.of(queue);
    }

    @Override
    public Optional<TagQueue> tags(int number, SharedReceives receives, ReceiveSlots posted, AdapterTrace trace) {
        TagQueue.CompletionWriter writer = new TagQueue.CompletionWriter(queue.number(), queue::complete);
        return Optional.of(new TagQueue(receives, posted, slots, writer, new TagTrace(number, trace)));
    }
}
