// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

/**
 * Request to fetch the data of a rendezvous message into the receive that it matched.
 *
 * @param queuePair number of the queue pair that received the message
 */
public record FetchOrder(TagMatch.Expected match, TagOpening.Rendezvous message, int queuePair) {}
