// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.PortAddress;

/** Entries of this node that wait to be written into the replicated maps; a later change of an entry replaces an earlier one. */
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

    /** Removes the first changes, and returns them by their bucket. */
    Map<Integer, List<Change>> poll(int most) {
        Map<Integer, List<Change>> changes = new TreeMap<>();
        Iterator<Change> next = waiting.values().iterator();
        for (int i = 0; i < most && next.hasNext(); i++) {
            Change change = next.next();
            next.remove();
            changes.computeIfAbsent(Claims.bucketOf(change.address), absent -> new ArrayList<>())
                    .add(change);
        }
        return changes;
    }
}
