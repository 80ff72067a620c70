package org.hcaactors.adapter.stream;

import java.util.List;

/** What a subscription tells the actor it polls. */
public sealed interface Poll<E> {
    /** Which subscription of that actor, counted from 1. */
    int subscription();

    /**
     * @param more elements asked for
     * @param freed elements that the subscriber has taken since the last call
     */
    record Demanded<E>(int subscription, long more, int freed) implements Poll<E> {}

    /** Grant no more, and answer {@link SubscriptionActor.Closed} behind what was granted. */
    record Cancelled<E>(int subscription) implements Poll<E> {}

    /** The answer to Closed: what was not delivered goes back to where it came from, in order. */
    record Returned<E>(int subscription, List<E> undelivered, int freed) implements Poll<E> {}
}
