// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Parent actor of a network's fabric and adapters: as its children they are faster than as system actors. */
final class NetworkActor {
    /** Commands of the network actor. */
    sealed interface Command {}

    record Spawn<M>(Behavior<M> behavior, String name, CompletableFuture<ActorRef<M>> spawned) implements Command {}

    record Stop(CompletableFuture<Boolean> stopped) implements Command {}

    /**
     * Stops one actor.
     *
     * @param stopped done when its name is free for another one
     */
    record StopChild(ActorRef<?> child, CompletableFuture<Void> stopped) implements Command {}

    private record ChildStopped(CompletableFuture<Void> stopped) implements Command {}

    private NetworkActor() {}

    static Behavior<Command> create(DispatcherSelector shard) {
        return Behaviors.receive((context, command) -> switch (command) {
            case Spawn<?> spawn -> {
                spawn(context, spawn, shard);
                yield Behaviors.same();
            }
            case Stop stop -> Behaviors.stopped(() -> stop.stopped.complete(true));
            case StopChild stop -> {
                context.watchWith(stop.child, new ChildStopped(stop.stopped));
                context.stop(stop.child);
                yield Behaviors.same();
            }
            case ChildStopped gone -> {
                gone.stopped.complete(null);
                yield Behaviors.same();
            }
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

    /** Stops the network's actor. */
    static CompletableFuture<?> stop(ActorRef<Command> network) {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        network.tell(new Stop(stopped));
        return stopped;
    }

    /**
     * Stops the network's actor in a system that continues. When the future is done, the actor's name is free for another
     * network: its parent handles the end of a child before any later message.
     */
    static CompletableFuture<?> stopAndFreeName(ActorRef<Command> network, ActorSystem<?> system) {
        CompletableFuture<Boolean> free = new CompletableFuture<>();
        Behavior<Object> watcher = Behaviors.setup(context -> {
            context.watch(network);
            network.tell(new Stop(new CompletableFuture<>()));
            return Behaviors.receive(Object.class)
                    .onSignal(Terminated.class, stopped -> {
                        Adapter.toClassic(system)
                                .actorSelection("/system")
                                .tell(new Identify(network), Adapter.toClassic(context.getSelf()));
                        return Behaviors.same();
                    })
                    .onMessage(ActorIdentity.class, parent -> Behaviors.stopped(() -> free.complete(true)))
                    .build();
        });
        try {
            system.systemActorOf(
                    watcher, network.path().name() + "-end-" + network.path().uid(), Props.empty());
        } catch (IllegalStateException ending) {
            return stop(network);
        }
        return free;
    }
}
