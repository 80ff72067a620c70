// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import org.jspecify.annotations.Nullable;

/**
 * A map from event id to value. Event ids count up and nearly every event looks up here, so the map is a table of arrays.
 * Entries about {@value #REMEMBERED} events older than the newest one may be forgotten.
 */
public final class ByEvent<V> {
    static final int REMEMBERED = 1 << 20;
    private static final int PAGE = 512;
    private static final int PAGES = REMEMBERED / PAGE;

    private record Page<V>(long number, @Nullable V[] values) {}

    private final @Nullable Page<V>[] pages = empty(PAGES);

    @SuppressWarnings("unchecked")
    private static <V> @Nullable Page<V>[] empty(int count) {
        return new Page[count];
    }

    @SuppressWarnings("unchecked")
    private static <V> Page<V> blank(long number) {
        return new Page<>(number, (V[]) new Object[PAGE]);
    }

    public boolean has(long event) {
        return get(event) != null;
    }

    public V getOrDefault(long event, V absent) {
        V value = get(event);
        return value == null ? absent : value;
    }

    @Nullable
    public V get(long event) {
        Page<V> page = pages[place(event)];
        return page != null && page.number == event / PAGE ? page.values[(int) (event % PAGE)] : null;
    }

    /** Ignored for an event older than those that are remembered. */
    public void put(long event, V value) {
        long number = event / PAGE;
        Page<V> page = pages[place(event)];
        if (page == null || page.number < number) {
            page = blank(number);
            pages[place(event)] = page;
        }
        if (page.number == number) {
            page.values[(int) (event % PAGE)] = value;
        }
    }

    private int place(long event) {
        return (int) (event / PAGE % PAGES);
    }
}
