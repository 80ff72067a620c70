// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.OptionalInt;

/**
 * Takes a receive out of a tag list ({@code IBV_WR_TAG_DEL}). A message may have taken it before: then the operation, if it is
 * signaled, ends with TM_ERR, and the message's completion came or comes (rule tag-delete-race).
 *
 * <p>Immutable.
 *
 * @param receive what {@link TagSharedReceiveQueue#add} returned
 */
public record TagDelete(long id, TagHandle receive, boolean isSignaled, OptionalInt handled) implements TagOperation {
    public static TagDelete of(long id, TagHandle receive) {
        return new TagDelete(id, receive, false, OptionalInt.empty());
    }

    public TagDelete signaled() {
        return new TagDelete(id, receive, true, handled);
    }

    /** Says that so many unexpected messages were dealt with; EINVAL when posted unless it is 0 to 2^16-1. */
    public TagDelete handled(int messages) {
        return new TagDelete(id, receive, isSignaled, OptionalInt.of(messages));
    }
}
