// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Channels on real threads. */
@Timeout(120)
class ChannelThreadsTest {

    private static Endpoint endpoint(RdmaNetwork network, String name, int window, int sends) {
        EndpointDescription description =
                EndpointDescription.DEFAULT.withWindow(window).withSends(sends).withMaxMessageBytes(64);
        return network.await(
                Endpoint.open(network.addAdapter(name, Profile.CONNECTX_5).process("app"), description));
    }

    private static int number(Message message) {
        try (message) {
            return message.content().getInt();
        }
    }

    private static ByteBuffer bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
    }

    private static void awaitAll(RdmaNetwork network, List<CompletionStage<Void>> all) {
        network.await(CompletableFuture.allOf(
                all.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new)));
    }

    @RepeatedTest(5)
    void messagesOfOneThreadArriveInOrder() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
            CompletableFuture<Void> ended = new CompletableFuture<>();
            network.await(endpoint(network, "server", 3, 3).listen(PORT, 4, channel -> {
                channel.messages().subscribe(Subscribers.forEach(message -> arrived.add(number(message))));
                channel.ended().thenRun(() -> ended.complete(null));
            }));
            MessageChannel client =
                    network.await(endpoint(network, "client", 3, 3).connect(SERVER));
            List<CompletionStage<Void>> sent = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                sent.add(client.send(bytes(i)));
            }
            awaitAll(network, sent);
            network.await(client.closeAsync());
            network.await(ended);
            network.await(network.after(Duration.ofMillis(100)));

            assertThat(new ArrayList<>(arrived))
                    .isEqualTo(IntStream.range(0, arrived.size()).boxed().toList());
            assertThat(arrived).hasSize(20_000);
        }
    }

    @RepeatedTest(8)
    void aGreetingArrivesThoughItsSenderCloses() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            network.await(endpoint(network, "server", 16, 16)
                    .listen(
                            PORT,
                            4,
                            channel -> channel.send(bytes(7)).whenComplete((done, failure) -> channel.closeAsync())));
            Endpoint client = endpoint(network, "client", 16, 16);
            for (int i = 0; i < 50; i++) {
                Queue<Integer> arrived = new ConcurrentLinkedQueue<>();
                MessageChannel channel = network.await(client.connect(SERVER));
                channel.messages().subscribe(Subscribers.forEach(message -> arrived.add(number(message))));
                network.await(channel.ended());
                network.await(network.after(Duration.ofMillis(1)));
                assertThat(arrived).containsExactly(7);
                network.await(channel.closeAsync());
            }
        }
    }
}
