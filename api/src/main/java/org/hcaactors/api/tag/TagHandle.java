// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

/**
 * A receive that was put into a tag list, for {@link TagDelete}.
 *
 * <p>Immutable.
 *
 * @param queue number of the shared receive queue, which another adapter may have given, too
 * @param serial counts its receives ({@code ibv_ops_wr.tm.handle} is the number of a place, which others stand in later)
 */
public record TagHandle(int queue, long serial) {}
