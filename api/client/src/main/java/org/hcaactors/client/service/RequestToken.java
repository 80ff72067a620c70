// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

/**
 * Identity of a request, the same for all its copies: a client sends a request again when its connection has ended. A client is named
 * by its adapter and by the queue pair of its first connection, whose number no other client of the adapter has had.
 *
 * <p>Immutable.
 *
 * @param adapter node GUID of the client's adapter
 * @param queuePair number of the client's first queue pair
 * @param number of the request, from 1 on, increasing
 */
public record RequestToken(long adapter, int queuePair, long number) {}
