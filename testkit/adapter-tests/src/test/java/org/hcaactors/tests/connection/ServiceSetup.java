// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.client.service.Endpoint;
import org.hcaactors.client.service.EndpointDescription;
import org.hcaactors.client.service.Message;
import org.hcaactors.client.service.Request;
import org.hcaactors.client.service.RequestClient;
import org.hcaactors.client.service.RetryPolicy;
import org.hcaactors.lab.world.World;

/** Endpoints in a world, a server's address, and texts as messages. */
final class ServiceSetup {
    static final int PORT = 9000;
    static final InetSocketAddress SERVER = InetSocketAddress.createUnresolved("server", PORT);

    private ServiceSetup() {}

    static Endpoint endpoint(World world, String adapter) {
        return endpoint(world, adapter, "app");
    }

    static Endpoint endpoint(World world, String adapter, String process) {
        return world.await(Endpoint.open(world.adapter(adapter).process(process), EndpointDescription.DEFAULT));
    }

    static Endpoint endpoint(World world, String adapter, EndpointDescription description) {
        return world.await(Endpoint.open(world.adapter(adapter).process("app"), description));
    }

    static RequestClient client(Endpoint endpoint) {
        return new RequestClient(endpoint, SERVER, RetryPolicy.DEFAULT);
    }

    /** Returns how often clients have asked for a connection. */
    static long connections(World world) {
        return world.trace()
                .of(HcaEvent.ConnectionChanged.class)
                .filter(each -> each.step() == ConnectionStep.ASKED)
                .count();
    }

    static CompletionStage<ByteBuffer> echo(Request request) {
        return CompletableFuture.completedStage(request.body());
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }

    static String text(ByteBuffer content) {
        return StandardCharsets.UTF_8.decode(content).toString();
    }

    /** Returns the content of a message, and closes it. */
    static String text(Message message) {
        try (message) {
            return text(message.content());
        }
    }
}
