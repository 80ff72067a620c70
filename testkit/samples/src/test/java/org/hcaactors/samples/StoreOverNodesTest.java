// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.hcaactors.api.device.Profile;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store in one JVM and its clients in another: the programs are those of {@link KeyValueStoreTest}. */
@Tag("judge")
class StoreOverNodesTest {
    static final EndpointDescription ENDPOINT =
            EndpointDescription.DEFAULT.withMaxMessageBytes(128).withReceives(64);

    private static final int CLIENTS = 4;
    private static final int LOCKED = 200;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final InetSocketAddress STORE = InetSocketAddress.createUnresolved("store", KeyValueStore.PORT);

    private final ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "fabric", ClusterNodesTest.CONFIG);
    private final String address = Cluster.get(system).selfMember().address().toString();
    private final RdmaNetwork network = ClusterNodesTest.network(system);
    private final List<StoreClient> clients = new ArrayList<>();
    private Process store;

    @BeforeEach
    void start() throws IOException {
        Cluster.get(system)
                .manager()
                .tell(Join.create(Cluster.get(system).selfMember().address()));
        store = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreNode.class.getName(),
                        address)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(store.inputReader().readLine()).isEqualTo(StoreNode.READY);
        await().atMost(LONGEST).until(() -> network.locate("store").isPresent());
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(network.await(
                    StoreClient.open(
                            network.addAdapter("client" + i, Profile.CONNECTX_5).process("app"), ENDPOINT, STORE),
                    LONGEST));
        }
    }

    @AfterEach
    void end() {
        store.destroyForcibly();
        network.close();
        system.terminate();
    }

    private static byte[] value(int number) {
        return Arrays.copyOf(("value " + number).getBytes(StandardCharsets.UTF_8), KeyValueStore.VALUE);
    }

    @Test
    void aStoreInAnotherJvmServesUntilItIsKilled() throws InterruptedException {
        for (int i = 0; i < CLIENTS; i++) {
            network.await(clients.get(i).put(i, value(i)), LONGEST);
            assertThat(network.await(clients.get(i).get(i), LONGEST)).isEqualTo(value(i));
        }
        List<CompletionStage<Boolean>> locks = IntStream.range(0, CLIENTS)
                .mapToObj(i -> clients.get(i).lock(LOCKED, i + 1))
                .toList();
        assertThat(locks.stream().filter(lock -> network.await(lock, LONGEST))).hasSize(1);

        List<CompletionStage<ByteBuffer>> puts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            clients.forEach(client -> puts.add(client.put(1, value(1))));
        }
        network.await(puts.getFirst(), LONGEST);
        store.destroyForcibly();
        assertThat(store.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await().atMost(LONGEST)
                .until(() ->
                        puts.stream().allMatch(put -> put.toCompletableFuture().isDone()));
        assertThat(puts).anyMatch(put -> put.toCompletableFuture().isCompletedExceptionally());
    }
}
