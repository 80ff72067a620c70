// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.PortAddress;

/** The adapters of a cluster from one look to the next. Not thread-safe. */
final class AdapterChanges {
    private SortedMap<String, PortAddress> before = new TreeMap<>();

    /** Returns what has changed since the last call, by name. */
    List<NodeEvent> to(SortedMap<String, PortAddress> now) {
        List<NodeEvent> changes = new ArrayList<>();
        before.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .map(NodeEvent.AdapterGone::new)
                .forEach(changes::add);
        now.forEach((name, address) -> {
            if (!address.equals(before.get(name))) {
                changes.add(new NodeEvent.AdapterFound(name, address));
            }
        });
        before = now;
        return changes;
    }
}
