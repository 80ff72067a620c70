// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.work.Receive;

/**
 * Receives that several queue pairs take from, in posting order, one a message ({@code ibv_srq}). The buffers' keys are
 * checked against this queue's protection domain, the peers' remote keys against the queue pair's.
 *
 * <p>Threads: any may post at the same time. Limits: {@link #capacity()}, and the profile's {@link
 * org.hcaactors.api.capability.SharedReceiveCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface SharedReceiveQueue extends Handle {
    /** As asynchronous events name it. */
    int number();

    /** The shard of its network on which it lives, from 0; queue pairs of any may use it. */
    int shard();

    SrqCapacity capacity();

    /** What its buffer stands on now: single pages, whatever its context's environment says. */
    PageLayout pages();

    /**
     * Puts a buffer on the queue ({@code ibv_post_srq_recv}): ENOMEM when it is full, EINVAL with too many elements.
     */
    void postReceive(Receive receive);

    /**
     * Arms the limit ({@code IBV_SRQ_LIMIT}): once fewer than {@code limit} receives are left, SRQ_LIMIT_REACHED is raised
     * once and the limit is 0 again; at once if there are fewer already. EINVAL above the queue's size; 0 disarms.
     */
    CompletionStage<Void> armLimit(int limit);

    /**
     * Changes the size ({@code IBV_SRQ_MAX_WR}); EINVAL below what is outstanding or above the adapter's limit, ENOMEM where the
     * host has no pages for it.
     */
    CompletionStage<Void> resize(int maxWr);

    CompletionStage<SrqSnapshot> query();

    /** Destroys the queue ({@code ibv_destroy_srq}); EBUSY while a queue pair uses it. */
    CompletionStage<Void> destroy();
}
