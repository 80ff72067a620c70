// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.client;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.ChannelEndedException;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.client.service.RequestToken;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServicesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final World world = World.of(7);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void messagesArriveInOrder() {
        List<String> arrived = new ArrayList<>();
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(
                PORT,
                4,
                channel -> channel.messages().subscribe(Subscribers.forEach(message -> {
                    arrived.add(text(message.content()));
                    message.close();
                }))));
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));

        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            sent.add(channel.send(bytes("message " + i)));
        }
        sent.forEach(world::await);
        world.settle();

        assertThat(arrived).hasSize(500).startsWith("message 0").endsWith("message 499");
    }

    @Test
    void aPeerWaitsUntilMessagesAreClosed() {
        List<Message> held = new ArrayList<>();
        Endpoint server = endpoint(world, "server", DEFAULT.withReceives(4));
        world.await(server.listen(PORT, 4, channel -> channel.messages().subscribe(Subscribers.forEach(held::add))));
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));

        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(channel.send(bytes("message " + i)));
        }
        world.runFor(Duration.ofMillis(50));
        assertThat(held).hasSize(4);
        List.copyOf(held).forEach(Message::close);
        sent.forEach(world::await);
        assertThatThrownBy(() -> held.getFirst().content()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void sizesThatDoNotFitAreRefusedInWords() {
        assertThatThrownBy(() -> endpoint(world, "server", DEFAULT.withWindow(100)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("a window of 100 messages needs as many send buffers; there are 64");
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(PORT, 4, channel -> {}));
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
        assertThatThrownBy(() -> world.await(channel.send(ByteBuffer.allocate(5000))))
                .hasMessageContaining("the message has 5000 bytes; at most 4096 are allowed");
    }

    @Test
    void closingAChannelCompletesItsMessages() {
        List<String> ends = new ArrayList<>();
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(
                PORT,
                4,
                channel ->
                        channel.ended().thenAccept(end -> ends.add(end.cause().name()))));
        MessageChannel channel = world.await(endpoint(world, "client").connect(SERVER));
        world.await(channel.closeAsync());
        world.runFor(Duration.ofMillis(1));

        assertThat(ends).containsExactly(ConnectionEnd.Cause.CLOSED_BY_PEER.name());
        assertThatThrownBy(() -> world.await(channel.send(bytes("late")))).isInstanceOf(ChannelEndedException.class);
    }

    @Test
    void aSilentPeerIsNoticedByTheKeepalive() {
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(PORT, 4, channel -> {}));
        Endpoint client = endpoint(world, "client", DEFAULT.withKeepalive(Duration.ofMillis(100)));
        MessageChannel channel = world.await(client.connect(SERVER));
        world.network().unplug(world.adapter("server"));

        assertThat(world.await(channel.ended(), Duration.ofSeconds(5)).cause())
                .isEqualTo(ConnectionEnd.Cause.CLOSED_HERE);
    }

    @Test
    void aRequestGetsItsReply() {
        world.await(RequestServer.open(endpoint(world, "server"), PORT, 4, new ReplyCache(10), ServiceSetup::echo));
        RequestClient client = client(endpoint(world, "client"));

        assertThat(text(world.await(client.request(bytes("hello"), DEADLINE)))).isEqualTo("hello");
    }

    @Test
    void aFailureOfTheServerIsToldInItsWords() {
        world.await(RequestServer.open(endpoint(world, "server"), PORT, 4, new ReplyCache(10), request -> {
            throw new IllegalArgumentException("no such key");
        }));
        RequestClient client = client(endpoint(world, "client"));

        assertThatThrownBy(() -> world.await(client.request(bytes("get x"), DEADLINE)))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.fate()).isEqualTo(RequestException.Fate.FAILED))
                .hasMessage("EIO: the server failed: no such key");
    }

    @Test
    void aRequestWithoutAServerEndsAtItsDeadline() {
        world.adapter("server");
        RequestClient client = client(endpoint(world, "client"));

        assertThatThrownBy(() -> world.await(client.request(bytes("hello"), Duration.ofSeconds(2))))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.fate()).isEqualTo(RequestException.Fate.NOT_SENT));
    }

    @Test
    void aServerThatClosesAnswersWhatHasArrived() {
        CompletableFuture<ByteBuffer> slow = new CompletableFuture<>();
        RequestServer server = world.await(
                RequestServer.open(endpoint(world, "server"), PORT, 4, new ReplyCache(10), request -> slow));
        CompletionStage<ByteBuffer> reply = client(endpoint(world, "client")).request(bytes("x"), DEADLINE);
        world.runFor(Duration.ofMillis(10));
        CompletionStage<Void> closed = server.closeAsync();
        world.runFor(Duration.ofMillis(10));
        assertThat(closed.toCompletableFuture()).isNotDone();
        slow.complete(bytes("late"));

        world.await(closed);
        assertThat(text(world.await(reply))).isEqualTo("late");
    }

    /** State of a service that survives its process. */
    private static final class Store {
        private final ReplyCache replies = new ReplyCache(100_000);
        private final Map<RequestToken, Integer> applied = new HashMap<>();

        CompletionStage<ByteBuffer> apply(Request request) {
            applied.merge(request.token(), 1, Integer::sum);
            return CompletableFuture.completedStage(request.body());
        }
    }

    @Test
    void requestsSurviveTheDeathOfTheirServer() {
        Store store = new Store();
        serve(store);
        List<CompletionStage<ByteBuffer>> replies = new ArrayList<>();
        List<RequestClient> clients = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            clients.add(client(endpoint(world, "client" + i)));
        }
        for (int round = 0; round < 25; round++) {
            for (RequestClient each : clients) {
                for (int i = 0; i < 25; i++) {
                    replies.add(each.request(bytes(round + "." + i), DEADLINE));
                }
            }
            world.runFor(Duration.ofNanos(37_000));
            if (round % 5 == 4) {
                world.await(world.adapter("server").process("app").kill());
                world.runFor(Duration.ofMillis(5));
                serve(store);
            }
        }

        replies.forEach(
                each -> assertThat(world.await(each, DEADLINE).hasRemaining()).isTrue());
        assertThat(replies).hasSize(10_000);
        assertThat(store.applied).hasSize(10_000);
        assertThat(store.applied.values()).allMatch(times -> times == 1);
    }

    private void serve(Store store) {
        world.await(RequestServer.open(endpoint(world, "server"), PORT, 16, store.replies, store::apply));
    }
}
