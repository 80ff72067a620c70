// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hcaactors.fabric.packet.Psn;

/** Unsignaled requests of one queue pair that have not ended, indexed by the PSNs of their last packets. */
final class UnsignaledRequests {
    private static final int PSNS = 1 << 24;

    /** Number of PSNs that are not later than a given one. */
    private static final int NOT_LATER = PSNS / 2;

    private final NavigableSet<Long> postings = new TreeSet<>();
    /** PSN of the last packet of each request. */
    private final Map<Long, Integer> lastPsn = new HashMap<>();

    private final NavigableMap<Integer, NavigableSet<Long>> byPsn = new TreeMap<>();

    void add(long posting) {
        postings.add(posting);
    }

    /** Notes a packet of the request; ignored if the request is signaled. */
    void sent(long posting, int psn) {
        Integer last = lastPsn.get(posting);
        if (postings.contains(posting) && (last == null || Psn.compare(psn, last) > 0)) {
            forget(posting);
            lastPsn.put(posting, psn);
            byPsn.computeIfAbsent(psn, any -> new TreeSet<>()).add(posting);
        }
    }

    void remove(long posting) {
        postings.remove(posting);
        forget(posting);
    }

    /** Removes the requests that were posted before. */
    List<Long> before(long posting) {
        List<Long> removed = List.copyOf(postings.headSet(posting));
        removed.forEach(this::remove);
        return removed;
    }

    /** Removes the requests that have no packet behind that PSN. */
    List<Long> acknowledged(int psn) {
        int min = psn - NOT_LATER + 1;
        List<Long> removed = new ArrayList<>();
        collect(byPsn.subMap(Math.max(0, min), psn + 1), removed);
        if (min < 0) {
            collect(byPsn.tailMap(min + PSNS), removed);
        }
        removed.forEach(this::remove);
        return removed;
    }

    private static void collect(SortedMap<Integer, NavigableSet<Long>> some, List<Long> into) {
        some.values().forEach(into::addAll);
    }

    private void forget(long posting) {
        Optional.ofNullable(lastPsn.remove(posting)).ifPresent(psn -> {
            NavigableSet<Long> alike = byPsn.getOrDefault(psn, new TreeSet<>());
            alike.remove(posting);
            if (alike.isEmpty()) {
                byPsn.remove(psn);
            }
        });
    }
}
