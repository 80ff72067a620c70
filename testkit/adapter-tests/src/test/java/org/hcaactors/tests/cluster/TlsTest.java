// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.event.Logging;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose Artery has TLS, with certificates that the test makes. */
@Tag("judge")
class TlsTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Node client;
    private Node server;

    @BeforeEach
    void start() {
        Config tls = new Authority(folder, "ours").tls();
        client = Node.first("client", tls);
        server = client.join("server", tls);
        MemoryServer.serve(server.host);
        client.awaitAdapters("server");
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void roundTrip() {
        MemoryClient memory =
                MemoryClient.connect(client.host, InetSocketAddress.createUnresolved("server", MemoryServer.SERVICE));
        memory.roundTrip(1 << 16, 1);
    }

    @Test
    void dataTravelBetweenNodesOfOneAuthority() {
        roundTrip();
        assertThat(client.counted("tx_packets")).isPositive();
    }

    @Test
    void aNodeWithACertificateOfAnotherAuthorityDoesNotGetIn() {
        outsider(new Authority(folder, "theirs").tls(), "unable to find valid certification path");
        roundTrip();
    }

    @Test
    void aNodeWithoutTlsDoesNotGetIn() {
        outsider(ConfigFactory.empty(), "Couldn't join seed nodes");
        roundTrip();
    }

    /** Asks the first node to let another one in, until Pekko has warned with these words. */
    private void outsider(Config config, String words) {
        List<String> warnings = new CopyOnWriteArrayList<>();
        ActorSystem<Void> system = Node.system(0, config);
        try {
            ActorRef<Logging.Warning> listener = system.systemActorOf(
                    Behaviors.receive(Logging.Warning.class)
                            .onMessage(Logging.Warning.class, warning -> {
                                warnings.add(String.valueOf(warning.message()));
                                return Behaviors.same();
                            })
                            .build(),
                    "warnings",
                    Props.empty());
            system.classicSystem().eventStream().subscribe(Adapter.toClassic(listener), Logging.Warning.class);
            Cluster cluster = Cluster.get(system);
            Node.ask(cluster, client.seed());
            await().atMost(LONGEST).until(() -> warnings.stream().anyMatch(warning -> warning.contains(words)));
            assertThat(cluster.selfMember().status()).isNotEqualTo(MemberStatus.up());
            assertThat(Cluster.get(client.system).state().getMembers())
                    .extracting(Member::address)
                    .doesNotContain(cluster.selfMember().address())
                    .hasSize(2);
        } finally {
            Node.end(system);
        }
    }
}
