// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

/**
 * Identity of a request, the same for all its copies: a client sends a request again when its connection has ended.
 *
 * <p>Immutable.
 *
 * @param client number of the client, unique in its network
 * @param number of the request, from 1 on, increasing
 */
public record RequestToken(long client, long number) {}
