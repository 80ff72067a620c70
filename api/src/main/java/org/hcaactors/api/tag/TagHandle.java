// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

/**
 * Handle of a receive in a tag list, for {@link TagDelete}.
 *
 * <p>Immutable.
 *
 * @param queue number of the shared receive queue, which is not unique across adapters
 * @param serial number of the receive, never reused ({@code ibv_ops_wr.tm.handle} is the number of a slot, which is reused)
 */
public record TagHandle(int queue, long serial) {}
