// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * What {@code ibv_query_srq} tells.
 *
 * @param limit armed limit; 0 if none is
 * @param posted receives that no queue pair has taken
 */
public record SrqSnapshot(SrqCapacity capacity, int limit, int posted) {}
