// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table by queue pair number. Numbers are allocated consecutively, so neighbouring entries share a page: an entry takes a few
 * bytes instead of about fifty in a map. Not thread-safe.
 */
public final class QpTable<V> {
    private static final int PAGE = 6;
    private static final int MASK = (1 << PAGE) - 1;

    private static final class Page {
        final @Nullable Object[] entries = new Object[1 << PAGE];
        int used;
    }

    private final Map<Integer, Page> pages = new LinkedHashMap<>();
    private int size;

    public int size() {
        return size;
    }

    /** Returns the entry of that number, or null. */
    @SuppressWarnings("unchecked") // only put writes entries
    public @Nullable V get(int number) {
        Page page = pages.get(number >>> PAGE);
        return page == null ? null : (V) page.entries[number & MASK];
    }

    /** Sets the entry, replacing any previous one. */
    public void put(int number, V value) {
        Page page = pages.computeIfAbsent(number >>> PAGE, absent -> new Page());
        int more = page.entries[number & MASK] == null ? 1 : 0;
        page.used += more;
        size += more;
        page.entries[number & MASK] = value;
    }

    /** Removes the entry, if there is one. */
    public void remove(int number) {
        Page page = pages.get(number >>> PAGE);
        if (page == null || page.entries[number & MASK] == null) {
            return;
        }
        page.entries[number & MASK] = null;
        page.used--;
        size--;
        if (page.used == 0) {
            pages.remove(number >>> PAGE);
        }
    }

    /** Returns the numbers of all entries; those of one page in ascending order. */
    public List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>(size);
        pages.forEach((at, page) -> {
            for (int i = 0; i <= MASK; i++) {
                if (page.entries[i] != null) {
                    numbers.add((at << PAGE) + i);
                }
            }
        });
        return numbers;
    }
}
