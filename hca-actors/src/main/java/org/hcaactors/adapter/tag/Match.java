// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;

/** What a message to a tag-matching queue was given. */
public sealed interface Match {
    /** Where it goes. */
    Receive receive();

    /** A receive of the list waited for its tag. */
    record Expected(TagEntry entry, TagHeader header) implements Match {
        @Override
        public Receive receive() {
            return entry.receive();
        }
    }

    /**
     * None did.
     *
     * @param syncRequested the program has not said for long what it has dealt with
     */
    record Unexpected(Receive receive, TagHeader header, boolean syncRequested) implements Match {}

    /** It is not for matching. */
    record Untagged(Receive receive) implements Match {}

    /** It is no SEND. */
    record Written(Receive receive) implements Match {}
}
