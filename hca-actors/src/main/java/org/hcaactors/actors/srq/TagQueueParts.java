// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.srq.TagSlots;

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
    public SrqBehavior behavior(Parts parts) {
        TagTrace trace = new TagTrace(parts.number(), parts.services());
        return new TagQueueBehavior(new TagQueueState(parts.receives(), parts.slots(), this, trace), parts.handle());
    }
}
