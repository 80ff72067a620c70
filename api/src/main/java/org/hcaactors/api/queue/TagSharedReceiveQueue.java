// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;

/**
 * A tag-matching shared receive queue ({@code IBV_SRQT_TM}). A message that begins with a {@link TagHeader} takes the first
 * receive of the tag list that matches its tag, and its data are written there without the header. A message without a match is
 * unexpected: it takes the next receive of {@link #postReceive}, with its header. Messages complete on this queue's own
 * completion queue, with the kinds {@code TM_RECV} and {@code TM_NO_TAG} and further fields in {@link
 * org.hcaactors.api.completion.TagInfo}. The adapter fetches the data of a rendezvous and notifies the sender without involving
 * the program; over DC only with {@link TagMatching#withDcRendezvous}.
 *
 * <p>Threads: any may post at the same time; {@link TagAdd}s are in the list in the order of posting. Limits: {@link
 * #capacity}, {@link #maxTags} and {@link #maxOperations}; the profile's {@link org.hcaactors.api.capability.TagCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface TagSharedReceiveQueue extends SharedReceiveQueue {
    /** Maximum number of receives in the tag list. */
    int maxTags();

    /**
     * Maximum number of outstanding operations. An unsignaled operation is outstanding until the completion of a later one is
     * polled, so at least one of this many operations must be signaled; otherwise the list accepts no more.
     */
    int maxOperations();

    /**
     * Appends a receive. ENOMEM if the list is full, or while {@link #maxOperations} are outstanding: a slot is free when all
     * completions of its receive have been polled. EINVAL with more than one element.
     */
    TagHandle add(TagAdd operation);

    /**
     * Removes a receive, unless a message has taken it. ENOMEM as for {@link #add}; EINVAL if it is of another queue of its
     * adapter.
     */
    void delete(TagDelete operation);

    /** Reports the number of handled unexpected messages. ENOMEM as for {@link #add}. */
    void sync(TagSync operation);

    /** Queries the tag list and its counters. */
    CompletionStage<TagSnapshot> queryTags();

    /**
     * Returns a stage that fails when the queue ends, which completions do not report: with EIO if the queue or its adapter is
     * in error, with ECANCELED if it is destroyed. It never succeeds.
     */
    CompletionStage<Void> ended();
}
