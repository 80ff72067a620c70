// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.judge.scale.SettledHeap;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that join and leave while two others exchange data: {@code -Djoins=200} of them in the nightly run. */
@Tag("judge")
class JoinsAndLeavesTest {
    private static final int JOINS = Integer.getInteger("joins", 3);

    /** Joins after which buffers, classes and pools have their size. */
    private static final int WARM = 20;

    private static final int BYTES = 1 << 14;
    private static final int REQUESTS = 60;
    private static final long ALLOWED_BYTES = 32L << 20;

    private final Node client = Node.first("client");
    private final Node server = client.join("server");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private MemoryClient connect(String to) {
        client.awaitAdapters(to);
        return MemoryClient.connect(client.host, InetSocketAddress.createUnresolved(to, MemoryServer.SERVICE));
    }

    // rule cluster-directory
    @Test
    void nodesComeAndGoWhileOthersExchangeData() {
        MemoryServer.serve(server.host);
        MemoryClient stays = connect("server");
        long bytes = Long.MAX_VALUE;
        for (int join = 0; join < JOINS; join++) {
            List<CompletionStage<WorkCompletion>> load = stays.load(REQUESTS, BYTES);
            String name = "guest-" + join;
            try (Node guest = client.join(name)) {
                MemoryServer.serve(guest.host);
                MemoryClient visits = connect(name);
                visits.roundTrip(BYTES, join);
                client.host.await(visits.connection.closeAsync());
            }
            await().until(() -> client.host.network.locate(name).isEmpty());
            load.forEach(
                    request -> assertThat(client.host.await(request).status()).isEqualTo(Status.SUCCESS));
            if (join == WARM) {
                bytes = SettledHeap.bytes();
            }
        }
        if (JOINS > 2 * WARM) {
            assertThat(SettledHeap.bytes() - bytes).isLessThan(ALLOWED_BYTES);
        }
    }
}
