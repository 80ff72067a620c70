// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.tag;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.queue.SharedReceiveQueue;

/**
 * A shared receive queue whose adapter compares tags ({@code IBV_SRQT_TM}). A message that begins with a {@link TagHeader} takes
 * the first receive of the tag list that its tag matches, and the data go there without the header; one that none matches is
 * unexpected and takes the next of {@link #postReceive}, whole. Whatever takes a receive here completes on this queue's own
 * completion queue, with the kinds {@code TM_RECV} and {@code TM_NO_TAG}; what else a completion says of it stands in its
 * {@link org.hcaactors.api.completion.Tagging}. A message that only describes its data is fetched by the adapter, and its sender is told, while nobody
 * here does anything; over DC only with {@link TagSrqDescription#withDcRendezvous}.
 *
 * <p>Threads: any may post at the same time; {@link TagAdd}s are in the list in the order of posting. Limits: {@link #capacity},
 * {@link #maxTags} and {@link #maxOperations}; the profile's {@link org.hcaactors.api.capability.TagCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface TagSharedReceiveQueue extends SharedReceiveQueue {
    /** Receives that the tag list has room for. */
    int maxTags();

    /**
     * Operations that may be under way; one that is not signaled counts until a later one's completion was polled. So of as many at least
     * one has to be signaled, or the list takes no more for ever.
     */
    int maxOperations();

    /**
     * Appends a receive. ENOMEM where the list is full, or where {@link #maxOperations} are under way: a place is free again when
     * all completions of what stood there were polled. EINVAL with more than one element.
     */
    TagHandle add(TagAdd operation);

    /** Takes a receive out, if no message has taken it. ENOMEM as for {@link #add}; EINVAL where it is of another queue of its adapter. */
    void delete(TagDelete operation);

    /** Says what was dealt with. ENOMEM as for {@link #add}. */
    void sync(TagSync operation);

    /** What list and counters are now. */
    CompletionStage<TagSnapshot> queryTags();

    /**
     * Tells that nothing comes any more, which completions don't: fails with EIO when the queue, or its adapter, is in error, with
     * ECANCELED when it is destroyed, and never succeeds.
     */
    CompletionStage<Void> ended();
}
