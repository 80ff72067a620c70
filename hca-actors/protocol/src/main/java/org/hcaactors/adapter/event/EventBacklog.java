// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Events of one event queue: waiting to be fetched, or fetched and not acknowledged yet. Destroying an object discards its
 * waiting events and lasts until its fetched events are acknowledged (rule event-settled; ibv_destroy_cq(3),
 * ibv_ack_async_event(3)).
 *
 * @param <E> an event
 */
public final class EventBacklog<E> {
    private record Settlement<E>(Predicate<E> concerned, Runnable settled) {}

    private final int limit;
    private final boolean merges;
    private final Runnable lost;
    private final ArrayDeque<E> waiting = new ArrayDeque<>();
    private final ArrayDeque<E> fetched = new ArrayDeque<>();
    private final List<Settlement<E>> settlements = new ArrayList<>();

    /**
     * @param limit maximum number of waiting events; beyond it the oldest is dropped
     * @param merges beyond the limit, an event equal to a waiting one is not added
     * @param lost called for each dropped event
     */
    public EventBacklog(int limit, boolean merges, Runnable lost) {
        this.limit = limit;
        this.merges = merges;
        this.lost = lost;
    }

    public int size() {
        return waiting.size();
    }

    // rule event-backlog
    public void add(E event) {
        if (waiting.size() == limit) {
            if (merges && waiting.contains(event)) {
                return;
            }
            waiting.remove();
            waiting.add(event);
            lost.run();
        } else {
            waiting.add(event);
        }
    }

    /** Fetches the oldest event, which must be acknowledged; call it only if there is one. */
    public E fetch() {
        E event = waiting.remove();
        fetched.add(event);
        return event;
    }

    /** Acknowledges the oldest fetched events. */
    public void acknowledge(int count) {
        for (int i = 0; i < count; i++) {
            fetched.remove();
        }
        settle();
    }

    /**
     * Puts back the newest fetched events, which were not delivered, in their order; events of an object being destroyed are
     * discarded.
     */
    public void putBack(int count) {
        for (int i = 0; i < count; i++) {
            E event = fetched.removeLast();
            if (settlements.stream().noneMatch(settlement -> settlement.concerned.test(event))) {
                waiting.addFirst(event);
            }
        }
        settle();
    }

    public void putBackAll() {
        putBack(fetched.size());
    }

    /** Discards waiting events that match, and calls back when no matching fetched event is unacknowledged. */
    public void settle(Predicate<E> concerned, Runnable settled) {
        waiting.removeIf(concerned);
        Settlement<E> settlement = new Settlement<>(concerned, settled);
        if (!isSettled(settlement)) {
            settlements.add(settlement);
        }
    }

    /** Calls back all, since no event will be acknowledged any more. */
    public void settleAll() {
        settlements.forEach(settlement -> settlement.settled.run());
        settlements.clear();
    }

    private void settle() {
        settlements.removeIf(this::isSettled);
    }

    private boolean isSettled(Settlement<E> settlement) {
        boolean done = fetched.stream().noneMatch(settlement.concerned);
        if (done) {
            settlement.settled.run();
        }
        return done;
    }
}
