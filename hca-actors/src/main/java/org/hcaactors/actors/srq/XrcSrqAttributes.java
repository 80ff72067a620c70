// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import org.hcaactors.actors.completion.CompletionQueueHandle;

/**
 * Additional attributes of an XRC shared receive queue.
 *
 * @param lookup finds it by its number
 * @param completions completion queue of messages that took its receives
 */
public record XrcSrqAttributes(XrcSrqLookup lookup, CompletionQueueHandle completions) {}
