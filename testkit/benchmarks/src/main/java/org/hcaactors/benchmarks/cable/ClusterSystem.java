// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.hcaactors.fabric.cluster.ClusterUplink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/** Actor systems of the two nodes, on the loopback interface. */
final class ClusterSystem {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final String CONFIG = """
            pekko {
              actor {
                provider = cluster
                serializers.bare = "org.hcaactors.benchmarks.cable.BareMessageSerializer"
                serialization-bindings { "org.hcaactors.benchmarks.cable.BareMessage" = bare }
              }
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              cluster.jmx.enabled = off
              scheduler.tick-duration = 1ms
              loglevel = ERROR
              log-dead-letters = off
            }
            """;

    private ClusterSystem() {}

    /** Starts an actor system. @param seed address of one to join; empty for a new cluster */
    static ActorSystem<Void> start(String seed) {
        ActorSystem<Void> system = ActorSystem.create(
                Behaviors.empty(), "bench", ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load()));
        Cluster cluster = Cluster.get(system);
        String to = seed.isEmpty() ? address(system) : seed;
        cluster.manager().tell(new JoinSeedNodes(List.of(AddressFromURIString.parse(to))));
        return system;
    }

    static String address(ActorSystem<?> system) {
        return Cluster.get(system).selfMember().address().toString();
    }

    static RdmaNetwork network(ActorSystem<?> system) {
        return RdmaNetwork.on(system, Environment.production().withUplink(ClusterUplink.of(system)));
    }

    /** Waits until the network knows an adapter of the other node. */
    static void awaitAdapter(RdmaNetwork network, String name) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (network.locate(name).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no node has an adapter " + name);
            }
            Thread.sleep(PAUSE);
        }
    }
}
