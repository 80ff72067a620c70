// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.srq.TagSlots;

/**
 * What a tag-matching queue has besides.
 *
 * @param completions where messages and operations end
 */
public record TagQueueParts(CompletionQueueHandle completions, TagSlots slots) {}
