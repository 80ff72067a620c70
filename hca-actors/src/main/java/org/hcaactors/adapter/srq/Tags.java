// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.completion.CompletionQueueHandle;

/**
 * What a tag-matching queue has besides.
 *
 * @param completions where messages and operations end
 */
public record Tags(CompletionQueueHandle completions, TagSlots slots) {}
