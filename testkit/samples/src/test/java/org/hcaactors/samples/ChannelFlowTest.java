// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.junit.RdmaTest;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.Sources;

/** A channel of messages as a flow of Pekko Streams: the back-pressure of either end reaches the other one over the wire. */
class ChannelFlowTest {
    private static final InetSocketAddress ECHO = InetSocketAddress.createUnresolved("echo", 7);
    private static final int COUNT = 200;

    // docs begin
    static Flow<ByteString, ByteString, NotUsed> flow(MessageChannel channel) {
        Sink<ByteString, NotUsed> sent = Flow.<ByteString>create()
                .mapAsync(16, message -> channel.send(message.asByteBuffer()).thenApply(done -> message))
                .to(Sink.ignore());
        return Flow.fromSinkAndSource(sent, Sources.of(channel.messages()).map(ChannelFlowTest::content));
    }

    private static ByteString content(Message message) {
        try (message) { // its receive buffer is free again
            return ByteString.fromByteBuffer(message.content());
        }
    }
    // docs end

    private static Endpoint endpoint(World world, String adapter) {
        return world.await(Endpoint.open(world.adapter(adapter).process("app"), EndpointDescription.DEFAULT));
    }

    private static String text(int number) {
        return "message " + number;
    }

    @RdmaTest(seeds = 20, swarm = Swarm.WIRE)
    void anEchoReturnsAllMessagesInOrder(World world) {
        world.await(endpoint(world, "echo")
                .listen(
                        ECHO.getPort(),
                        4,
                        channel -> flow(channel).join(Flow.create()).run(world.system())));
        MessageChannel channel = world.await(endpoint(world, "client").connect(ECHO), Duration.ofMinutes(5));

        CompletionStage<List<String>> returned = Source.range(1, COUNT)
                .map(number -> ByteString.fromString(text(number)))
                .concat(Source.maybe())
                .via(flow(channel))
                .take(COUNT)
                .map(ByteString::utf8String)
                .runWith(Sink.seq(), world.system());

        assertThat(world.await(returned, Duration.ofMinutes(5)))
                .isEqualTo(IntStream.rangeClosed(1, COUNT)
                        .mapToObj(ChannelFlowTest::text)
                        .toList());
    }

    @RdmaTest
    void theEndOfAChannelCompletesItsFlow(World world) {
        world.await(endpoint(world, "echo").listen(ECHO.getPort(), 4, MessageChannel::closeAsync));
        MessageChannel channel = world.await(endpoint(world, "client").connect(ECHO));
        ByteBuffer hello = ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8));

        assertThat(world.await(Source.<ByteString>maybe().via(flow(channel)).runWith(Sink.seq(), world.system())))
                .isEmpty();
        assertThat(channel.send(hello).toCompletableFuture()).isCompletedExceptionally();
    }
}
