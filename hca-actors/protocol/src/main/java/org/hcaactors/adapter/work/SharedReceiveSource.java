// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;

/** Receives from shared receive queues: each is requested, and the answer arrives later. */
public interface SharedReceiveSource extends Receives {
    /** Takes the answer of the shared receive queue of that number. */
    void receiveGranted(int queue, Receive receive);

    /** Takes the answer of the tag-matching queue of that number. */
    default void matched(int queue, TagMatch match) {
        throw new IllegalStateException("shared receive queue " + queue + " does not match tags");
    }

    /** True if an unused receive is put back when its queue pair fails, instead of being flushed. */
    default boolean returnsUnused() {
        return false;
    }

    /** Takes the answer of the shared receive queue of that number that it is empty. */
    void empty(int queue);

    /** Ends the turn: a later message requests a receive again. */
    void endTurn();

    /** True if a receive may still be on its way here. */
    boolean isAwaiting();

    /** Puts unused receives back. */
    void clear(Turn turn);

    // rules receive-returned, tag-returned
    /** The queue pair is being destroyed and receives no more answers: what is on its way stays in the shared receive queue. */
    void leave(Turn turn);

    /**
     * The queue of that number is in error: it delivers no more receives.
     *
     * @return true if the requests that name the queue are refused; false if the queue pair fails with it
     */
    boolean failed(int queue);

    /**
     * The queue of that number is destroyed, with the receives taken from it. Does nothing if the queue pair prevents the
     * destruction.
     */
    default void srqDestroyed(int queue) {}

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
