package org.hcaactors.adapter.queue;

import java.util.ArrayDeque;

/**
 * The inputs of one direction that wait, in order, until a lease is there: at most a window of packets. One more is
 * dropped, as a full receive buffer drops it.
 */
final class Suspension<T> {
    private final ArrayDeque<T> waiting = new ArrayDeque<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** False, and nothing held, if as much waits already as may. */
    boolean hold(T input) {
        return waiting.size() < RcRequester.WINDOW && waiting.add(input);
    }

    /** The oldest; only if there is one. */
    T first() {
        return waiting.element();
    }

    void removeFirst() {
        waiting.remove();
    }

    void clear() {
        waiting.clear();
    }
}
