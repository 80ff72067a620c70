// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.OptionalInt;

/**
 * An operation on a tag list ({@code ibv_ops_wr}). The adapter carries them out in the order of posting.
 *
 * <p>Immutable. These are all that there are.
 */
public sealed interface TagOperation permits TagAdd, TagDelete, TagSync {
    /** The caller's own number, given back in its completion. */
    long id();

    /** It writes a completion ({@code IBV_OPS_SIGNALED}). */
    boolean isSignaled();

    /**
     * How many unexpected messages of this queue the program has dealt with so far, modulo 2^16 ({@code IBV_OPS_TM_SYNC} with
     * {@code unexpected_cnt}; rule tag-phase); empty where nothing is said of it.
     */
    OptionalInt handled();
}
