// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.OptionalInt;

/**
 * An operation on a tag list ({@code ibv_ops_wr}). The adapter executes them in the order of posting.
 *
 * <p>Immutable. These are all that there are.
 */
public sealed interface TagOperation permits TagAdd, TagDelete, TagSync {
    /** The caller's identifier, returned in the completion. */
    long id();

    /** True if it writes a completion ({@code IBV_OPS_SIGNALED}). */
    boolean signaled();

    /**
     * Number of unexpected messages of this queue that the program has handled so far, modulo 2^16 ({@code IBV_OPS_TM_SYNC}
     * with {@code unexpected_cnt}; rule tag-phase); empty if not reported.
     */
    OptionalInt handled();
}
