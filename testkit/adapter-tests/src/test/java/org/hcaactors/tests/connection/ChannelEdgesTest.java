// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Channels whose ends do what is rarely done: subscribe late, throw, or close with much under way. */
class ChannelEdgesTest {

    private final World world = World.of(7);
    private final List<MessageChannel> opened = new ArrayList<>();

    @AfterEach
    void close() {
        world.close();
    }

    /** Subscriber that records the signals; its hooks do what the tests need. */
    private static class Recording implements Flow.Subscriber<Message> {
        final List<String> signals = new ArrayList<>();

        Flow.Subscription subscription = new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        };

        @Override
        public void onSubscribe(Flow.Subscription its) {
            subscription = its;
            its.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Message message) {
            signals.add(text(message));
        }

        @Override
        public void onError(Throwable error) {
            signals.add("error");
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }
    }

    /** Connects; the server's channel is the only opened one. */
    private MessageChannel connected(EndpointDescription ofServer, EndpointDescription ofClient) {
        world.await(endpoint(world, "server", ofServer).listen(PORT, 4, opened::add));
        MessageChannel made = world.await(endpoint(world, "client", ofClient).connect(SERVER));
        world.runFor(Duration.ofMillis(1));
        return made;
    }

    private MessageChannel connected() {
        return connected(DEFAULT, DEFAULT);
    }

    @Test
    void aSubscriberThatComesAfterTheEndCompletes() {
        MessageChannel client = connected();
        world.await(client.send(bytes("hello")));
        world.await(client.closeAsync());
        world.await(opened.getFirst().ended());
        Recording late = new Recording();
        opened.getFirst().messages().subscribe(late);
        world.settle();

        assertThat(late.signals).containsExactly("hello", "complete");
    }

    @Test
    void aSubscriberThatThrowsEndsItsOwnStreamOnly() {
        List<String> arrived = new ArrayList<>();
        world.await(endpoint(world, "server").listen(PORT, 4, opened::add));
        Endpoint client = endpoint(world, "client");
        MessageChannel bad = world.await(client.connect(SERVER));
        MessageChannel good = world.await(client.connect(SERVER));
        world.runFor(Duration.ofMillis(1));
        opened.getFirst().messages().subscribe(new Recording() {
            @Override
            public void onNext(Message message) {
                throw new IllegalStateException("a defect of the program");
            }
        });
        opened.getLast().messages().subscribe(Subscribers.forEach(message -> arrived.add(text(message))));
        world.await(bad.send(bytes("trouble")));
        world.await(good.send(bytes("hello")));
        world.runFor(Duration.ofMillis(1));

        assertThat(arrived).containsExactly("hello");
    }

    @Test
    void aChannelEndsThoughItsSubscriberThrowsWhenItCompletes() {
        MessageChannel client = connected();
        client.messages().subscribe(new Recording() {
            @Override
            public void onComplete() {
                throw new IllegalStateException("a defect of the program");
            }
        });
        world.await(client.closeAsync());

        assertThat(world.await(client.ended()).cause()).isNotNull();
    }

    private static long notDone(List<CompletionStage<Void>> all) {
        return all.stream().filter(each -> !each.toCompletableFuture().isDone()).count();
    }

    @Test
    void everyMessageThatWaitsFailsWhenItsChannelCloses() {
        MessageChannel client = connected(DEFAULT, DEFAULT.withWindow(1));
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            sent.add(client.send(bytes("message")));
        }
        world.await(client.closeAsync());
        world.settle();

        assertThat(notDone(sent)).isZero();
    }

    @Test
    void everyMessageThatWaitsFailsWhenItsQueuePairIsGone() {
        MessageChannel client = connected(DEFAULT, DEFAULT.withWindow(1));
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            sent.add(client.send(bytes("message")));
        }
        client.qp().closeAsync();
        world.await(client.ended());
        world.settle();

        assertThat(notDone(sent)).isZero();
    }

    @Test
    void messagesThatWereAcknowledgedArriveBeforeTheEnd() {
        List<String> arrived = new ArrayList<>();
        world.await(endpoint(world, "server", DEFAULT.withReceives(2000)).listen(PORT, 4, channel -> {
            opened.add(channel);
            channel.messages().subscribe(Subscribers.forEach(message -> arrived.add(text(message))));
        }));
        MessageChannel client =
                world.await(endpoint(world, "client", DEFAULT.withSends(1000).withWindow(1000))
                        .connect(SERVER));
        List<CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            sent.add(client.send(bytes("message")));
        }
        sent.forEach(world::await);
        world.await(client.closeAsync());
        world.await(opened.getFirst().ended());
        world.runFor(Duration.ofMillis(1));

        assertThat(arrived).hasSize(1000);
    }

    @Test
    void onSubscribeComesBeforeAllOtherSignals() {
        MessageChannel client = connected();
        Recording reader = new Recording() {
            @Override
            public void onSubscribe(Flow.Subscription its) {
                world.await(client.closeAsync());
                world.settle();
                signals.add("subscribed");
            }

            @Override
            public void onComplete() {
                signals.add("complete");
            }
        };
        client.messages().subscribe(reader);
        world.runFor(Duration.ofMillis(1));

        assertThat(reader.signals).containsExactly("subscribed", "complete");
    }

    @Test
    void aRequestOfNothingAfterTheEndHasNoEffect() {
        MessageChannel client = connected();
        Recording reader = new Recording();
        client.messages().subscribe(reader);
        world.await(client.closeAsync());
        world.settle();
        reader.subscription.request(0);
        reader.subscription.request(-1);

        assertThat(reader.signals).containsExactly("complete");
    }

    @Test
    void aRequestOfNothingAfterCancellingHasNoEffect() {
        MessageChannel client = connected();
        Recording reader = new Recording();
        client.messages().subscribe(reader);
        reader.subscription.cancel();
        reader.subscription.request(0);

        assertThat(reader.signals).isEmpty();
    }

    @Test
    void aRequestOfNothingIsRefusedBetweenMessages() {
        MessageChannel client = connected();
        Recording reader = new Recording() {
            @Override
            public void onNext(Message message) {
                message.close();
                subscription.request(0);
                signals.add("next ends");
            }

            @Override
            public void onError(Throwable error) {
                signals.add("error");
            }
        };
        opened.getFirst().messages().subscribe(reader);
        world.await(client.send(bytes("hello")));
        world.runFor(Duration.ofMillis(1));

        assertThat(reader.signals).containsExactly("next ends", "error");
    }

    @Test
    void aWriteWithImmediateDataIsNoMessage() {
        MessageChannel client = connected();
        Recording reader = new Recording();
        opened.getFirst().messages().subscribe(reader);
        world.await(client.qp()
                .submit(RdmaWrite.of(0, List.of(), new RemoteAddress(0, 0)).withImmediate(7)));
        world.await(client.send(bytes("hello")));
        world.settle();

        assertThat(reader.signals).containsExactly("hello");
    }

    @Test
    void anEndpointWhoseMemoryDoesNotFitIsRefusedByItsStage() {
        var process = world.adapter("server").process("app");
        EndpointDescription huge =
                DEFAULT.withMaxMessageBytes(1 << 30).withReceives(1 << 15).withSends(1 << 15);

        assertThatCode(() -> assertThat(Endpoint.open(process, huge).toCompletableFuture())
                        .failsWithin(Duration.ZERO))
                .doesNotThrowAnyException();
        world.settle();
        assertThat(world.network().leaks().leaks()).isEmpty();
    }

    @Test
    void anEndpointIsClosedTwice() {
        Endpoint server = endpoint(world, "server");
        server.close();
        assertThatCode(server::close).doesNotThrowAnyException();
        world.await(server.closeAsync());
    }

    @Test
    void theKeepaliveTakesNoPlaceOfTheProgramsRequests() {
        world.await(endpoint(world, "server").listen(PORT, 4, opened::add));
        Endpoint client =
                endpoint(world, "client", DEFAULT.withWindow(1).withOneSided(1).withKeepalive(Duration.ofMillis(1)));
        MessageChannel channel = world.await(client.connect(SERVER));
        world.network().unplug(world.adapter("server"));
        world.runFor(Duration.ofMillis(400));

        assertThat(channel.qp()
                        .submit(RdmaWrite.of(0, List.of(), new RemoteAddress(0, 0)))
                        .toCompletableFuture())
                .isNotDone();
    }

    @Test
    void aChannelThatHasEndedLeavesNoTimer() {
        Endpoint server = endpoint(world, "server");
        world.await(server.listen(PORT, 4, opened::add));
        Endpoint client = endpoint(world, "client", DEFAULT.withKeepalive(Duration.ofHours(1)));
        MessageChannel channel = world.await(client.connect(SERVER));
        world.await(channel.closeAsync());

        assertThat(world.runToQuiet(Duration.ofMinutes(10))).isTrue();
    }
}
