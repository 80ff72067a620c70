// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a completion that only tag-matching queues have ({@code IBV_WC_TM_MATCH}, {@code IBV_WC_TM_DATA_VALID}, {@code
 * IBV_WC_TM_SYNC_REQ}, {@code ibv_wc_tm_info}; rule tag-completion).
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class TagInfo {
    /** No flag is set. */
    public static final TagInfo NONE = new TagInfo(false, false, false, Optional.empty());

    /** The data of a message that matched before are in the buffer. */
    public static final TagInfo DATA = new TagInfo(false, true, false, Optional.empty());

    private final boolean matched;
    private final boolean dataValid;
    private final boolean syncRequested;
    private final Optional<Info> info;

    private TagInfo(boolean matched, boolean dataValid, boolean syncRequested, Optional<Info> info) {
        this.matched = matched;
        this.dataValid = dataValid;
        this.syncRequested = syncRequested;
        this.info = info;
    }

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

    /** True if the message matched a receive. */
    public boolean matched() {
        return matched;
    }

    /** True if the data are in the receive's buffer. */
    public boolean dataValid() {
        return dataValid;
    }

    /** True if the program should report how many unexpected messages it has handled. */
    public boolean syncRequested() {
        return syncRequested;
    }

    /**
     * Tag and context of a message that matched; only in the first of its completions. An unexpected message has them in its
     * buffer, as its header.
     */
    public Optional<Info> info() {
        return info;
    }

    /** Sets whether the program should report how many unexpected messages it has handled. */
    public TagInfo withSyncRequested(boolean requested) {
        return new TagInfo(matched, dataValid, requested, info);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagInfo same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagInfo" + values();
    }

    private List<Object> values() {
        return List.of(matched, dataValid, syncRequested, info);
    }
}
