// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.Address;

// rule placement-node
/**
 * Number of adapters at each node, for the next choice of one. A choice counts at once, before Cluster Sharding and the table show it; the
 * shard of an adapter that was drained does not count, although Cluster Sharding keeps it. Not thread-safe.
 */
final class AdapterCounts {
    /** After it, the table shows what has become of a choice. */
    static final long CHOICE_NANOS = 10_000_000_000L;

    private final Map<String, Choice> choices = new LinkedHashMap<>();

    private record Choice(Address node, long madeAt) {}

    void chosen(String adapter, Address node, long now) {
        choices.put(adapter, new Choice(node, now));
    }

    /**
     * Returns the number of adapters at each node.
     *
     * @param shards adapters that Cluster Sharding keeps at each node
     * @param wanted adapters that are to be placed, as far as is known
     * @param except does not count, as it is to be placed now
     */
    Map<Address, Integer> at(
            Map<Address, ? extends Collection<String>> shards, Set<String> wanted, String except, long now) {
        choices.values().removeIf(choice -> now - choice.madeAt > CHOICE_NANOS);
        Map<Address, Integer> counts = new HashMap<>();
        shards.forEach((node, adapters) -> counts.put(node, (int) adapters.stream()
                .filter(adapter -> !adapter.equals(except) && !choices.containsKey(adapter) && wanted.contains(adapter))
                .count()));
        choices.forEach((adapter, choice) -> Optional.of(choice.node)
                .filter(node -> !adapter.equals(except))
                .ifPresent(node -> counts.computeIfPresent(node, (same, count) -> count + 1)));
        return counts;
    }
}
