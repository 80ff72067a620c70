// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.adapter.flow.ConnectionStep;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.connection.Offers;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every end of a connection by communication management is traced back to its cause. */
class ExplainedConnectionsTest {
    private static final int PORT = 7174;

    /** More than all repetitions of a message. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final World world = World.of(5);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");
    private final DeviceContext client = a.process("client").open();
    private final DeviceContext server = b.process("server").open();

    @AfterEach
    void close() {
        world.faults().stop();
        world.close();
    }

    private ConnectionListener listen(int backlog) {
        return world.await(server.listen(PORT, backlog));
    }

    private CompletionStage<Connection> connecting() {
        return connecting(client);
    }

    private static CompletionStage<Connection> connecting(DeviceContext from) {
        return from.connect(InetSocketAddress.createUnresolved("b", PORT), ConnectionDescription.of(from.allocatePd()));
    }

    private CompletionStage<Connection> accepting(ConnectionListener listener) {
        return listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(server.allocatePd())));
    }

    private record Ends(Connection client, Connection server) {}

    private Ends connected() {
        CompletionStage<Connection> accepted = accepting(listen(4));
        return new Ends(world.await(connecting()), world.await(accepted));
    }

    private Explanation explain(String adapter, ConnectionStep step) {
        world.runFor(PATIENCE);
        HcaEvent.ConnectionChanged event = world.trace()
                .of(HcaEvent.ConnectionChanged.class)
                .filter(each -> each.port().equals(adapter) && each.step() == step)
                .reduce((older, newer) -> newer)
                .orElseThrow();
        return Explainer.of(world.trace()).explain(event.stamp().id()).orElseThrow();
    }

    // rule cm-listen
    @Test
    void nothingListens() {
        connecting();

        Explanation reason = explain("a", ConnectionStep.REJECTED_BY_PEER);
        assertThat(reason.what()).endsWith("is rejected by 10.0.0.2: nothing listens at the service ID");
        assertThat(reason.root()).startsWith("nothing listened at TCP port 7174 of b when the REQ arrived, at ");
        assertThat(Explainer.of(world.trace()).failures())
                .extracting(Explanation::what)
                .containsExactly(reason.what());
    }

    @Test
    void theProgramRejects() {
        listen(4).requests().subscribe(Subscribers.forEach(ConnectionRequest::reject));
        connecting();

        Explanation reason = explain("a", ConnectionStep.REJECTED_BY_PEER);
        assertThat(reason.because())
                .containsExactly(
                        "b sent REJ of REQ: the program rejected it (28)",
                        "b: the program rejects the request of 10.0.0.1");
    }

    // rule cm-listen
    @Test
    void theProgramStopsListening() {
        ConnectionListener listener = listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));
        listener.closeAsync();

        assertThat(explain("a", ConnectionStep.REJECTED_BY_PEER).because())
                .contains("b: the request of 10.0.0.1 no longer waits")
                .last()
                .isEqualTo("b's program stopped listening at TCP port 7174");
        assertThat(explain("b", ConnectionStep.WITHDRAWN).root())
                .isEqualTo("b's program stopped listening at TCP port 7174");
    }

    // rule cm-listen
    @Test
    void theBacklogIsFull() {
        listen(1);
        connecting();
        world.runFor(Duration.ofMillis(1));
        connecting(world.adapter("c").process("client").open());

        Explanation reason = explain("c", ConnectionStep.UNANSWERED);
        assertThat(reason.because())
                .first()
                .asString()
                .startsWith("c sent REQ to TCP port 7174")
                .contains(" 16 times from ");
        assertThat(reason.because())
                .anyMatch(line -> line.endsWith("as many requests waited at TCP port 7174 as its backlog allows"));
        assertThat(reason.root()).startsWith("b's program had not decided on the request of 10.0.0.1, which waited");
    }

    // rule cm-retries
    @Test
    void everyRequestIsLost() {
        listen(4);
        world.faults().on(packet().cm().req()).drop();
        connecting();

        Explanation reason = explain("a", ConnectionStep.UNANSWERED);
        assertThat(reason.what()).endsWith("is not connected: 10.0.0.2 did not answer");
        assertThat(reason.root())
                .startsWith("lost on the way: REQ to TCP port 7174")
                .endsWith("(16 times)");
    }

    @Test
    void everyReplyIsLost() {
        accepting(listen(4));
        world.faults().on(packet().cm().rep()).drop();
        connecting();

        // The requests are repeated a little later than the replies, so that b gives up first, and says so.
        assertThat(explain("a", ConnectionStep.REJECTED_BY_PEER).because())
                .contains("b sent REJ: an answer did not arrive in time (4)")
                .anyMatch(line -> line.startsWith("lost on the way: REP qp"));
        assertThat(explain("b", ConnectionStep.UNANSWERED).because())
                .anyMatch(line -> line.startsWith("b sent REP qp"))
                .anyMatch(line -> line.startsWith("lost on the way: REP qp"));
    }

    // rule cm-half-open
    @Test
    void everyLastMessageIsLost() {
        accepting(listen(4));
        world.faults().on(packet().cm().rtu()).drop();
        connecting();

        assertThat(explain("b", ConnectionStep.UNANSWERED).root())
                .startsWith("lost on the way: a's RTU")
                .endsWith("(16 times)");
        assertThat(explain("a", ConnectionStep.CLOSED_BY_PEER).because())
                .contains("b sent REJ: an answer did not arrive in time (4)")
                .anyMatch(line -> line.startsWith("lost on the way: a's RTU"));
    }

    // rule cm-undecided
    @Test
    void thePeerIsGoneBeforeTheDecision() {
        listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));
        world.faults().now().unplug(a, Duration.ofMinutes(4));

        assertThat(explain("b", ConnectionStep.WITHDRAWN).root())
                .isEqualTo("the program had not decided when its peer would have repeated the REQ for the last time");
    }

    // rule cm-abandon
    @Test
    void theConnectingProgramCloses() {
        listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));
        client.closeAsync();

        assertThat(explain("b", ConnectionStep.WITHDRAWN).because())
                .containsExactly(
                        "a sent REJ: an answer did not arrive in time (4)",
                        "a's program let the connection go while it was made");
    }

    // rule cm-disconnect
    @Test
    void theProgramDisconnects() {
        Ends ends = connected();
        ends.server.qp().postReceive(Receive.of(7));
        List<WorkCompletion> polled = new ArrayList<>();
        ends.server.qp().recvCq().completions().subscribe(Subscribers.forEach(polled::add));
        ends.client.closeAsync();

        int qp = ends.client.qp().number();
        String root = "a: the program disconnects qp" + qp + " from 10.0.0.2";
        assertThat(explain("b", ConnectionStep.CLOSED_BY_PEER).root()).isEqualTo(root);
        assertThat(explain("a", ConnectionStep.DISCONNECTED).root()).isEqualTo(root);
        WorkCompletion flushed = polled.getFirst();
        assertThat(flushed.status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(world.explain(flushed).root()).isEqualTo(root);
    }

    // rule cm-abandon
    @Test
    void theProcessOfThePeerEnds() {
        connected();
        world.faults().now().kill(a, "client");

        assertThat(explain("b", ConnectionStep.CLOSED_BY_PEER).because())
                .anyMatch(line -> line.startsWith("a: the program disconnects qp"))
                .last()
                .asString()
                .startsWith("the testkit: kill");
    }

    @Test
    void noDisconnectIsConfirmed() {
        Ends ends = connected();
        world.faults().on(packet().cm().dreq()).drop();
        ends.client.closeAsync();

        assertThat(explain("a", ConnectionStep.DISCONNECTED).because())
                .contains("10.0.0.2 confirmed none of the DREQs of a");
    }

    // rule cm-stale
    @Test
    void theQueuePairHasAConnectionAlready() {
        Ends ends = connected();
        int number = ends.client.qp().number();
        world.faults()
                .on(packet().cm().req())
                .rewrite("another queue pair", each -> Offers.changed(each, old -> Offers.withNumber(old, number)));
        connecting();

        assertThat(explain("a", ConnectionStep.REJECTED_BY_PEER).because())
                .containsExactly(
                        "b sent REJ of REQ: the queue pair's last connection is stale (10)",
                        "b still had a connection with the queue pair of 10.0.0.1",
                        "b ends that connection: DREQ for qp" + number,
                        "on its way from a: replaced by \"rewrite (another queue pair) REQ\"");
        assertThat(explain("a", ConnectionStep.CLOSED_BY_PEER).because())
                .anyMatch(line -> line.startsWith("b received REQ to TCP port 7174, qp" + number)
                        && line.endsWith("from a queue pair that was connected: its peer has started again"));
    }

    // rule cm-listen
    @Test
    void theRequestIsForAnotherTransport() {
        accepting(listen(4));
        int unreliable = 1;
        world.faults()
                .on(packet().cm().req())
                .rewrite("transport UC", each -> Offers.changed(each, old -> Offers.withTransport(old, unreliable, 0)));
        connecting();

        assertThat(explain("a", ConnectionStep.REJECTED_BY_PEER).because())
                .contains("b connects RC queue pairs only, and the REQ is for another transport");
    }

    @Test
    void aConnectionWaitsForTheProgram() {
        listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));

        Explanation wait = Explainer.of(world.trace()).waiting().getFirst();
        assertThat(wait.what()).startsWith("a: qp").endsWith(" is not connected to 10.0.0.2 yet");
        assertThat(wait.about()).isInstanceOf(Explanation.Subject.Connecting.class);
        assertThat(wait.root()).startsWith("b's program had not decided on the request of 10.0.0.1, which waited");
    }

    @Test
    void anAcceptanceWaitsForTheLastMessage() {
        accepting(listen(4));
        world.faults().on(packet().cm().rtu()).drop();
        connecting();
        world.runFor(Duration.ofSeconds(1));

        Explanation wait = Explainer.of(world.trace()).waiting().getFirst();
        assertThat(wait.what())
                .startsWith("b: qp")
                .endsWith("which accepts the request of 10.0.0.1, is not connected yet");
        assertThat(wait.root()).startsWith("lost on the way: a's RTU");
    }

    @Test
    void nothingWaitsAfterItsEnd() {
        listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));
        client.closeAsync();
        world.runFor(Duration.ofSeconds(1));

        assertThat(Explainer.of(world.trace()).waiting()).isEmpty();
    }

    @Test
    void aRestartEndsWaits() {
        listen(4);
        connecting();
        world.runFor(Duration.ofSeconds(1));
        world.await(a.firmware().restart(Restart.FIRMWARE_RESET));

        assertThat(Explainer.of(world.trace()).waiting()).isEmpty();
    }
}
