// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

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
}
