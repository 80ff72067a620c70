// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;

/** Receives of queues that are shared: each is asked for, and the answer comes later. */
public interface SharedReceiveSource extends Receives {
    /** The answer of the shared queue of that number. */
    void taken(int queue, Receive receive);

    /** The answer of the tag-matching queue of that number. */
    default void matched(int queue, TagMatch match) {
        throw new IllegalStateException("shared receive queue " + queue + " compares no tags");
    }

    /** What was taken and not used goes back when its queue pair fails, and is not flushed. */
    default boolean returnsUnused() {
        return false;
    }

    /** The answer of the shared queue of that number: it has none. */
    void empty(int queue);

    /** A later message asks again. */
    void endTurn();

    /** A buffer may still be on its way here. */
    boolean isAwaiting();

    /** What no message was put into goes back. */
    void clear(Turn turn);

    // rules receive-returned, tag-returned
    /** The queue pair goes and hears of nothing any more: what is on its way here stays where it comes from. */
    void leave(Turn turn);

    /**
     * The queue of that number is in error: nothing comes of it any more.
     *
     * @return each request that names it is told; false where the queue pair fails with it
     */
    boolean failed(int queue);

    /** The queue of that number goes, and with it what it lent; nothing where the queue pair keeps it from going. */
    default void forget(int queue) {}

    @Override
    default void goesOn(Turn turn) {}

    @Override
    default int skipped(Packet packet) {
        return 0;
    }

    @Override
    default NoReceive whyEmpty() {
        return NoReceive.SHARED_QUEUE_IS_EMPTY;
    }

    /** Others may have taken what was behind it. */
    @Override
    default boolean takesBack() {
        return false;
    }

    @Override
    default void takeBack(Receive receive) {
        throw new IllegalStateException("a receive of a shared queue can't be the next one again");
    }
}
