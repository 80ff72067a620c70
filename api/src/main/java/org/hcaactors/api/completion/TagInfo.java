// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;

/**
 * Fields of a completion that only tag-matching queues have ({@code IBV_WC_TM_MATCH}, {@code IBV_WC_TM_DATA_VALID}, {@code
 * IBV_WC_TM_SYNC_REQ}, {@code ibv_wc_tm_info}; rule tag-completion).
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param matched the message matched a receive
 * @param dataValid the data are in the receive's buffer
 * @param syncRequested the program should report how many unexpected messages it has handled
 * @param info tag and context of a message that matched; only in the first of its completions. An unexpected message has them
 *     in its buffer, as its header
 */
public record TagInfo(boolean matched, boolean dataValid, boolean syncRequested, Optional<Info> info) {
    /** No flag is set. */
    public static final TagInfo NONE = new TagInfo(false, false, false, Optional.empty());

    /** The data of a message that matched before are in the buffer. */
    public static final TagInfo DATA = new TagInfo(false, true, false, Optional.empty());

    /**
     * Tag and application context from the sender ({@code ibv_wc_tm_info}). Immutable.
     *
     * @param appContext the sender's value ({@code priv})
     */
    public record Info(long tag, int appContext) {}

    /** The message matched; its data follow, with a completion of their own. */
    public static TagInfo match(Info of) {
        return new TagInfo(true, false, false, Optional.of(of));
    }

    /** The message matched, and its data are in the buffer. */
    public static TagInfo whole(Info of) {
        return new TagInfo(true, true, false, Optional.of(of));
    }

    /** Sets whether the program should report how many unexpected messages it has handled. */
    public TagInfo withSyncRequested(boolean requested) {
        return new TagInfo(matched, dataValid, requested, info);
    }
}
