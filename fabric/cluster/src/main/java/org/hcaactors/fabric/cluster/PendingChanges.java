// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hcaactors.fabric.packet.PortAddress;

/** Changes of entries that wait to be written into the replicated maps; a later one of an entry replaces an earlier one. */
final class PendingChanges {
    /**
     * A change of an entry.
     *
     * @param value empty: the entry is removed
     */
    record Change(PortAddress address, String key, Optional<String> value) {}

    private final Map<String, Change> waiting = new LinkedHashMap<>();

    void put(Place place) {
        waiting.put(place.key(), new Change(place.address(), place.key(), Optional.of(place.text())));
    }

    void remove(Place place) {
        waiting.put(place.key(), new Change(place.address(), place.key(), Optional.empty()));
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Removes the first changes, and returns them by their bucket.
     *
     * @param adds false: only those that remove entries
     */
    Map<Integer, List<Change>> poll(int most, boolean adds) {
        List<Change> first = waiting.values().stream()
                .filter(change -> adds || change.value.isEmpty())
                .limit(most)
                .toList();
        first.forEach(change -> waiting.remove(change.key));
        return first.stream()
                .collect(Collectors.groupingBy(
                        change -> Claims.bucketOf(change.address), TreeMap::new, Collectors.toList()));
    }
}
