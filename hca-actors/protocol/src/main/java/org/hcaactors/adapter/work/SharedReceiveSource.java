// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;

/**
 * Receives from shared receive queues. A tag-matching queue is asked for each message, and its answer arrives later; receives of
 * others are taken at once.
 */
public interface SharedReceiveSource extends Receives {
    /** Takes the answer of the tag-matching queue of that number. */
    default void matched(int queue, TagMatch match) {
        throw new IllegalStateException("shared receive queue " + queue + " does not match tags");
    }

    /** True if an unused receive is put back when its queue pair fails, instead of being flushed. */
    default boolean returnsUnused() {
        return false;
    }

    /** Takes the answer of the tag-matching queue of that number that it has no receive for the message. */
    default void empty(int queue) {
        throw new IllegalStateException("shared receive queue " + queue + " compares no tags");
    }

    /** Ends the turn: a later message requests a match again. */
    default void endTurn() {}

    /** True if a match may still be on its way here. */
    default boolean isAwaiting() {
        return false;
    }

    /** Puts unused receives back. */
    void clear(Turn turn);

    // rule tag-returned
    /** The queue pair is being destroyed and receives no more answers: what is on its way stays in the shared receive queue. */
    default void leave(Turn turn) {}

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
