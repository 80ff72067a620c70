// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;

/** Match of a message to a tag-matching queue. */
public sealed interface TagMatch {
    /** Returns the receive of the message. */
    Receive receive();

    /** A receive of the list matched the tag. */
    record Expected(TagEntry entry, TagHeader header) implements TagMatch {
        @Override
        public Receive receive() {
            return entry.receive();
        }

        // rule tag-completion
        /**
         * Returns the completion for the program.
         *
         * @param queuePair number of the queue pair that received the message
         */
        public WorkCompletion completion(int queuePair, Status status, TagInfo info, long lengthBytes) {
            return new WorkCompletion(
                    receive().id(),
                    status,
                    CompletionKind.TM_RECV,
                    queuePair,
                    lengthBytes,
                    WorkCompletion.Details.NONE.with(info));
        }
    }

    /**
     * No receive of the list matched.
     *
     * @param syncRequested the program has not synchronized for long
     */
    record Unexpected(Receive receive, TagHeader header, boolean syncRequested) implements TagMatch {}

    /** The message is not subject to matching. */
    record Untagged(Receive receive) implements TagMatch {}

    /** The message is no SEND. */
    record Written(Receive receive) implements TagMatch {}
}
