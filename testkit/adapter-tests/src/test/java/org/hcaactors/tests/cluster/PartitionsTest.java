// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.ConfigFactory;
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

/** A cluster of three JVMs on the loopback interface, of which the test is one; the way to another one is cut or held up, or it stands still. */
@Tag("judge")
class PartitionsTest {
    /** Time for which a partition lasts before the smaller part is downed; 20 without other settings. */
    static final int STABLE_SECONDS = 5;

    private static final int BYTES = 1 << 14;
    private static final int REQUESTS = 60;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Waits for half a minute. */
    private static final RcConnection PATIENT = RcConnection.DEFAULT.withTimeout(Duration.ofSeconds(4));

    private final Node client = Node.first(
            "client",
            ConfigFactory.parseString("pekko.cluster.split-brain-resolver.stable-after = " + STABLE_SECONDS + "s"));
    private final int behindRelay = Host.freePort();
    private final TcpRelay relay = TcpRelay.to(behindRelay);
    private ReadyProcess first = startFirst();
    private final ReadyProcess second = ReadyProcess.start(NodeProgram.class, "second", 0, client.seed());

    private ReadyProcess startFirst() {
        return ReadyProcess.start(NodeProgram.class, "first", relay.port(), client.seed(), behindRelay);
    }

    @BeforeEach
    void find() {
        client.awaitAdapters("first", "second");
    }

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        first.close();
        second.close();
        relay.close();
    }

    private MemoryClient connect(String server, RcConnection terms) {
        return MemoryClient.connect(
                client.host, InetSocketAddress.createUnresolved(server, MemoryServer.SERVICE), terms);
    }

    private List<Status> ends(List<CompletionStage<WorkCompletion>> load) {
        return load.stream()
                .map(request -> client.host.network.await(request, LONGEST).status())
                .toList();
    }

    /** What was answered has succeeded, one request has found no responder, and the others were not executed. */
    private static void assertNoResponder(List<Status> ends) {
        assertThat(ends).hasSize(REQUESTS);
        List<Status> failed =
                ends.stream().dropWhile(end -> end == Status.SUCCESS).toList();
        assertThat(failed).startsWith(Status.RETRY_EXC_ERR);
        assertThat(failed.stream().skip(1)).allMatch(end -> end == Status.WR_FLUSH_ERR);
    }

    private void assertFirstComesBack() {
        await().atMost(LONGEST).until(() -> client.host.network.locate("first").isEmpty());
        first = startFirst();
        await().atMost(LONGEST)
                .ignoreExceptionsInstanceOf(ConnectionException.class)
                .untilAsserted(() -> connect("first", RcConnection.DEFAULT).roundTrip(BYTES, 5));
    }

    // rules rc-retry-count, cluster-directory
    @Test
    void aNodeThatIsCutOffEndsAndCanComeBack() throws InterruptedException {
        MemoryClient gone = connect("first", RcConnection.DEFAULT);
        MemoryClient stays = connect("second", RcConnection.DEFAULT);
        gone.roundTrip(BYTES, 1);
        relay.cut();
        assertNoResponder(ends(gone.load(REQUESTS, BYTES)));
        stays.roundTrip(BYTES, 2);
        // It is the smaller part, and downs itself.
        first.awaitEnd();
        relay.heal();
        assertFirstComesBack();
        stays.roundTrip(BYTES, 3);
    }

    // rule cluster-directory
    @Test
    void aNodeThatStandsStillTooLongMustStartAgain() throws IOException, InterruptedException {
        MemoryClient gone = connect("first", RcConnection.DEFAULT);
        gone.roundTrip(BYTES, 1);
        first.standStill();
        assertNoResponder(ends(gone.load(REQUESTS, BYTES)));
        await().atMost(LONGEST).until(() -> client.host.network.locate("first").isEmpty());
        first.goOn();
        first.awaitEnd();
        assertFirstComesBack();
    }

    // rule cluster-window
    @Test
    void aNodeThatIsHeldUpHoldsUpNoOtherOne() {
        MemoryClient held = connect("first", PATIENT);
        MemoryClient quick = connect("second", RcConnection.DEFAULT);
        relay.hold();
        List<CompletionStage<WorkCompletion>> load = held.load(REQUESTS, BYTES);
        quick.roundTrip(BYTES, 1);
        assertThat(ends(quick.load(REQUESTS, BYTES))).containsOnly(Status.SUCCESS);
        assertThat(load).noneMatch(request -> request.toCompletableFuture().isDone());
        relay.release();
        assertThat(ends(load)).containsOnly(Status.SUCCESS);
    }
}
