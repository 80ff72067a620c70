// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.client.service.EndpointDescription.DEFAULT;
import static org.hcaactors.tests.connection.ServiceSetup.PORT;
import static org.hcaactors.tests.connection.ServiceSetup.SERVER;
import static org.hcaactors.tests.connection.ServiceSetup.bytes;
import static org.hcaactors.tests.connection.ServiceSetup.endpoint;
import static org.hcaactors.tests.connection.ServiceSetup.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;

/** A peer that closes a channel after its sends have completed: its messages arrive before the stream completes. */
class LastMessagesTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final CompletableFuture<Void> sent = new CompletableFuture<>();

    private void sendAndClose(MessageChannel channel) {
        channel.messages().subscribe(Subscribers.forEach(Message::close));
        channel.send(bytes("1"));
        channel.send(bytes("2"));
        channel.send(bytes("3")).thenRun(() -> sent.complete(null)).thenCompose(done -> channel.closeAsync());
    }

    /** Reader of all messages, which may answer each. */
    private record Reader(MessageChannel channel, boolean answers, List<String> read, CompletableFuture<Void> completed)
            implements Flow.Subscriber<Message> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Message message) {
            read.add(text(message));
            if (answers) {
                channel.send(bytes("answer"));
            }
        }

        @Override
        public void onError(Throwable failure) {
            completed.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            completed.complete(null);
        }
    }

    private void assertAllArrive(World world, boolean answers) {
        world.await(endpoint(world, "server", DEFAULT).listen(PORT, 4, this::sendAndClose));
        MessageChannel client = world.await(endpoint(world, "client", DEFAULT).connect(SERVER), LONG);
        Reader reader = new Reader(client, answers, new ArrayList<>(), new CompletableFuture<>());
        client.messages().subscribe(reader);
        world.await(reader.completed, LONG);
        world.await(sent, LONG);

        assertThat(reader.read).containsExactly("1", "2", "3");
    }

    @RdmaTest(seeds = 40)
    void messagesOfCompletedSendsArriveBeforeTheEnd(World world) {
        assertAllArrive(world, false);
    }

    @RdmaTest(seeds = 40)
    void theyArriveAlsoIfTheReaderAnswersThem(World world) {
        assertAllArrive(world, true);
    }

    @RdmaTest(seeds = 25, swarm = Swarm.WIRE)
    void theyArriveOnABadWire(World world) {
        assertAllArrive(world, true);
    }
}
