// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;

/**
 * Recorder of the newest events, {@value #CAPACITY} at most, in the order in which they are recorded; on one shard, the order of
 * time. Thread-safe.
 */
public final class TraceRecorder implements TraceSink {
    public static final int CAPACITY = 1 << 21;

    private final int capacity;
    private final ArrayDeque<TraceEvent> events = new ArrayDeque<>();
    private final List<Consumer<? super TraceEvent>> listeners = new CopyOnWriteArrayList<>();
    private long ids;
    private long forgotten;

    /** Creates a recorder of {@value #CAPACITY} events. */
    public TraceRecorder() {
        this(CAPACITY);
    }

    /**
     * Creates a recorder of fewer events, for a small heap.
     *
     * @param capacity 1 to {@value #CAPACITY}; IllegalArgumentException for another number
     */
    public TraceRecorder(int capacity) {
        if (capacity < 1 || capacity > CAPACITY) {
            throw new IllegalArgumentException(
                    "the capacity is " + capacity + " events; 1 to " + CAPACITY + " is allowed");
        }
        this.capacity = capacity;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public synchronized long nextId() {
        return ++ids;
    }

    @Override
    public synchronized void record(TraceEvent event) {
        if (events.size() == capacity) {
            events.remove();
            forgotten++;
        }
        events.add(event);
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).accept(event);
        }
    }

    /**
     * Passes every event to the listener from now on, on the thread that records it. The listener must not wait for another
     * thread or call a verb.
     */
    public void listen(Consumer<? super TraceEvent> listener) {
        listeners.add(listener);
    }

    /** Returns a copy of the recorded events, oldest first. */
    public synchronized List<TraceEvent> events() {
        return List.copyOf(events);
    }

    /** Returns the recorded events of one kind, oldest first; later events are not included. */
    public synchronized <E extends TraceEvent> Stream<E> of(Class<E> kind) {
        List<E> found = new ArrayList<>();
        for (TraceEvent event : events) {
            if (kind.isInstance(event)) {
                found.add(kind.cast(event));
            }
        }
        return found.stream();
    }

    /** Returns the number of events that were dropped for newer ones. */
    public synchronized long forgotten() {
        return forgotten;
    }
}
