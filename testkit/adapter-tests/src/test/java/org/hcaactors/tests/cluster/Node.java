// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.awaitility.core.ConditionTimeoutException;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.cluster.ClusterUplink;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.tests.cable.Host;

/** A node of a cluster on the loopback interface: an actor system with a network, and an adapter of the node's name. */
public final class Node implements AutoCloseable {
    private static final Duration LONGEST_JOIN = Duration.ofSeconds(30);

    /** A node leaves its cluster in phases, of which Pekko lets each take 5 or 10 seconds. */
    private static final Duration LONGEST_END = Duration.ofSeconds(90);

    final ActorSystem<Void> system;
    public final Host host;

    private Node(ActorSystem<Void> system, String name, TraceSink trace) {
        this.system = system;
        RdmaNetwork network = RdmaNetwork.on(
                system,
                Environment.production().withUplink(ClusterUplink.of(system)).withTrace(trace));
        host = new Host(network, name, Profile.CONNECTX_5);
    }

    /** Starts the first node. */
    public static Node first(String name) {
        return first(name, ConfigFactory.empty());
    }

    /** Starts the first node, with more configuration. */
    static Node first(String name, Config more) {
        return first(name, more, TraceSink.NONE);
    }

    /** Starts the first node, and records what happens there. */
    static Node first(String name, TraceSink trace) {
        return first(name, ConfigFactory.empty(), trace);
    }

    public static Node first(String name, Config more, TraceSink trace) {
        return start(system(0, more), name, "", trace);
    }

    /** Starts a node that joins the cluster of this one. */
    public Node join(String name) {
        return join(name, ConfigFactory.empty());
    }

    Node join(String name, Config more) {
        return join(name, more, TraceSink.NONE);
    }

    Node join(String name, TraceSink trace) {
        return join(name, ConfigFactory.empty(), trace);
    }

    public Node join(String name, Config more, TraceSink trace) {
        return start(system(0, more), name, seed(), trace);
    }

    /** Returns the address of the node's actor system. */
    public String seed() {
        return Cluster.get(system).selfMember().address().toString();
    }

    /**
     * Starts a node.
     *
     * @param port 0 for any
     * @param seed address of a node to join; empty for a new cluster
     */
    public static Node start(String name, int port, String seed) {
        return start(name, port, seed, ConfigFactory.empty());
    }

    static Node start(String name, int port, String seed, Config more) {
        return start(system(port, more), name, seed, TraceSink.NONE);
    }

    private static Node start(ActorSystem<Void> system, String name, String seed, TraceSink trace) {
        Cluster cluster = Cluster.get(system);
        ask(cluster, seed.isEmpty() ? cluster.selfMember().address().toString() : seed);
        try {
            await().atMost(LONGEST_JOIN).until(() -> cluster.selfMember().status() == MemberStatus.up());
        } catch (ConditionTimeoutException late) {
            // Else its threads keep a process alive, for whose word a test waits.
            end(system);
            throw late;
        }
        return new Node(system, name, trace);
    }

    /** Starts an actor system that is no member yet. */
    static ActorSystem<Void> system(int port, Config more) {
        return ActorSystem.create(Behaviors.empty(), "fabric", more.withFallback(config(port)));
    }

    /** Asks a node to let the actor system in, again and again. */
    static void ask(Cluster cluster, String seed) {
        cluster.manager().tell(new JoinSeedNodes(List.of(AddressFromURIString.parse(seed))));
    }

    private static Config config(int port) {
        return ConfigFactory.parseString("""
                pekko {
                  actor.provider = cluster
                  remote.artery.canonical { hostname = "127.0.0.1", port = %d }
                  scheduler.tick-duration = 1ms
                  loglevel = WARNING
                  log-dead-letters = off
                  cluster {
                    jmx.enabled = off
                    downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
                    distributed-data { gossip-interval = 200ms, notify-subscribers-interval = 50ms }
                  }
                }
                """.formatted(port)).withFallback(ConfigFactory.load());
    }

    /** Waits until this node knows where those adapters are. */
    public void awaitAdapters(String... names) {
        for (String name : names) {
            await().atMost(LONGEST_JOIN)
                    .pollInterval(10, TimeUnit.MILLISECONDS)
                    .until(() -> host.network.locate(name).isPresent());
        }
    }

    long counted(String counter) {
        return host.network.cableCounters().getOrDefault(counter, -1L);
    }

    @Override
    public void close() {
        host.close();
        end(system);
    }

    /**
     * Ends an actor system, and waits for the phases of its shutdown. Pekko limits each of them, but not the end of the system: version 1.7.0 waits
     * without limit for the streams to other nodes, and with TLS a stream that had failed may never end (pull request 3317 of Pekko).
     */
    static void end(ActorSystem<Void> system) {
        CompletableFuture<Done> phases = CoordinatedShutdown.get(system)
                .runAll(CoordinatedShutdown.actorSystemTerminateReason())
                .toCompletableFuture();
        await().atMost(LONGEST_END).until(phases::isDone);
    }
}
