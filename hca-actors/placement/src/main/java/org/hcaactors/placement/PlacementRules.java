// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.Address;

/** Rules of where an adapter may be. */
final class PlacementRules {
    private PlacementRules() {}

    // rule placement-node
    /**
     * Returns the node for an adapter that is nowhere: the one of the wish, or else the one with the fewest adapters, of those the one with
     * the lowest address. Nodes that are leaving or unreachable count only if there are no others.
     *
     * @param adapters number of adapters at each node that takes some; not empty
     * @param fit nodes that are up and reachable
     */
    static Address nodeFor(PlacementEntry entry, Map<Address, Integer> adapters, Set<Address> fit) {
        return entry.wishedNode()
                .filter(fit::contains)
                .filter(adapters::containsKey)
                .orElseGet(() -> adapters.entrySet().stream()
                        .min(Comparator.comparing((Map.Entry<Address, Integer> node) -> !fit.contains(node.getKey()))
                                .thenComparing(Map.Entry::getValue)
                                .thenComparing(node -> node.getKey().toString()))
                        .orElseThrow()
                        .getKey());
    }

    // rule placement-move
    /** True if the cluster may give the adapter to another node: it is plugged in nowhere, and should be at another one that is fit. */
    static boolean mayMove(PlacementEntry entry, Address from, Set<Address> fit) {
        return entry.place().isEmpty()
                && entry.wishedNode()
                        .filter(wished -> !wished.equals(from) && fit.contains(wished))
                        .isPresent();
    }

    /** True if the adapter may be plugged in at this node, which the cluster gave it: no other one that is fit was wished for. */
    static boolean mayStart(PlacementEntry entry, Address self, Set<Address> fit) {
        return entry.isWanted()
                && entry.wishedNode()
                        .filter(wished -> !wished.equals(self) && fit.contains(wished))
                        .isEmpty();
    }

    // rule placement-again
    /**
     * Returns the adapters that are to be placed (again): they are nowhere, or at a node that is no member any more.
     *
     * @param members uids of the nodes in the cluster
     * @param most number of them at most
     */
    static List<String> nowhere(Map<String, PlacementEntry> entries, Set<Long> members, int most) {
        return entries.entrySet().stream()
                .filter(each -> each.getValue().isWanted())
                .filter(each -> each.getValue()
                        .place()
                        .filter(place -> members.contains(place.uid()))
                        .isEmpty())
                .map(Map.Entry::getKey)
                .limit(most)
                .toList();
    }
}
