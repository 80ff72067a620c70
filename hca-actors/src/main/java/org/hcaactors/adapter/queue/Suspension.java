package org.hcaactors.adapter.queue;

import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one direction that wait, in order, until a lease is there: at most a window of packets. One more is
 * dropped, as a full receive buffer drops it.
 */
final class Suspension<T> {
    private @Nullable ArrayDeque<T> waiting;

    boolean isEmpty() {
        return waiting == null || waiting.isEmpty();
    }

    /** False, and nothing held, if as much waits already as may. */
    boolean hold(T input) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        return waiting.size() < RcRequester.WINDOW && waiting.add(input);
    }

    /** The oldest; only if there is one. */
    T first() {
        return queue().element();
    }

    void removeFirst() {
        queue().remove();
    }

    void clear() {
        waiting = null;
    }

    private ArrayDeque<T> queue() {
        if (waiting == null) {
            throw new NoSuchElementException("nothing waits");
        }
        return waiting;
    }
}
