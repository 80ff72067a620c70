// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import scala.collection.immutable.IndexedSeq;
import scala.concurrent.Future;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;

/**
 * Strategy of Cluster Sharding for adapters: each is a shard of its own. Its state is in the cluster's replicated data, so that a
 * coordinator that starts at another node continues.
 */
final class AdapterShards extends ShardCoordinator.AbstractShardAllocationStrategy {
    private final PlacementTable table;
    private final ClusterNodes nodes;
    private final AdapterCounts counts = new AdapterCounts();

    AdapterShards(PlacementTable table, ClusterNodes nodes) {
        this.table = table;
        this.nodes = nodes;
    }

    @Override
    public Future<ActorRef> allocateShard(
            ActorRef requester, String adapter, Map<ActorRef, IndexedSeq<String>> allocations) {
        Map<Address, ActorRef> regions = new HashMap<>();
        Map<Address, List<String>> shards = new HashMap<>();
        allocations.forEach((region, adapters) -> {
            regions.put(addressOf(region), region);
            shards.put(addressOf(region), CollectionConverters.asJava(adapters));
        });
        return FutureConverters.asScala(table.read(adapter)
                .thenApply(entry -> Optional.ofNullable(regions.get(choose(adapter, entry, shards)))
                        .orElse(requester)));
    }

    private Address choose(String adapter, PlacementEntry entry, Map<Address, List<String>> shards) {
        Set<String> wanted = table.known().entrySet().stream()
                .filter(each -> each.getValue().isWanted())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        synchronized (counts) {
            long now = System.nanoTime();
            Address node = PlacementRules.nodeFor(entry, counts.at(shards, wanted, adapter, now), nodes.fit());
            counts.chosen(adapter, node, now);
            return node;
        }
    }

    @Override
    public Future<Set<String>> rebalance(Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
        Set<Address> fit = nodes.fit();
        Set<Address> regions = allocations.keySet().stream()
                .map(this::addressOf)
                .filter(fit::contains)
                .collect(Collectors.toSet());
        Map<String, PlacementEntry> known = table.known();
        Map<String, Address> candidates = new HashMap<>();
        allocations.forEach((region, shards) -> CollectionConverters.asJava(shards).stream()
                .filter(adapter -> !inProgress.contains(adapter))
                .filter(adapter -> PlacementRules.mayMove(
                        known.getOrDefault(adapter, PlacementEntry.NONE), addressOf(region), regions))
                .forEach(adapter -> candidates.put(adapter, addressOf(region))));
        return FutureConverters.asScala(confirmed(candidates, regions));
    }

    /** An adapter may have been plugged in since this node last heard of it. */
    private CompletableFuture<Set<String>> confirmed(Map<String, Address> candidates, Set<Address> regions) {
        Set<String> moving = ConcurrentHashMap.newKeySet();
        return CompletableFuture.allOf(candidates.entrySet().stream()
                        .map(each -> table.read(each.getKey())
                                .thenAccept(entry -> {
                                    if (PlacementRules.mayMove(entry, each.getValue(), regions)) {
                                        moving.add(each.getKey());
                                    }
                                })
                                .toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> moving);
    }

    /** The region of the coordinator's own node has a reference without an address. */
    private Address addressOf(ActorRef region) {
        Address address = region.path().address();
        return address.hasGlobalScope() ? address : nodes.self();
    }
}
