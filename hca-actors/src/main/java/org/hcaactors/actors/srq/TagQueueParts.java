// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.srq.TagSlots;

/**
 * Additional attributes of a tag-matching queue.
 *
 * @param completions completion queue of messages and operations
 */
public record TagQueueParts(CompletionQueueHandle completions, TagSlots slots) {}
