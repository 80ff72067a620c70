// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

/**
 * Identity of a key's user.
 *
 * @param domain number of its protection domain
 * @param queuePair number of the queue pair, which some keys are tied to
 */
public record KeyUser(int domain, int queuePair) {}
