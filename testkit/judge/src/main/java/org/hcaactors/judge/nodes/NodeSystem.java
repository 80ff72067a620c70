// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.apache.pekko.remote.RemoteTransportException;
import org.hcaactors.lab.nodes.HostPort;

/** A clustered actor system of a sweep; the cluster ends with the node that hands out the seeds. */
record NodeSystem(ActorSystem<Void> system) implements AutoCloseable {
    private static final String NAME = "hca-sweep";
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    /** Roles of nodes. */
    enum Role {
        COORDINATOR,
        WORKER
    }

    /**
     * Starts an actor system that is in no cluster yet.
     *
     * @param silence how long another node may be silent before it is taken for dead
     * @throws SweepRefusedException if the address cannot be bound
     */
    static NodeSystem start(HostPort address, Role role, Duration silence) throws SweepRefusedException {
        try {
            return new NodeSystem(ActorSystem.create(Behaviors.empty(), NAME, config(address, role, silence)));
        } catch (RemoteTransportException refused) {
            throw new SweepRefusedException(
                    SweepRefusedException.Reason.ADDRESS, address + " cannot be used: " + refused.getMessage());
        }
    }

    private static Config config(HostPort address, Role role, Duration silence) {
        // After a signal, the begun seeds must come to the coordinator; a worker may leave the cluster at once.
        Config shutdown = role == Role.COORDINATOR
                ? ConfigFactory.parseMap(Map.of(
                        "pekko.jvm-shutdown-hooks",
                        false,
                        "pekko.coordinated-shutdown.run-by-jvm-shutdown-hook",
                        false))
                : ConfigFactory.empty();
        return ConfigFactory.parseMap(Map.of(
                        "pekko.remote.artery.canonical.hostname", address.host(),
                        "pekko.remote.artery.canonical.port", address.port(),
                        "pekko.cluster.roles", List.of(role.name()),
                        "pekko.cluster.failure-detector.acceptable-heartbeat-pause", silence,
                        "pekko.cluster.split-brain-resolver.keep-majority.role", Role.COORDINATOR.name()))
                .withFallback(shutdown)
                .withFallback(ConfigFactory.parseResources(NodeSystem.class, "nodes.conf"))
                .withFallback(ConfigFactory.load());
    }

    /** Returns the address of this node. */
    HostPort address() {
        Address address = system.address();
        return new HostPort(address.getHost().orElseThrow(), address.getPort().orElseThrow());
    }

    /** Joins the cluster of the node at that address, which may be this one. Pekko tries again until it is there. */
    void join(HostPort node) {
        Cluster cluster = Cluster.get(system);
        String protocol = cluster.selfMember().address().protocol();
        cluster.manager().tell(new JoinSeedNodes(List.of(Address.apply(protocol, NAME, node.host(), node.port()))));
    }

    @Override
    public void close() {
        system.terminate();
        try {
            system.getWhenTerminated().toCompletableFuture().get(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException late) {
            // Its threads are daemons.
        }
    }
}
