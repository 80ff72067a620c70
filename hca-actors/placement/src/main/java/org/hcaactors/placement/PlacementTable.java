// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.ddata.Key;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.LWWMapKey;
import org.apache.pekko.cluster.ddata.SelfUniqueAddress;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;

// rule placement-table
/**
 * The cluster's knowledge of all adapters, in its replicated data. A wish and a place are values of their own, so that one written at a node
 * does not undo the other one, written at another node at the same time. Any thread.
 */
final class PlacementTable {
    /** Replicated maps: one is sent whole, and must fit into a message of Artery. */
    static final int BUCKETS = 16;

    private static final String PREFIX = "hca-placement-";
    private static final String WISH = "w ";
    private static final String PLACE = "p ";
    private static final int TAG = 2;

    /** Within it a majority of the nodes answers, or what this node knows has to do. */
    private static final Duration MAJORITY = Duration.ofSeconds(3);

    private static final Duration LONGEST_ANSWER = MAJORITY.plusSeconds(2);

    private final ActorSystem<?> system;
    private final ActorRef<Replicator.Command> replicator;
    private final SelfUniqueAddress self;
    private volatile Map<String, PlacementEntry> known = Map.of();

    PlacementTable(ActorSystem<?> system) {
        this.system = system;
        replicator = DistributedData.get(system).replicator();
        self = DistributedData.get(system).selfUniqueAddress();
    }

    static Key<LWWMap<String, String>> key(int bucket) {
        return LWWMapKey.create(PREFIX + bucket);
    }

    /** Returns the bucket of a key. */
    static int bucketOf(Key<LWWMap<String, String>> key) {
        return Integer.parseInt(key.id().substring(PREFIX.length()));
    }

    private static Key<LWWMap<String, String>> keyOf(String adapter) {
        return key(Math.floorMod(adapter.hashCode(), BUCKETS));
    }

    /** Returns the entries in a bucket, by adapter. */
    static Map<String, PlacementEntry> entries(Map<String, String> bucket) {
        Map<String, PlacementEntry> entries = new HashMap<>();
        bucket.forEach((key, text) -> entries.compute(key.substring(TAG), (name, found) -> {
            PlacementEntry before = Optional.ofNullable(found).orElse(PlacementEntry.NONE);
            return key.startsWith(WISH)
                    ? new PlacementEntry(Optional.of(PlacementEntry.Wish.parse(text)), before.place())
                    : new PlacementEntry(before.wish(), Optional.of(PlacementEntry.Place.parse(text)));
        }));
        return entries;
    }

    /** Returns what this node knew when it last heard of a change: half a second ago, with Pekko's own settings. */
    Map<String, PlacementEntry> known() {
        return known;
    }

    void setKnown(Map<String, PlacementEntry> all) {
        known = Map.copyOf(all);
    }

    /** Returns what a majority of the nodes knows of an adapter, or this node alone if the majority does not answer. */
    CompletionStage<PlacementEntry> read(String adapter) {
        return get(adapter, new Replicator.ReadMajority(MAJORITY)).thenCompose(answer -> switch (answer) {
            case Replicator.GetFailure<LWWMap<String, String>> few ->
                get(adapter, Replicator.readLocal()).thenApply(local -> entry(local, adapter));
            default -> CompletableFuture.completedStage(entry(answer, adapter));
        });
    }

    private CompletionStage<Replicator.GetResponse<LWWMap<String, String>>> get(
            String adapter, Replicator.ReadConsistency consistency) {
        return AskPattern.ask(
                replicator,
                (ActorRef<Replicator.GetResponse<LWWMap<String, String>>> replyTo) ->
                        new Replicator.Get<>(keyOf(adapter), consistency, replyTo),
                LONGEST_ANSWER,
                system.scheduler());
    }

    private static PlacementEntry entry(Replicator.GetResponse<LWWMap<String, String>> answer, String adapter) {
        return answer instanceof Replicator.GetSuccess<LWWMap<String, String>> found
                ? entries(found.get(keyOf(adapter)).getEntries()).getOrDefault(adapter, PlacementEntry.NONE)
                : PlacementEntry.NONE;
    }

    /** The adapter is to be placed. */
    CompletionStage<Void> wish(String adapter, PlacementEntry.Wish wish) {
        return change(adapter, map -> map.put(self, WISH + adapter, wish.text()));
    }

    /** The adapter is plugged in. */
    CompletionStage<Void> placed(String adapter, PlacementEntry.Place place) {
        return change(adapter, map -> map.put(self, PLACE + adapter, place.text()));
    }

    /** The adapter has left its node, and is to be placed as before. */
    CompletionStage<Void> left(String adapter) {
        return change(adapter, map -> map.remove(self, PLACE + adapter));
    }

    /**
     * The adapter has left its node.
     *
     * @param next where it is to be; empty: nowhere
     */
    CompletionStage<Void> left(String adapter, Optional<PlacementEntry.Wish> next) {
        return change(adapter, map -> {
            LWWMap<String, String> gone = map.remove(self, PLACE + adapter);
            return next.map(wish -> gone.put(self, WISH + adapter, wish.text()))
                    .orElseGet(() -> gone.remove(self, WISH + adapter));
        });
    }

    /**
     * Changes the entry after it has been read, so that the change is later than all that a majority knows, by any node's clock. When
     * the stage completes, a majority has it, or will: then only this node has it now.
     */
    private CompletionStage<Void> change(String adapter, UnaryOperator<LWWMap<String, String>> how) {
        return read(adapter)
                .thenCompose(before -> AskPattern.ask(
                        replicator,
                        (ActorRef<Replicator.UpdateResponse<LWWMap<String, String>>> replyTo) ->
                                new Replicator.Update<>(
                                        keyOf(adapter),
                                        LWWMap.create(),
                                        new Replicator.WriteMajority(MAJORITY),
                                        replyTo,
                                        how::apply),
                        LONGEST_ANSWER,
                        system.scheduler()))
                .thenAccept(done -> {});
    }
}
