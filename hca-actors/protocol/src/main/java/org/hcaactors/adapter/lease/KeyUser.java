// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

/**
 * Who uses a key.
 *
 * @param domain number of its protection domain
 * @param queuePair number of the queue pair, to which some keys are tied
 */
public record KeyUser(int domain, int queuePair) {}
