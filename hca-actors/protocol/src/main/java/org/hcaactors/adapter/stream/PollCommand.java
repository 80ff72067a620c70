// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

/** What a subscription tells the actor it polls. */
public sealed interface PollCommand<E> {
    /** Which subscription of that actor, counted from 1. */
    int subscription();

    /**
     * @param more elements asked for
     * @param returned elements whose {@code onNext} has returned since the last call
     */
    record Demanded<E>(int subscription, long more, int returned) implements PollCommand<E> {}

    /** Grant no more, and tell that it is closed behind what was granted. */
    record Cancelled<E>(int subscription) implements PollCommand<E> {}

    /**
     * The answer to Closed: the newest that were granted go back to where they came from, in order.
     *
     * @param undelivered how many
     * @param returned elements whose {@code onNext} has returned since the last call
     */
    record Returned<E>(int subscription, int undelivered, int returned) implements PollCommand<E> {}
}
