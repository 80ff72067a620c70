// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/**
 * Source of a queue pair's receives, determined when the queue pair is created: its own receive queue, a shared receive queue,
 * the shared receive queues that XRC requests name, or a tag-matching queue. It creates the queue pair's receives and is their
 * way to the queue. Each variant is in the package of its machine.
 */
@FunctionalInterface
public interface ReceiveSource {
    /** The queue pair's own receive queue. */
    ReceiveSource OWN =
            parts -> new ReceiveQueue(parts.memory(), parts.plan().capacity().maxRecvWr());

    /** Creates the receives; called once for each queue pair. */
    QueuePairReceives receives(ReceiveParts parts);

    /** True if receives are taken, one for each message, from a queue that other queue pairs use, too. */
    default boolean isShared() {
        return false;
    }

    /** True if the adapter may fetch data by itself, by requests on the queue pair's send queue. */
    default boolean mayFetch() {
        return false;
    }

    /** True if messages may begin with a tag header, which is not written to their buffers. */
    default boolean matchesTags() {
        return false;
    }
}
