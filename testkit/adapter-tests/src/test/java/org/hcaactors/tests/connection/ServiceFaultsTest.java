// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.client.service.ReplyCache;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RequestException;
import org.hcaactors.client.service.RequestServer;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services whose programs, processes and peers end or fail. */
class ServiceFaultsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final World world = World.of(11);

    @AfterEach
    void close() {
        world.close();
    }

    private static ByteBuffer number(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, value);
    }

    private RequestServer echoing() {
        return world.await(RequestServer.open(
                endpoint(world, "server", "app"),
                PORT,
                8,
                new ReplyCache(100),
                request -> CompletableFuture.completedStage(request.body())));
    }

    private int echo(RequestClient client, int value) {
        return world.await(client.request(number(value), DEADLINE)).getInt();
    }

    private RequestClient client(String process) {
        return ServiceSetup.client(endpoint(world, "client", process));
    }

    @Test
    void processesOfOneAdapterGetTheirOwnReplies() {
        echoing();

        assertThat(echo(client("one"), 1)).isEqualTo(1);
        assertThat(echo(client("other"), 2)).isEqualTo(2);
        world.await(world.adapter("client").process("one").kill());
        assertThat(echo(client("one"), 3)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {21, 33, 49, 76, 1, 2, 3})
    void whatWasSentBeforeTheEndIsReceived(int seed) {
        List<Integer> received = new ArrayList<>();
        try (World other = World.of(seed)) {
            Endpoint server = endpoint(other, "server", "app");
            other.await(server.listen(PORT, 4, channel -> stream(channel, 0)));
            MessageChannel channel =
                    other.await(endpoint(other, "client", "app").connect(SERVER));
            channel.messages().subscribe(Subscribers.forEach(message -> {
                received.add(message.content().getInt());
                message.close();
            }));
            other.await(channel.ended());
            other.runFor(Duration.ofMillis(1));
        }
        assertThat(received).hasSize(20).isSorted();
    }

    private static void stream(MessageChannel channel, int next) {
        if (next == 20) {
            channel.closeAsync();
        } else {
            channel.send(number(next)).thenRun(() -> stream(channel, next + 1));
        }
    }

    @Test
    void aSubscriberAfterTheEndGetsWhatWaits() {
        Endpoint server = endpoint(world, "server", "app");
        world.await(server.listen(PORT, 4, channel -> stream(channel, 0)));
        MessageChannel channel = world.await(endpoint(world, "client", "app").connect(SERVER));
        world.await(channel.ended());
        List<Message> received = new ArrayList<>();
        channel.messages().subscribe(Subscribers.forEach(received::add));

        assertThat(received).hasSize(20);
    }

    @Test
    void aServerKeepsNothingOfClientsThatLeft() {
        Endpoint server = endpoint(world, "server", "app");
        world.await(server.listen(PORT, 4, channel -> {}));
        Endpoint client = endpoint(world, "client", "app");
        for (int i = 0; i < 20; i++) {
            world.await(world.await(client.connect(SERVER)).closeAsync());
        }
        world.runFor(Duration.ofMillis(1));

        assertThat(server.domain().context().openObjects().leaks())
                .noneMatch(leak -> leak.description().startsWith("connection"));
    }

    @Test
    void aSubscriberThatThrowsEndsItsChannelAlone() {
        Endpoint server = endpoint(world, "server", "app");
        List<MessageChannel> channels = new ArrayList<>();
        world.await(server.listen(PORT, 4, channels::add));
        Endpoint client = endpoint(world, "client", "app");
        MessageChannel bad = world.await(client.connect(SERVER));
        MessageChannel good = world.await(client.connect(SERVER));
        world.runFor(Duration.ofMillis(1));
        AtomicInteger received = new AtomicInteger();
        channels.getFirst().messages().subscribe(new Throwing());
        channels.getLast().messages().subscribe(Subscribers.forEach(message -> received.incrementAndGet()));
        bad.send(number(1));
        world.await(bad.ended());
        world.await(good.send(number(2)));
        world.runFor(Duration.ofMillis(1));

        assertThat(received).hasValue(1);
    }

    private static final class Throwing implements Flow.Subscriber<Message> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Message message) {
            throw new IllegalStateException("a bug of the program");
        }

        @Override
        public void onError(Throwable reason) {}

        @Override
        public void onComplete() {}
    }

    @Test
    void aPeerThatHoldsItsMessagesIsNotTakenForDead() {
        Endpoint server = endpoint(world, "server", "app");
        List<Message> held = new ArrayList<>();
        world.await(server.listen(PORT, 4, channel -> channel.messages().subscribe(Subscribers.forEach(held::add))));
        Endpoint client = world.await(Endpoint.open(
                world.adapter("client").process("app"),
                EndpointDescription.DEFAULT.withSends(512).withWindow(300).withKeepalive(Duration.ofMillis(20))));
        MessageChannel channel = world.await(client.connect(SERVER));
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(channel.send(number(i)));
        }
        world.runFor(Duration.ofSeconds(2));

        assertThat(held).hasSize(256);
        List.copyOf(held).forEach(Message::close);
        sent.forEach(world::await);
    }

    @Test
    void aHandlerWithoutAReplyFailsTheRequest() {
        RequestServer server = world.await(
                RequestServer.open(endpoint(world, "server", "app"), PORT, 8, new ReplyCache(100), request -> null));

        assertThatThrownBy(() -> echo(client("app"), 1))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.fate()).isEqualTo(RequestException.Fate.FAILED));
        world.await(server.closeAsync());
    }

    @Test
    void aRequestOfADeadServerIsExecutedByTheNext() {
        ReplyCache cache = new ReplyCache(100);
        world.await(RequestServer.open(
                endpoint(world, "server", "app"), PORT, 8, cache, request -> new CompletableFuture<>()));
        CompletionStage<ByteBuffer> reply = client("app").request(number(7), DEADLINE);
        world.runFor(Duration.ofMillis(10));
        world.await(world.adapter("server").process("app").kill());
        world.await(RequestServer.open(
                endpoint(world, "server", "app"),
                PORT,
                8,
                cache,
                request -> CompletableFuture.completedStage(request.body())));

        assertThat(world.await(reply, DEADLINE).getInt()).isEqualTo(7);
    }

    @Test
    void requestsOfAClosedEndpointEndAtOnce() {
        echoing();
        Endpoint endpoint = endpoint(world, "client", "app");
        RequestClient client = ServiceSetup.client(endpoint);
        assertThat(world.await(client.request(number(1), DEADLINE)).getInt()).isEqualTo(1);
        world.await(endpoint.closeAsync());

        assertThatThrownBy(() -> world.await(client.request(number(2), DEADLINE), Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        RequestException.class,
                        failed -> assertThat(failed.errno()).isEqualTo(Errno.ECANCELED));
        assertThatThrownBy(() -> world.await(client.request(number(3), Duration.ZERO)))
                .hasMessageContaining("has passed");
    }

    @Test
    void messagesKeepTheirOrderOnRealThreads() throws InterruptedException {
        List<Integer> received = new ArrayList<>();
        CompletableFuture<Void> all = new CompletableFuture<>();
        int count = 20_000;
        try (RdmaNetwork network = RdmaNetwork.start()) {
            EndpointDescription description = EndpointDescription.DEFAULT;
            Endpoint server = network.await(Endpoint.open(
                    network.addAdapter("server", Profile.CONNECTX_5).process("app"), description));
            network.await(server.listen(
                    PORT,
                    4,
                    channel -> channel.messages().subscribe(Subscribers.forEach(message -> {
                        received.add(message.content().getInt());
                        message.close();
                        if (received.size() == count) {
                            all.complete(null);
                        }
                    }))));
            Endpoint client = network.await(Endpoint.open(
                    network.addAdapter("client", Profile.CONNECTX_5).process("app"), description));
            MessageChannel channel = network.await(client.connect(SERVER));
            for (int i = 0; i < count; i++) {
                channel.send(number(i));
            }
            network.await(all, Duration.ofMinutes(1));
        }
        assertThat(received).isSorted();
    }
}
