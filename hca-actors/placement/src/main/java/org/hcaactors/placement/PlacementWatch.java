// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ddata.LWWMap;
import org.apache.pekko.cluster.ddata.typed.javadsl.DistributedData;
import org.apache.pekko.cluster.ddata.typed.javadsl.Replicator;
import org.apache.pekko.cluster.ddata.typed.javadsl.ReplicatorMessageAdapter;

/** Actor that follows the table, and asks for adapters that are nowhere. Each node has one: any of them is enough. */
final class PlacementWatch {
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Adapters that are asked for at a look. */
    private static final int AT_A_TIME = 64;

    /** Commands of the actor. */
    sealed interface Command {}

    private record Changed(int bucket, Map<String, PlacementEntry> entries) implements Command {}

    /** Commands without parameters. */
    enum Note implements Command {
        LOOK,
        /** The node has left. */
        STOP
    }

    private PlacementWatch() {}

    /** @param ask asks for an adapter by its name */
    static Behavior<Command> create(PlacementTable table, ClusterNodes nodes, Consumer<String> ask) {
        return Behaviors.setup(context -> DistributedData.withReplicatorMessageAdapter(
                (ReplicatorMessageAdapter<Command, LWWMap<String, String>> adapter) -> Behaviors.withTimers(timers -> {
                    for (int bucket = 0; bucket < PlacementTable.BUCKETS; bucket++) {
                        adapter.subscribe(PlacementTable.key(bucket), PlacementWatch::changed);
                    }
                    timers.startTimerWithFixedDelay(Note.LOOK, LOOK);
                    List<Map<String, PlacementEntry>> buckets = new ArrayList<>();
                    for (int bucket = 0; bucket < PlacementTable.BUCKETS; bucket++) {
                        buckets.add(Map.of());
                    }
                    return Behaviors.receiveMessage(command -> switch (command) {
                        case Changed(var bucket, var entries) -> {
                            buckets.set(bucket, entries);
                            Map<String, PlacementEntry> all = new HashMap<>();
                            buckets.forEach(all::putAll);
                            table.setKnown(all);
                            yield Behaviors.same();
                        }
                        case Note.LOOK -> {
                            PlacementRules.nowhere(table.known(), nodes.uids(), AT_A_TIME)
                                    .forEach(ask);
                            yield Behaviors.same();
                        }
                        case Note.STOP -> Behaviors.stopped();
                    });
                })));
    }

    private static Command changed(Replicator.SubscribeResponse<LWWMap<String, String>> response) {
        return new Changed(
                PlacementTable.bucketOf(response.key()),
                response instanceof Replicator.Changed<LWWMap<String, String>> changed
                        ? PlacementTable.entries(changed.dataValue().getEntries())
                        : Map.of());
    }
}
