// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM with another version of the messages between nodes joins a cluster of two JVMs, of which the test is one. */
@Tag("judge")
class MixedVersionsTest {
    private static final int BYTES = 1 << 14;
    private static final int REQUESTS = 60;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int ANY_NUMBER = 0x99;

    /** Gives up soon. */
    private static final RcConnection IMPATIENT =
            RcConnection.DEFAULT.withTimeout(Duration.ofMillis(8)).withRetryCount(1);

    @TempDir
    private Path folder;

    private final Node client = Node.first("client");
    private final ReadyProcess server = ReadyProcess.start(NodeProgram.class, "server", 0, client.seed());

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        server.close();
    }

    private Status writesTo(String name) {
        RcQueuePair qp = client.host.await(client.host.domain.createQp(QpDescription.rc()));
        client.host.await(qp.connect(client.host.network.locate(name).orElseThrow(), ANY_NUMBER, IMPATIENT));
        RdmaWrite write = RdmaWrite.of(1, client.host.region.slice(0, 8), client.host.region.remote(0));
        return client.host.await(qp.submit(write)).status();
    }

    // rule cluster-hello
    @Test
    void aNodeOfAnotherVersionIsRefusedAndTheOthersGoOn() throws IOException, InterruptedException {
        client.awaitAdapters("server");
        MemoryClient memory =
                MemoryClient.connect(client.host, InetSocketAddress.createUnresolved("server", MemoryServer.SERVICE));
        Queue<FabricEvent> events = new ConcurrentLinkedQueue<>();
        client.host.network.tap(events::add);
        Path log = folder.resolve("log");
        String path = OtherVersion.classPath(folder);
        try (ReadyProcess other = ReadyProcess.start(
                path, ProcessBuilder.Redirect.to(log.toFile()), NodeProgram.class, "other", 0, client.seed())) {
            List<CompletionStage<WorkCompletion>> load = memory.load(REQUESTS, BYTES);
            client.awaitAdapters("other");
            await().atMost(LONGEST).until(() -> client.counted("refused_version") > 0);
            await().atMost(LONGEST)
                    .untilAsserted(() -> assertThat(log)
                            .content()
                            .contains("refuses the packets of this node: it understands versions 1 to 1 of the"
                                    + " fabric's messages, not 2 to 2"));
            assertThat(writesTo("other")).isEqualTo(Status.RETRY_EXC_ERR);
            assertThat(events)
                    .filteredOn(FabricEvent.Dropped.class::isInstance)
                    .map(event -> ((FabricEvent.Dropped) event).reason())
                    .contains("the node of that address refuses them: it understands versions 2 to 2 of the fabric's"
                            + " messages, not 1 to 1");
            load.forEach(
                    request -> assertThat(client.host.await(request).status()).isEqualTo(Status.SUCCESS));
            memory.roundTrip(BYTES, 1);
            assertThat(other.exit()).isZero();
        }
    }
}
