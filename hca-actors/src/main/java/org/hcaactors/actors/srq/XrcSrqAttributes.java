// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;

/**
 * Additional attributes of an XRC shared receive queue.
 *
 * @param lookup finds it by its number
 * @param queue completion queue of messages that took its receives
 */
public record XrcSrqAttributes(XrcSrqLookup lookup, CompletionQueueHandle queue) implements SrqKind {
    @Override
    public Optional<CompletionQueueHandle> completions() {
        return Optional.of(queue);
    }

    @Override
    public SrqBehavior behavior(Parts parts) {
        return new XrcSrqBehavior(this, parts);
    }
}
