// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Parent actor of a network's fabric and adapters: as its children they are faster than as system actors. */
final class NetworkActor {
    /** Commands of the network actor. */
    sealed interface Command {}

    record Spawn<M>(Behavior<M> behavior, String name, CompletableFuture<ActorRef<M>> spawned) implements Command {}

    record Stop(CompletableFuture<Boolean> stopped) implements Command {}

    private NetworkActor() {}

    static Behavior<Command> create(DispatcherSelector shard) {
        return Behaviors.receive((context, command) -> switch (command) {
            case Spawn<?> spawn -> {
                spawn(context, spawn, shard);
                yield Behaviors.same();
            }
            case Stop stop -> Behaviors.stopped(() -> stop.stopped.complete(true));
        });
    }

    private static <M> void spawn(ActorContext<Command> context, Spawn<M> spawn, DispatcherSelector shard) {
        try {
            spawn.spawned.complete(context.spawn(spawn.behavior, spawn.name, shard));
        } catch (RuntimeException refused) {
            // The requester receives the failure; the network continues.
            spawn.spawned.completeExceptionally(refused);
        }
    }
}
