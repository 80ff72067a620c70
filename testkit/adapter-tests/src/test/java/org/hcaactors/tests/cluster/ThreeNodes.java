// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.ConfigFactory;
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

/** A cluster of three JVMs on the loopback interface, of which the test is one; a relay is the way to one of the others. */
final class ThreeNodes implements AutoCloseable {
    static final int BYTES = 1 << 14;
    static final int REQUESTS = 60;
    static final Duration LONGEST = Duration.ofSeconds(90);

    /**
     * The relay leads to the first node only, whose own messages still arrive when it is cut. Its word that others are unreachable would down
     * these, too, if it came before they take the node itself for unreachable; 3 s are the default.
     */
    private static final String NOTICES_LATE = "pekko.cluster.failure-detector.acceptable-heartbeat-pause = 8s";

    final Node client;
    final TcpRelay relay;
    private final int behindRelay = Host.freePort();
    private final String settings;
    private final ReadyProcess second;
    private ReadyProcess first;

    /** @param settings a line of HOCON for all nodes */
    ThreeNodes(String settings) {
        this.settings = settings;
        client = Node.first("client", ConfigFactory.parseString(settings));
        relay = TcpRelay.to(behindRelay);
        first = startFirst();
        second = ReadyProcess.start(NodeProgram.class, "second", 0, client.seed(), settings);
        client.awaitAdapters("first", "second");
    }

    private ReadyProcess startFirst() {
        String listens = "pekko.remote.artery.bind.port = " + behindRelay;
        return ReadyProcess.start(
                NodeProgram.class, "first", relay.port(), client.seed(), listens, NOTICES_LATE, settings);
    }

    /** Returns the node that the relay leads to. */
    ReadyProcess first() {
        return first;
    }

    MemoryClient connect(String server, RcConnection terms) {
        return MemoryClient.connect(
                client.host, InetSocketAddress.createUnresolved(server, MemoryServer.SERVICE), terms);
    }

    List<Status> ends(List<CompletionStage<WorkCompletion>> load) {
        return load.stream()
                .map(request -> client.host.network.await(request, LONGEST).status())
                .toList();
    }

    /** What was answered has succeeded, one request has found no responder, and the others were not executed. */
    static void assertNoResponder(List<Status> ends) {
        assertThat(ends).hasSize(REQUESTS);
        List<Status> failed =
                ends.stream().dropWhile(end -> end == Status.SUCCESS).toList();
        assertThat(failed).startsWith(Status.RETRY_EXC_ERR);
        assertThat(failed.stream().skip(1)).allMatch(end -> end == Status.WR_FLUSH_ERR);
    }

    void awaitRemovalOfFirst() {
        await().atMost(LONGEST).until(() -> client.host.network.locate("first").isEmpty());
    }

    void assertFirstComesBack() {
        awaitRemovalOfFirst();
        first = startFirst();
        await().atMost(LONGEST)
                .ignoreExceptionsInstanceOf(ConnectionException.class)
                .untilAsserted(() -> connect("first", RcConnection.DEFAULT).roundTrip(BYTES, 5));
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        first.close();
        second.close();
        relay.close();
    }
}
