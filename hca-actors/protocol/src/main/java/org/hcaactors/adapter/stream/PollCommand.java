// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

/** Messages of a subscription to the actor that it polls. */
public sealed interface PollCommand<E> {
    /** Number of the subscription at that actor, counted from 1. */
    int subscription();

    /**
     * @param more number of additionally requested elements
     * @param returned number of elements whose {@code onNext} has returned since the last message
     */
    record Demanded<E>(int subscription, long more, int returned) implements PollCommand<E> {}

    /** Stops granting; the actor answers Closed behind what was granted. */
    record Cancelled<E>(int subscription) implements PollCommand<E> {}

    /**
     * Answer to Closed: the newest granted elements go back to the owner, in order.
     *
     * @param undelivered number of those elements
     * @param returned number of elements whose {@code onNext} has returned since the last message
     */
    record Returned<E>(int subscription, int undelivered, int returned) implements PollCommand<E> {}
}
