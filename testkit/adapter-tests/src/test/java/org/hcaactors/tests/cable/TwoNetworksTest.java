// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TwoNetworksTest {
    private static final int SERVICE = 7174;

    private final int port = Host.freePort();
    private final Host client = Host.behind(Host.cable(2, port, 3));
    private final Host server = Host.behind(Host.cable(3, port, 2));

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aConnectionIsMadeAcross() {
        ConnectionListener listener = server.network.await(server.context.listen(SERVICE, 4));
        CompletionStage<Connection> accepted =
                listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.domain)));
        Connection made = client.network.await(client.context.connect(
                new InetSocketAddress(Host.loopback(3), SERVICE), ConnectionDescription.of(client.domain)));
        Connection at = server.network.await(accepted);
        at.qp().postReceive(Receive.of(1, server.region.slice(0, 64)));
        client.memory.write(0, "across".getBytes(StandardCharsets.UTF_8));
        WorkCompletion sent = client.network.await(made.qp().submit(Send.of(2, client.region.slice(0, 6))));
        assertThat(sent.status()).isEqualTo(Status.SUCCESS);
        assertThat(new String(server.memory.read(0, 6), StandardCharsets.UTF_8)).isEqualTo("across");
    }
}
