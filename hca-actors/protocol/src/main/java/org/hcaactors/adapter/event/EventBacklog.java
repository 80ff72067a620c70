// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.event;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The events of one event queue, as a machine: waiting to be fetched, or fetched and not acknowledged yet. Destroying an
 * object discards what waits and lasts until what was fetched is acknowledged (rule event-settled; ibv_destroy_cq(3),
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
     * @param limit of events that wait; beyond it the oldest is dropped
     * @param merges beyond the limit an event that waits already is not added again
     * @param lost told of each that was dropped
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

    /** The oldest; to be acknowledged. Only if there is one. */
    public E fetch() {
        E event = waiting.remove();
        fetched.add(event);
        return event;
    }

    /** The oldest that were fetched are done with. */
    public void acknowledge(int count) {
        for (int i = 0; i < count; i++) {
            fetched.remove();
        }
        settle();
    }

    /** The newest that were fetched were not delivered: they wait again, in their order, but for those of an object that goes. */
    public void giveBack(int count) {
        for (int i = 0; i < count; i++) {
            E event = fetched.removeLast();
            if (settlements.stream().noneMatch(settlement -> settlement.concerned.test(event))) {
                waiting.addFirst(event);
            }
        }
        settle();
    }

    public void giveBackAll() {
        giveBack(fetched.size());
    }

    /** Discards what waits of these, and calls back once none that was fetched is unacknowledged. */
    public void settle(Predicate<E> concerned, Runnable settled) {
        waiting.removeIf(concerned);
        Settlement<E> settlement = new Settlement<>(concerned, settled);
        if (!isSettled(settlement)) {
            settlements.add(settlement);
        }
    }

    /** Nobody will acknowledge any more. */
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
