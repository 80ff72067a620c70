// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

/**
 * The sizes that a shared receive queue has ({@code ibv_srq_attr}); it is asked for with a {@link SrqDescription}.
 *
 * @param maxWr receives on it
 * @param maxSge elements of a receive
 */
public record SrqCapacity(int maxWr, int maxSge) {}
