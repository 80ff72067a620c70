// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.work.Receive;

/**
 * A shared receive queue ({@code ibv_srq}): several queue pairs take its receives in posting order, one per message. Keys of
 * the buffers are checked against this queue's protection domain, remote keys of peers against the queue pair's.
 *
 * <p>Threads: any may post at the same time. Limits: {@link #capacity()}, and the profile's {@link
 * org.hcaactors.api.capability.SharedReceiveCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface SharedReceiveQueue extends Handle {
    /** Number that identifies it in asynchronous events and, with XRC, in requests. */
    int number();

    /** Shard of its network on which it runs, from 0; queue pairs of any shard may use it. */
    int shard();

    SrqCapacity capacity();

    /** Current pages of its buffer: always single pages, regardless of the environment. */
    PageLayout pages();

    /** Posts a buffer to the queue ({@code ibv_post_srq_recv}): ENOMEM if it is full, EINVAL with too many elements. */
    void postReceive(Receive receive);

    // rule post-list
    /**
     * Posts a list of buffers ({@code ibv_post_srq_recv} of a chain), in order and next to each other. The first one that is
     * refused ends the call; an empty list has no effect.
     *
     * @throws org.hcaactors.api.error.PostRefusedException with the index of the refused buffer: those before it are posted, it
     *     and those behind it are not. Any other exception, such as for null, posts nothing
     */
    void postReceive(List<Receive> receives);

    /**
     * Arms the limit ({@code IBV_SRQ_LIMIT}): when fewer than {@code limit} receives are left, SRQ_LIMIT_REACHED is raised once
     * and the limit is reset to 0; at once if fewer are left already. EINVAL above the queue's size; 0 disarms.
     */
    CompletionStage<Void> armLimit(int limit);

    /**
     * Changes the size ({@code IBV_SRQ_MAX_WR}); EINVAL below the number of outstanding receives or above the adapter's limit,
     * ENOMEM if the host has no pages for it.
     */
    CompletionStage<Void> resize(int maxWr);

    CompletionStage<SrqSnapshot> query();

    /** Destroys the queue ({@code ibv_destroy_srq}); EBUSY while a queue pair uses it. */
    CompletionStage<Void> destroy();
}
