// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.Optional;

/**
 * What a completion of a tag-matching queue says besides ({@code IBV_WC_TM_MATCH}, {@code IBV_WC_TM_DATA_VALID}, {@code
 * IBV_WC_TM_SYNC_REQ}, {@code ibv_wc_tm_info}; rule tag-completion).
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param matched the message has taken the receive
 * @param dataValid its data are in the receive's buffer
 * @param syncRequested the program should say how many unexpected messages it has dealt with
 * @param info of a message that has taken a receive of the list; with the first of its completions only. That of an unexpected one stands
 *     in the buffer, as its header
 */
public record TagInfo(boolean matched, boolean dataValid, boolean syncRequested, Optional<Info> info) {
    /** Nothing of all that. */
    public static final TagInfo NONE = new TagInfo(false, false, false, Optional.empty());

    /** The data of a message that was told of before are there. */
    public static final TagInfo DATA = new TagInfo(false, true, false, Optional.empty());

    /**
     * What the sender said of its message ({@code ibv_wc_tm_info}). Immutable.
     *
     * @param appContext its own ({@code priv})
     */
    public record Info(long tag, int appContext) {}

    /** The message has taken the receive; its data come, with a completion of their own. */
    public static TagInfo match(Info of) {
        return new TagInfo(true, false, false, Optional.of(of));
    }

    /** The message has taken the receive, and is there. */
    public static TagInfo whole(Info of) {
        return new TagInfo(true, true, false, Optional.of(of));
    }

    /** The same, and whether the program should say what it has dealt with. */
    public TagInfo withSyncRequested(boolean requested) {
        return new TagInfo(matched, dataValid, requested, info);
    }
}
