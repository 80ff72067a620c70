// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.micrometer.AdapterMeters;
import org.hcaactors.api.micrometer.CableMeters;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cluster.ClusterCounter;
import org.hcaactors.fabric.cluster.ClusterUplink;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client and a server on nodes of a cluster, here in one JVM. */
class ClusterNodesTest {
    private static final int SERVICE = 7174;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    static final Config CONFIG = ConfigFactory.parseString("""
            pekko {
              actor.provider = cluster
              remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
              cluster.downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
              scheduler.tick-duration = 1ms
              loglevel = ERROR
            }
            """).withFallback(ConfigFactory.load());

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ActorSystem<Void> first = ActorSystem.create(Behaviors.empty(), "fabric", CONFIG);
    private final ActorSystem<Void> second = ActorSystem.create(Behaviors.empty(), "fabric", CONFIG);

    @AfterEach
    void terminate() {
        first.terminate();
        second.terminate();
    }

    private void join(ActorSystem<Void> system) {
        Cluster cluster = Cluster.get(system);
        cluster.manager().tell(Join.create(Cluster.get(first).selfMember().address()));
        await().atMost(LONGEST).until(() -> cluster.selfMember().status() == MemberStatus.up());
    }

    // docs begin
    static RdmaNetwork network(ActorSystem<?> system) {
        return RdmaNetwork.on(system, Environment.production().withUplink(ClusterUplink.of(system)));
    }

    // docs end

    private static void bind(ActorSystem<?> system, RdmaNetwork network, MeterRegistry registry) {
        // docs begin
        Tags node = Tags.of("node", system.address().hostPort());
        new CableMeters<>(network, RdmaNetwork::cableCounters, ClusterCounter.meanings(), node).bindTo(registry);
        network.adapters().forEach(adapter -> new AdapterMeters(adapter, node).bindTo(registry));
        // docs end
    }

    private static CompletionStage<Connection> serve(RdmaNetwork network, HostMemory[] memory) {
        // docs begin
        Adapter adapter = network.addAdapter("server", Profile.CONNECTX_5);
        HostProcess process = adapter.process("app");
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        HostMemory inbox = process.allocate(4096);
        MemoryRegion region = network.await(domain.register(inbox, Access.LOCAL_WRITE));
        ConnectionListener listener = network.await(context.listen(SERVICE, 4));
        CompletionStage<Connection> connected = listener.next()
                .thenCompose(request -> request.accept(ConnectionDescription.of(domain)
                        .withPrepared(qp -> qp.postReceive(Receive.of(1, region.slice(0, 64))))));
        // docs end
        memory[0] = inbox;
        return connected;
    }

    @Test
    void aMessageCrossesBetweenTwoNodes() {
        join(first);
        join(second);
        try (RdmaNetwork servers = network(second);
                RdmaNetwork network = network(first)) {
            HostMemory[] inbox = new HostMemory[1];
            CompletionStage<Connection> accepted = serve(servers, inbox);
            // docs begin
            Adapter adapter = network.addAdapter("client", Profile.CONNECTX_5);
            HostProcess process = adapter.process("app");
            DeviceContext context = process.open();
            ProtectionDomain domain = context.allocatePd();
            HostMemory outbox = process.allocate(4096);
            MemoryRegion region = network.await(domain.register(outbox, Access.LOCAL_WRITE));
            outbox.write(0, "over Artery".getBytes(StandardCharsets.UTF_8));
            await().atMost(LONGEST).until(() -> network.locate("server").isPresent());
            Connection connection = network.await(context.connect(
                    InetSocketAddress.createUnresolved("server", SERVICE), ConnectionDescription.of(domain)));
            network.await(connection.qp().submit(Send.of(1, region.slice(0, 11))));
            // docs end
            servers.await(accepted);
            bind(first, network, registry);
            bind(second, servers, registry);
            assertThat(registry.get("rdma.cable.tx_packets")
                            .tag("node", first.address().hostPort())
                            .functionCounter()
                            .count())
                    .isPositive();
            assertThat(registry.find("rdma.cable.tx_packets").meters()).hasSize(2);
            assertThat(new String(inbox[0].read(0, 11), StandardCharsets.UTF_8)).isEqualTo("over Artery");
        }
    }
}
