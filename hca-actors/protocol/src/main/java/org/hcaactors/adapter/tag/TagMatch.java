// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;

/** What a message to a tag-matching queue was given. */
public sealed interface TagMatch {
    /** Where it goes. */
    Receive receive();

    /** A receive of the list waited for its tag. */
    record Expected(TagEntry entry, TagHeader header) implements TagMatch {
        @Override
        public Receive receive() {
            return entry.receive();
        }

        // rule tag-completion
        /**
         * What the program is told of it.
         *
         * @param queuePair over which its message came
         */
        public WorkCompletion completion(int queuePair, Status status, TagInfo said, long lengthBytes) {
            return new WorkCompletion(
                    receive().id(),
                    status,
                    CompletionKind.TM_RECV,
                    queuePair,
                    lengthBytes,
                    WorkCompletion.Details.NONE.with(said));
        }
    }

    /**
     * None did.
     *
     * @param syncRequested the program has not said for long what it has dealt with
     */
    record Unexpected(Receive receive, TagHeader header, boolean syncRequested) implements TagMatch {}

    /** It is not for matching. */
    record Untagged(Receive receive) implements TagMatch {}

    /** It is no SEND. */
    record Written(Receive receive) implements TagMatch {}
}
