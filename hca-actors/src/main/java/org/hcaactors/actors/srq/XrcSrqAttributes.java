// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import org.hcaactors.actors.completion.CompletionQueueHandle;

/**
 * What a shared receive queue has that peers name.
 *
 * @param among in which it is found by its number
 * @param completions where each message ends that took a receive of it
 */
public record XrcSrqAttributes(XrcSrqLookup among, CompletionQueueHandle completions) {}
