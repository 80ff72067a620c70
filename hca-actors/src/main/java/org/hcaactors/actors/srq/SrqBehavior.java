// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import org.hcaactors.adapter.srq.SrqUser;

/** Part of a shared receive queue's actor that only its kind of queue has. Not thread-safe; used on its queue's thread. */
public interface SrqBehavior {
    /** No part of its own. */
    SrqBehavior NONE = new SrqBehavior() {};

    /** The queue is created; the handle can be used from now on. */
    default void created() {}

    /** The queue is destroyed; called once. */
    default void destroyed() {}

    /** True if the users are asked to leave when the queue is destroyed; false if they prevent that. */
    default boolean waitsForUsers() {
        return false;
    }

    /** The queue is being destroyed and waits for its users: no other may join. */
    default void refuseUsers() {}

    /** A queue pair no longer uses the queue. */
    default void userLeft(SrqUser user) {}

    /**
     * Executes a command of tag matching.
     *
     * @param failed the queue gives out no receives any more
     */
    default void on(SharedReceiveActor.TagCommand command, boolean failed) {
        throw new IllegalStateException("the shared receive queue does not match tags");
    }
}
