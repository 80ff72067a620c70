// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.MessageChannel;
import org.hcaactors.lab.world.World;

/**
 * Channels between the processes {@code app} of a server and of a client, with messages of text. A request is a number; the server
 * answers it with as many messages.
 */
final class TextChannels {
    static final String SERVER = "server";

    /** Receive buffers of each end: few, so that a stream needs all of them again and again. */
    static final int RECEIVES = 8;

    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved(SERVER, 7);

    private TextChannels() {}

    static void listen(World world, Consumer<MessageChannel> opened) {
        world.await(endpoint(world, SERVER).listen(ADDRESS.getPort(), 4, opened));
    }

    static Endpoint client(World world) {
        return endpoint(world, "client");
    }

    static MessageChannel connected(World world, Endpoint client) {
        return world.await(client.connect(ADDRESS), Duration.ofMinutes(5));
    }

    private static Endpoint endpoint(World world, String adapter) {
        EndpointDescription description = EndpointDescription.DEFAULT.withReceives(RECEIVES);
        return world.await(Endpoint.open(world.adapter(adapter).process("app"), description));
    }

    /** Takes the text out of a message and closes it: its receive buffer is free again. */
    static String text(Message message) {
        try (message) {
            return StandardCharsets.UTF_8.decode(message.content()).toString();
        }
    }

    static ByteBuffer bytes(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    static Stream<String> answers(String request) {
        return IntStream.rangeClosed(1, Integer.parseInt(request)).mapToObj(number -> number + " of " + request);
    }

    static List<String> allAnswers(String... requests) {
        return Stream.of(requests).flatMap(TextChannels::answers).toList();
    }
}
