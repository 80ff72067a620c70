// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.OptionalInt;

/**
 * Operation that removes a receive from a tag list ({@code IBV_WR_TAG_DEL}). If a message has already taken the receive, the
 * operation completes with TM_ERR if it is signaled, and the message has its own completion, before or after (rule
 * tag-delete-race).
 *
 * <p>Immutable.
 *
 * @param receive handle from {@link org.hcaactors.api.queue.TagSharedReceiveQueue#add}
 */
public record TagDelete(long id, TagHandle receive, boolean signaled, OptionalInt handled) implements TagOperation {
    public static TagDelete of(long id, TagHandle receive) {
        return new TagDelete(id, receive, false, OptionalInt.empty());
    }

    public TagDelete withSignaled() {
        return new TagDelete(id, receive, true, handled);
    }

    /** Reports the number of unexpected messages handled so far; posting is EINVAL unless it is 0 to 2^16-1. */
    public TagDelete withHandled(int messages) {
        return new TagDelete(id, receive, signaled, OptionalInt.of(messages));
    }
}
