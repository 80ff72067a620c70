// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.tests.cable.Host;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster of three JVMs on the loopback interface, of which the test is one. */
@Tag("judge")
class ThreeProcessesTest {
    private static final int BYTES = 1 << 16;
    private static final int REQUESTS = 60;

    /** Waits for half a minute. */
    private static final RcConnection PATIENT = RcConnection.DEFAULT.withTimeout(Duration.ofSeconds(4));

    private static final Duration LONGEST_DOWNING = Duration.ofSeconds(60);

    private final Node client = Node.first("client");
    private final int port = Host.freePort();
    private ReadyProcess first = ReadyProcess.start(NodeProgram.class, "first", port, client.seed());
    private final ReadyProcess second = ReadyProcess.start(NodeProgram.class, "second", 0, client.seed());

    @BeforeEach
    void find() {
        client.awaitAdapters("first", "second");
    }

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        first.close();
        second.close();
    }

    private MemoryClient connect(String server) {
        return MemoryClient.connect(client.host, InetSocketAddress.createUnresolved(server, MemoryServer.SERVICE));
    }

    // rules rc-retry-count, cluster-directory
    @Test
    void aKilledNodeEndsItsRequestsAndTheOtherGoesOn() throws InterruptedException {
        MemoryClient gone = connect("first");
        MemoryClient stays = connect("second");
        gone.roundTrip(BYTES, 1);
        stays.roundTrip(BYTES, 2);
        List<CompletionStage<WorkCompletion>> load = gone.load(REQUESTS, BYTES);
        client.host.await(load.getFirst());
        first.kill();
        stays.roundTrip(BYTES, 3);
        List<Status> ends = load.stream()
                .map(request -> client.host.await(request).status())
                .dropWhile(end -> end == Status.SUCCESS)
                .toList();
        assertThat(ends.stream().limit(1)).allMatch(end -> end == Status.RETRY_EXC_ERR);
        assertThat(ends.stream().skip(1)).allMatch(end -> end == Status.WR_FLUSH_ERR);

        first = ReadyProcess.start(NodeProgram.class, "first", port, client.seed());
        // Its name is found when its address has come round.
        await().atMost(LONGEST_DOWNING)
                .ignoreExceptionsInstanceOf(ConnectionException.class)
                .untilAsserted(() -> connect("first").roundTrip(BYTES, 4));
        stays.roundTrip(BYTES, 5);
    }

    // rule cluster-directory
    @Test
    void aNodeThatLeavesIsFoundNoMore() throws IOException, InterruptedException {
        connect("first").roundTrip(BYTES, 1);
        assertThat(first.exit()).isZero();
        await().atMost(LONGEST_DOWNING)
                .until(() -> client.host.network.locate("first").isEmpty());
        connect("second").roundTrip(BYTES, 2);
    }

    // rules cluster-window, rc-retry-count
    @Test
    void requestsWaitForANodeThatStandsStillForATime() throws IOException, InterruptedException {
        MemoryClient memory = MemoryClient.connect(
                client.host, InetSocketAddress.createUnresolved("first", MemoryServer.SERVICE), PATIENT);
        memory.roundTrip(BYTES, 1);
        first.standStill();
        List<CompletionStage<WorkCompletion>> load = memory.load(REQUESTS, BYTES);
        await().atMost(LONGEST_DOWNING)
                .until(() -> client.host.adapter.counters().getOrDefault("local_ack_timeout_err", 0L) > 0);
        connect("second").roundTrip(BYTES, 2);
        first.goOn();
        for (CompletionStage<WorkCompletion> request : load) {
            assertThat(client.host.network.await(request, LONGEST_DOWNING).status())
                    .isEqualTo(Status.SUCCESS);
        }
    }
}
