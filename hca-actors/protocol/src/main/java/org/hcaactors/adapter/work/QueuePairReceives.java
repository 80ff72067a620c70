// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;

/**
 * The receives of a queue pair through its states, as its {@link ReceiveSource} supplies them. The defaults are those of a
 * shared receive queue.
 */
public interface QueuePairReceives extends Receives {
    /** Adds a receive that the program posted to the queue pair. */
    default void add(Receive receive) {
        throw new IllegalStateException("receives are posted to the shared receive queue");
    }

    /** Returns what admits the peer's requests: {@code own}, unless requests name what they may use. */
    default RequestAdmission admission(RequestAdmission own) {
        return own;
    }

    /** True if an unused receive is put back when its queue pair fails, instead of being flushed. */
    default boolean returnsUnused() {
        return false;
    }

    /** Removes unused receives without completion; those of a shared receive queue are put back. */
    void clear(Turn turn);

    /**
     * The shared receive queue of that number is in error: it delivers no more receives.
     *
     * @return true if the requests that name the queue are refused; false if the queue pair fails with it
     */
    default boolean srqFailed(int queue) {
        return false;
    }

    /**
     * The shared receive queue of that number is destroyed, with the receives taken from it. Does nothing if the queue pair
     * prevents the destruction.
     */
    default void srqDestroyed(int queue) {}

    // rule rendezvous-dc
    /** Fetches a rendezvous message's data; call it only if the adapter may fetch for this queue pair. */
    default void fetch(FetchOrder order, Turn turn) {
        throw new IllegalStateException("nothing is fetched for the queue pair");
    }

    /** Requests the data of rendezvous messages. */
    default void startFetching(Turn turn) {}

    /** Cancels the fetches that have not started. */
    default void cancelFetching(Turn turn) {}

    @Override
    default void messageContinues(Turn turn) {}

    @Override
    default int skipped(Packet packet) {
        return 0;
    }

    @Override
    default NoReceive whyEmpty() {
        return NoReceive.SHARED_QUEUE_IS_EMPTY;
    }

    /** Other queue pairs may have taken the receives behind it. */
    @Override
    default boolean takesBack() {
        return false;
    }

    @Override
    default void takeBack(Receive receive) {
        throw new IllegalStateException("a receive of a shared queue can't be the next one again");
    }
}
