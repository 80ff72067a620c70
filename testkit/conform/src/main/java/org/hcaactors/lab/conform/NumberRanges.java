// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.Map;
import java.util.TreeMap;

/** Set of numbers as ranges, merged where they touch. Not thread-safe. */
final class NumberRanges {
    /** Exclusive end of each range, by its first number. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    /** @param end exclusive */
    void add(long from, long end) {
        if (end <= from) {
            return;
        }
        long first = from;
        long last = end;
        Map.Entry<Long, Long> before = ends.floorEntry(first);
        if (before != null && before.getValue() >= first) {
            first = before.getKey();
            last = Math.max(last, before.getValue());
        }
        Map.Entry<Long, Long> within = ends.ceilingEntry(first);
        while (within != null && within.getKey() <= last) {
            last = Math.max(last, within.getValue());
            ends.remove(within.getKey());
            within = ends.ceilingEntry(first);
        }
        ends.put(first, last);
    }

    boolean contains(long number) {
        Map.Entry<Long, Long> at = ends.floorEntry(number);
        return at != null && number < at.getValue();
    }
}
