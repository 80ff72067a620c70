// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.typed.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.ShardingMessageExtractor;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.pattern.Patterns;
import org.hcaactors.network.RdmaNetwork;

/**
 * Adapters of a fabric over several nodes, each with its program, placed on the nodes by the caller or by Cluster Sharding. An adapter is
 * at one node at a time, whole. It goes to another one only when its program has ended and it has no queue pair; there it begins again, with
 * another address, as after a power cycle. Other adapters find it by its name.
 *
 * <p>Each node of the cluster (or of the role in the settings) starts a placement, with the same program and settings. The adapters of a
 * node that has died are placed at others when the cluster has removed it.
 *
 * <p>Stages fail with {@link PlacementException}. They complete on threads of the actor system, and so must not block.
 *
 * <p>Any thread.
 */
public final class AdapterPlacement {
    /** Adapters that can be placed in a cluster: each is a shard, and the list of all shards travels in a message of Artery. */
    public static final int MAX_ADAPTERS = 1000;

    private static final String TYPE = "hca-adapter";
    private static final EntityTypeKey<AdapterEntity.Command> KEY =
            EntityTypeKey.create(AdapterEntity.Command.class, TYPE);

    /** After it a question is asked again. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Time that a node has to remove an adapter and to write that down, beyond the time to drain it. */
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private final ActorSystem<?> system;
    private final PlacementSettings settings;
    private final ClusterNodes nodes;
    private final PlacementTable table;
    private final ActorRef<ShardingEnvelope<AdapterEntity.Command>> region;
    private final ActorRef<PlacementWatch.Command> watch;

    private AdapterPlacement(
            ActorSystem<?> system, RdmaNetwork network, PlacedProgram program, PlacementSettings settings) {
        this.system = system;
        this.settings = settings;
        nodes = new ClusterNodes(Cluster.get(system), settings.role());
        table = new PlacementTable(system);
        AdapterEntity.Node node = new AdapterEntity.Node(network, program, settings, table, nodes);
        Entity<AdapterEntity.Command, ShardingEnvelope<AdapterEntity.Command>> entity = Entity.of(
                        KEY, context -> AdapterEntity.create(context.getEntityId(), node))
                .withStopMessage(AdapterEntity.Note.STOP)
                .withAllocationStrategy(new AdapterShards(table, nodes))
                .withMessageExtractor(new OneShardEach())
                .withSettings(sharding(system, settings));
        region = ClusterSharding.get(system)
                .init(settings.role().map(entity::withRole).orElse(entity));
        watch = system.systemActorOf(PlacementWatch.create(table, nodes, this::ask), "hca-placement", Props.empty());
        CoordinatedShutdown.get(Adapter.toClassic(system))
                .addTask(CoordinatedShutdown.PhaseBeforeServiceUnbind(), "hca-placement", () -> {
                    watch.tell(PlacementWatch.Note.STOP);
                    return CompletableFuture.completedStage(Done.getInstance());
                });
    }

    /**
     * Starts the placement of a node. It takes adapters from now on.
     *
     * @param network the node's network, which joins the fabric over the nodes ({@code ClusterUplink})
     * @throws IllegalArgumentException if the actor system has had a placement
     */
    public static AdapterPlacement start(
            ActorSystem<?> system, RdmaNetwork network, PlacedProgram program, PlacementSettings settings) {
        if (!SystemPlacement.take(system)) {
            throw new IllegalArgumentException("the actor system " + system.name()
                    + " has had a placement; a node that starts again needs a new actor system");
        }
        return new AdapterPlacement(system, network, program, settings);
    }

    private static ClusterShardingSettings sharding(ActorSystem<?> system, PlacementSettings settings) {
        ClusterShardingSettings all = ClusterShardingSettings.fromConfig(ConfigFactory.parseMap(Map.of(
                        "rebalance-interval", "500ms",
                        "retry-interval", "500ms",
                        "handoff-timeout", settings.drainTime().multipliedBy(2).plus(MARGIN),
                        "remember-entities", "off",
                        "passivation.strategy", "none",
                        "state-store-mode", "ddata"))
                .withFallback(system.settings().config().getConfig("pekko.cluster.sharding")));
        return settings.role().map(all::withRole).orElse(all);
    }

    /** One shard for each adapter, so that each moves alone. */
    private static final class OneShardEach
            extends ShardingMessageExtractor<ShardingEnvelope<AdapterEntity.Command>, AdapterEntity.Command> {
        @Override
        public String entityId(ShardingEnvelope<AdapterEntity.Command> envelope) {
            return envelope.entityId();
        }

        @Override
        public String shardId(String adapter) {
            return adapter;
        }

        @Override
        public AdapterEntity.Command unwrapMessage(ShardingEnvelope<AdapterEntity.Command> envelope) {
            return envelope.message();
        }
    }

    /**
     * Places an adapter at the node with the fewest; if it is placed already, it stays.
     *
     * @return a stage with its place, when its program has started
     */
    public CompletionStage<PlacedAdapter> place(String adapter) {
        return place(adapter, Optional.empty());
    }

    /**
     * Places an adapter at that node. Fails with {@code ELSEWHERE} if it is placed at another one, which {@link #move} changes.
     *
     * @param node address of the node's actor system
     */
    public CompletionStage<PlacedAdapter> place(String adapter, Address node) {
        return unfit(node).orElseGet(() -> place(adapter, Optional.of(node)));
    }

    private CompletionStage<PlacedAdapter> place(String adapter, Optional<Address> node) {
        return table.read(adapter)
                .thenCompose(entry -> {
                    boolean placed = PlacementRules.nowhere(Map.of(adapter, entry), nodes.uids(), 1)
                                    .isEmpty()
                            && entry.isWanted();
                    if (placed || entry.isWanted() && node.isEmpty()) {
                        return CompletableFuture.<Void>completedStage(null);
                    }
                    if (!entry.isWanted() && table.known().size() >= MAX_ADAPTERS) {
                        return CompletableFuture.<Void>failedStage(new PlacementException(
                                PlacementException.Reason.TOO_MANY,
                                MAX_ADAPTERS + " adapters are placed; no more are allowed"));
                    }
                    return table.wish(adapter, new PlacementEntry.Wish(node));
                })
                .thenCompose(wanted -> find(adapter, deadline()))
                .exceptionallyCompose(failure -> forgetIfItFailed(adapter, failure))
                .thenApply(found -> {
                    if (node.isPresent() && !found.node().equals(node.get())) {
                        throw new PlacementException(
                                PlacementException.Reason.ELSEWHERE,
                                "adapter " + adapter + " is at " + found.node() + "; move() moves it to " + node.get());
                    }
                    return found;
                });
    }

    /** A caller that gets the failure need not have the adapter tried again. */
    private CompletionStage<PlacedAdapter> forgetIfItFailed(String adapter, Throwable failure) {
        Throwable reason = AdapterEntity.unwrap(failure);
        boolean failed = reason instanceof PlacementException refused
                && refused.reason() == PlacementException.Reason.PROGRAM_FAILED;
        return failed
                ? table.left(adapter, Optional.empty()).thenCompose(forgotten -> CompletableFuture.failedStage(reason))
                : CompletableFuture.failedStage(reason);
    }

    // rule placement-move
    /**
     * Drains an adapter, removes it from its node and plugs it in at another one, where its program starts again. Fails with {@code
     * QUEUE_PAIRS} or {@code PROGRAM_RUNS} if it is not drained in time; then it stays where it is, and its program is not asked to end a
     * second time: another call waits again. If the node leaves meanwhile, the adapter is placed at another one.
     */
    public CompletionStage<PlacedAdapter> move(String adapter, Address node) {
        return unfit(node).orElseGet(() -> {
            long deadline = deadline() + settings.drainTime().toNanos();
            return leave(adapter, Optional.of(node), deadline).thenCompose(left -> find(adapter, deadline));
        });
    }

    /**
     * Drains an adapter and removes it from its node; nothing places it again but {@link #place}. Fails as {@link #move} does.
     */
    public CompletionStage<Void> drain(String adapter) {
        return leave(
                adapter, Optional.empty(), deadline() + settings.drainTime().toNanos());
    }

    /**
     * Drains the adapters of this node and gives them to the others, as the actor system does when it ends, which waits only 10 s for it
     * ({@code pekko.coordinated-shutdown.phases.cluster-sharding-shutdown-region.timeout}). An adapter that is not drained in time ends
     * all the same, as by a loss of power. Afterwards this placement is at its end: close the network, and terminate the actor system.
     *
     * @return a stage that is true if all adapters have left in time
     */
    public CompletionStage<Boolean> leave() {
        return Patterns.gracefulStop(
                        org.apache.pekko.cluster.sharding.ClusterSharding.get(Adapter.toClassic(system))
                                .shardRegion(TYPE),
                        settings.drainTime().multipliedBy(2).plus(MARGIN),
                        ShardRegion.gracefulShutdownInstance())
                .whenComplete((left, late) -> watch.tell(PlacementWatch.Note.STOP));
    }

    /** Returns the adapters that are placed, by name, as this node knew them half a second ago. */
    public SortedMap<String, PlacedAdapter> adapters() {
        TreeMap<String, PlacedAdapter> all = new TreeMap<>();
        table.known()
                .forEach((name, entry) -> entry.place()
                        .filter(place -> nodes.uids().contains(place.uid()))
                        .ifPresent(place -> all.put(name, new PlacedAdapter(name, place.node(), place.gid()))));
        return Collections.unmodifiableSortedMap(all);
    }

    private Optional<CompletionStage<PlacedAdapter>> unfit(Address node) {
        return nodes.fit().contains(node)
                ? Optional.empty()
                : Optional.of(CompletableFuture.failedStage(new PlacementException(
                        PlacementException.Reason.NO_SUCH_NODE,
                        node + " takes no adapters; those that are up and do are " + nodes.fit())));
    }

    private long deadline() {
        return System.nanoTime() + settings.placeTime().toNanos();
    }

    private void ask(String adapter) {
        region.tell(new ShardingEnvelope<>(adapter, new PlacementMessage.Locate(system.ignoreRef())));
    }

    private CompletionStage<PlacementMessage.Answer> ask(
            String adapter,
            Function<ActorRef<PlacementMessage.Answer>, AdapterEntity.Command> question,
            Duration longest) {
        return AskPattern.ask(
                        region,
                        (ActorRef<PlacementMessage.Answer> replyTo) ->
                                new ShardingEnvelope<>(adapter, question.apply(replyTo)),
                        longest,
                        system.scheduler())
                .exceptionally(
                        late -> new PlacementMessage.NotYet("no node has answered for " + longest.toSeconds() + " s"));
    }

    private CompletionStage<PlacedAdapter> find(String adapter, long deadline) {
        return ask(adapter, PlacementMessage.Locate::new, LONGEST_ANSWER).thenCompose(answer -> switch (answer) {
            case PlacementMessage.At(var node, var gid) ->
                CompletableFuture.completedStage(new PlacedAdapter(adapter, node, gid));
            case PlacementMessage.Refused refused -> failed(refused);
            case PlacementMessage.NotYet(var words) -> again(adapter, words, deadline, () -> find(adapter, deadline));
            case PlacementMessage.Left left ->
                again(adapter, "it is leaving its node", deadline, () -> find(adapter, deadline));
        });
    }

    private CompletionStage<Void> leave(String adapter, Optional<Address> to, long deadline) {
        Duration longest = settings.drainTime().plus(MARGIN);
        return ask(adapter, replyTo -> new PlacementMessage.Leave(to, replyTo), longest)
                .thenCompose(answer -> switch (answer) {
                    case PlacementMessage.Left left -> CompletableFuture.completedStage(null);
                    case PlacementMessage.At there -> CompletableFuture.completedStage(null);
                    case PlacementMessage.Refused refused -> failed(refused);
                    case PlacementMessage.NotYet(var words) ->
                        again(adapter, words, deadline, () -> leave(adapter, to, deadline));
                });
    }

    private static <T> CompletionStage<T> failed(PlacementMessage.Refused refused) {
        return CompletableFuture.failedStage(new PlacementException(refused.reason(), refused.words()));
    }

    private <T> CompletionStage<T> again(
            String adapter, String words, long deadline, Callable<CompletionStage<T>> question) {
        if (System.nanoTime() - deadline >= 0) {
            return CompletableFuture.failedStage(new PlacementException(
                    PlacementException.Reason.NOT_IN_TIME, "adapter " + adapter + " is not placed in time: " + words));
        }
        return Patterns.after(PAUSE, Adapter.toClassic(system), question);
    }
}
