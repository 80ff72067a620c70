// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

/**
 * The data of a message are to be fetched for the receive that it took.
 *
 * @param queuePair over which the message came
 */
public record FetchOrder(TagMatch.Expected match, TagOpening.Rendezvous message, int queuePair) {}
