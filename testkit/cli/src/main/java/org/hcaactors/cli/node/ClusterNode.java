// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.apache.pekko.cluster.typed.SelfRemoved;
import org.apache.pekko.cluster.typed.SelfUp;
import org.apache.pekko.cluster.typed.Subscribe;
import org.apache.pekko.remote.RemoteTransportException;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.cluster.ClusterUplink;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/**
 * A member of a cluster: an actor system with a network and one adapter. Any thread.
 *
 * @param removed completes if the cluster removes the node before it is closed
 */
public record ClusterNode(
        ActorSystem<Void> system,
        ClusterUplink uplink,
        RdmaNetwork network,
        Adapter adapter,
        CompletableFuture<Void> removed)
        implements AutoCloseable {
    private static final String SYSTEM = "hca";
    private static final Duration LONGEST_JOIN = Duration.ofSeconds(60);
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    /**
     * A node that is not yet started.
     *
     * @param name of its adapter; empty: {@code node-} and the port
     * @param trace receives the events of its network
     */
    public record Start(Config config, Entrance entrance, Optional<String> name, Profile profile, TraceSink trace) {
        /**
         * Starts the node and waits until it is a member.
         *
         * @param events gets what happens in the cluster, one call at a time
         * @throws NodeException if its port is in use, no node lets it in, or the configuration cannot be used
         */
        public ClusterNode node(Consumer<NodeEvent> events) throws NodeException, InterruptedException {
            ActorSystem<Void> system = system(config);
            try {
                Membership membership = Membership.of(system);
                enter(system, entrance);
                membership.await();
                return on(system, membership, events);
            } catch (NodeException | InterruptedException | RuntimeException failed) {
                system.terminate();
                throw failed;
            }
        }

        private ClusterNode on(ActorSystem<Void> system, Membership membership, Consumer<NodeEvent> events)
                throws NodeException {
            ClusterUplink uplink = ClusterUplink.of(system);
            RdmaNetwork network = RdmaNetwork.on(
                    system, Environment.production().withUplink(uplink).withTrace(trace));
            system.systemActorOf(NodeWatch.create(uplink::adapters, events), "node-watch", Props.empty());
            try {
                Adapter adapter = network.addAdapter(name.orElseGet(() -> "node-" + port(system)), profile);
                return new ClusterNode(system, uplink, network, adapter, membership.removed);
            } catch (IllegalArgumentException refused) {
                throw new NodeException(String.valueOf(refused.getMessage()));
            }
        }
    }

    private static ActorSystem<Void> system(Config config) throws NodeException {
        try {
            return ActorSystem.create(Behaviors.empty(), SYSTEM, config);
        } catch (RemoteTransportException | ConfigException refused) {
            throw new NodeException(String.valueOf(refused.getMessage()));
        }
    }

    /** State of this node in the cluster, as the cluster tells it. */
    private record Membership(CompletableFuture<Void> up, CompletableFuture<Void> removed) {
        static Membership of(ActorSystem<?> system) {
            Membership made = new Membership(new CompletableFuture<>(), new CompletableFuture<>());
            system.systemActorOf(made.behavior(), "node-membership", Props.empty());
            return made;
        }

        private Behavior<Object> behavior() {
            return Behaviors.setup(context -> {
                Cluster cluster = Cluster.get(context.getSystem());
                cluster.subscriptions().tell(Subscribe.create(context.getSelf().narrow(), SelfUp.class));
                cluster.subscriptions().tell(Subscribe.create(context.getSelf().narrow(), SelfRemoved.class));
                return Behaviors.receive(Object.class)
                        .onMessage(SelfUp.class, event -> {
                            up.complete(null);
                            return Behaviors.same();
                        })
                        .onMessage(SelfRemoved.class, event -> {
                            removed.complete(null);
                            return Behaviors.same();
                        })
                        .build();
            });
        }

        void await() throws NodeException, InterruptedException {
            try {
                up.get(LONGEST_JOIN.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException late) {
                throw new NodeException("no node of the cluster let it in for " + LONGEST_JOIN.toSeconds() + " s");
            }
        }
    }

    private static void enter(ActorSystem<?> system, Entrance entrance) {
        Cluster cluster = Cluster.get(system);
        switch (entrance) {
            case Entrance.First first ->
                join(cluster, List.of(cluster.selfMember().address()));
            case Entrance.Configured configured -> {}
            case Entrance.Join(var nodes) -> {
                String protocol = cluster.selfMember().address().protocol();
                join(
                        cluster,
                        nodes.stream()
                                .map(node -> Address.apply(protocol, SYSTEM, node.uriHost(), node.port()))
                                .toList());
            }
        }
    }

    private static void join(Cluster cluster, List<Address> nodes) {
        cluster.manager().tell(new JoinSeedNodes(nodes));
    }

    private static int port(ActorSystem<?> system) {
        return system.address().getPort().orElseThrow();
    }

    /** Returns host and port, with which others join. */
    public String address() {
        return NodeWatch.text(system.address());
    }

    /** Returns the counters of the packets between the nodes. */
    public SortedMap<String, Long> counters() {
        return uplink.counters();
    }

    /** Leaves the cluster in order. */
    @Override
    public void close() {
        network.close();
        system.terminate();
        try {
            system.getWhenTerminated().toCompletableFuture().get(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException late) {
            // The process ends anyway.
        }
    }
}
