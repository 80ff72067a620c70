// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Bytes of processes that adapters own. A lookup takes logarithmic time if buffers have similar lengths, and one more step for
 * each buffer that begins within the length of the longest one.
 */
final class OwnedRanges {
    /** Ranges of one process. */
    private static final class Space {
        final TreeMap<Long, List<OwnedRange>> byFirst = new TreeMap<>();
        /** Longest range since the space was empty. */
        long longest;
    }

    private final Map<OwnedRange.Host, Space> spaces = new HashMap<>();

    void add(OwnedRange range) {
        Space space = spaces.computeIfAbsent(range.of(), absent -> new Space());
        space.byFirst
                .computeIfAbsent(range.first(), absent -> new ArrayList<>(1))
                .add(range);
        space.longest = Math.max(space.longest, range.end() - range.first());
    }

    void remove(OwnedRange range) {
        Space space = spaces.get(range.of());
        if (space == null) {
            return;
        }
        space.byFirst.computeIfPresent(range.first(), (first, all) -> {
            all.remove(range);
            return all.isEmpty() ? null : all;
        });
        if (space.byFirst.isEmpty()) {
            spaces.remove(range.of());
        }
    }

    boolean isEmpty() {
        return spaces.isEmpty();
    }

    /** Returns a range of that kind that overlaps these bytes, if there is one. */
    Optional<OwnedRange> find(OwnedRange.Host of, long from, long to, Predicate<OwnedRange> kind) {
        Space space = spaces.get(of);
        if (space == null) {
            return Optional.empty();
        }
        for (List<OwnedRange> all :
                space.byFirst.subMap(from - space.longest, to).values()) {
            for (OwnedRange each : all) {
                if (each.overlaps(from, to) && kind.test(each)) {
                    return Optional.of(each);
                }
            }
        }
        return Optional.empty();
    }
}
