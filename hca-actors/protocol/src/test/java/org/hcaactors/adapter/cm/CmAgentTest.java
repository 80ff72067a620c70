// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.adapter.cm.CmWire.SERVICE;
import static org.hcaactors.adapter.cm.CmWire.TIMEOUTS;
import static org.hcaactors.adapter.cm.CmWire.terms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.cm.CmWire.Node;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and datagram services between two adapters. */
class CmAgentTest {
    private static final long LATEST_REPETITION = TIMEOUTS.waitNanos(TIMEOUTS.responseCode())
            + CmTimeouts.maxSpreadNanos(TIMEOUTS.responseCode())
            + 2 * CmWire.LATENCY;

    private static final int CLIENT_QP = 40;
    private static final int SERVER_QP = 41;
    private static final Octets DATA = Octets.copyOf((byte) 1, (byte) 2, (byte) 3);

    private final CmWire wire = new CmWire();
    private Node client = wire.node(1);
    private final Node server = wire.node(2);

    private int connect(int qp) {
        return client.agent
                .connect(server.at, SERVICE, terms(qp), DATA, wire.now())
                .orElseThrow();
    }

    /** Sends a request to a listener; returns the communication ID of the server. */
    private int requested() {
        server.agent.listen(SERVICE, 4);
        connect(CLIENT_QP);
        wire.settle();
        return server.last(CmEffect.Requested.class).commId();
    }

    /** Accepts a request; the client has the reply. Returns the communication ID of the client. */
    private int accepted() {
        int commId = requested();
        assertThat(server.agent.accept(commId, terms(SERVER_QP), DATA, wire.now()))
                .isTrue();
        wire.settle();
        return client.last(CmEffect.Accepted.class).commId();
    }

    /** Returns the communication ID of the client. */
    private int established() {
        int commId = accepted();
        assertThat(client.agent.ready(commId, Octets.NONE)).isTrue();
        wire.settle();
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
        return commId;
    }

    private int serverSide() {
        return server.last(CmEffect.Requested.class).commId();
    }

    private void loses(String kind, int times) {
        List<String> lost = new ArrayList<>();
        wire.judge = each -> {
            boolean loss = each.kind().equals(kind) && lost.size() < times;
            if (loss) {
                lost.add(kind);
            }
            return loss ? List.of() : List.of(CmWire.LATENCY);
        };
    }

    private static Octets start(Octets data) {
        return data.slice(0, 3);
    }

    // rules cm-states, cm-transactions, cm-reply
    @Test
    void threeMessagesConnectAndBothEndsKnow() {
        int commId = established();
        assertThat(wire.kinds()).containsExactly("REQ", "REP", "RTU");
        CmEffect.Requested request = server.last(CmEffect.Requested.class);
        assertThat(start(request.request().privateData())).isEqualTo(DATA);
        assertThat(request.from()).isEqualTo(client.at);
        assertThat(start(client.last(CmEffect.Accepted.class).reply().privateData()))
                .isEqualTo(DATA);
        assertThat(client.last(CmEffect.Accepted.class).reply().targetAckDelay())
                .isEqualTo(15);
        assertThat(request.request().localCommId())
                .isEqualTo((int) wire.sent.getFirst().datagram().transactionId());
        assertThat(client.last(CmEffect.Established.class).commId()).isEqualTo(commId);
        assertThat(server.last(CmEffect.Established.class).commId()).isEqualTo(serverSide());
        assertThat(wire.sent)
                .allSatisfy(each -> assertThat(each.datagram().transactionId())
                        .isEqualTo(wire.sent.getFirst().datagram().transactionId()));
    }

    // rules cm-disconnect, cm-time-wait
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoMessagesDisconnectAndBothEndsForget(boolean byClient) {
        int commId = established();
        Node first = byClient ? client : server;
        Node second = byClient ? server : client;
        first.agent.disconnect(byClient ? commId : serverSide(), DATA, wire.now());
        wire.settle();
        assertThat(wire.kinds()).endsWith("DREQ", "DREP").hasSize(5);
        assertThat(first.last(CmEffect.Disconnected.class).byPeer()).isFalse();
        CmEffect.Disconnected there = second.last(CmEffect.Disconnected.class);
        assertThat(there.byPeer()).isTrue();
        assertThat(start(there.privateData())).isEqualTo(DATA);
        assertThat(client.agent.state(commId)).contains(CmState.TIME_WAIT);
        wire.runToEnd();
        assertThat(client.agent.report()).isEmpty();
        assertThat(server.agent.report()).isEmpty();
        assertThat(client.reports(CmEffect.Released.class)).hasSize(1);
        assertThat(server.reports(CmEffect.Released.class)).hasSize(1);
    }

    // rule cm-disconnect
    @Test
    void bothEndsMayDisconnectAtOnce() {
        int commId = established();
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        server.agent.disconnect(serverSide(), Octets.NONE, wire.now());
        wire.runToEnd();
        assertThat(client.reports(CmEffect.Disconnected.class)).hasSize(1);
        assertThat(server.reports(CmEffect.Disconnected.class)).hasSize(1);
        assertThat(client.agent.report()).isEmpty();
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-retries
    @ParameterizedTest
    @CsvSource({"REQ, 1", "REQ, 5", "REP, 1", "REP, 5", "RTU, 1", "RTU, 5", "DREQ, 1", "DREQ, 5", "DREP, 1", "DREP, 5"})
    void aLostMessageIsRepeated(String kind, int times) {
        loses(kind, times);
        server.agent.listen(SERVICE, 4);
        server.program = report -> {
            if (report instanceof CmEffect.Requested asked) {
                server.agent.accept(asked.commId(), terms(SERVER_QP), DATA, wire.now());
            }
        };
        client.program = report -> {
            if (report instanceof CmEffect.Accepted accepted) {
                client.agent.ready(accepted.commId(), Octets.NONE);
            }
        };
        int commId = connect(CLIENT_QP);
        wire.run(6 * TIMEOUTS.waitNanos(TIMEOUTS.responseCode()));
        assertThat(client.reports(CmEffect.Established.class)).hasSize(1);
        assertThat(server.reports(CmEffect.Established.class)).hasSize(1);
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        wire.runToEnd();
        assertThat(client.reports(CmEffect.Disconnected.class)).hasSize(1);
        assertThat(server.reports(CmEffect.Disconnected.class)).hasSize(1);
        assertThat(client.agent.report()).isEmpty();
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-retries
    @Test
    void anUnansweredRequestEndsAfterItsRetries() {
        loses("REQ", 100);
        int commId = connect(CLIENT_QP);
        wire.runToEnd();
        assertThat(client.last(CmEffect.Unanswered.class)).isEqualTo(new CmEffect.Unanswered(commId, CmState.REQ_SENT));
        assertThat(wire.kinds()).containsExactly("REQ", "REQ", "REQ", "REQ", "REQ", "REQ", "REJ");
        assertThat(client.agent.report()).isEmpty();
    }

    // rule cm-retries
    @Test
    void anUnansweredReplyEndsBothEnds() {
        loses("RTU", 100);
        int commId = established();
        wire.runToEnd();
        assertThat(server.last(CmEffect.Unanswered.class).in()).isEqualTo(CmState.REP_SENT);
        assertThat(client.last(CmEffect.Disconnected.class).commId()).isEqualTo(commId);
        assertThat(client.agent.report()).isEmpty();
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-retries
    @Test
    void aDisconnectWithoutAnswerEndsAfterItsRetries() {
        int commId = established();
        loses("DREP", 100);
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        wire.runToEnd();
        assertThat(client.last(CmEffect.Disconnected.class).byPeer()).isFalse();
        assertThat(wire.kinds().stream().filter("DREQ"::equals)).hasSize(6);
    }

    // rule cm-listen
    @Test
    void withoutAListenerARequestIsRejected() {
        int commId = connect(CLIENT_QP);
        wire.settle();
        CmEffect.Rejected rejected = client.last(CmEffect.Rejected.class);
        assertThat(rejected.commId()).isEqualTo(commId);
        assertThat(rejected.reason()).isEqualTo(RejectReason.INVALID_SERVICE_ID.code());
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-listen
    @Test
    void aRequestBeyondTheBacklogWaitsForRoom() {
        server.agent.listen(SERVICE, 2);
        for (int i = 0; i < 3; i++) {
            connect(CLIENT_QP + i);
        }
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(2);
        assertThat(client.reports).isEmpty();
        server.agent.accept(serverSide(), terms(SERVER_QP), DATA, wire.now());
        wire.run(LATEST_REPETITION);
        assertThat(server.reports(CmEffect.Requested.class))
                .as("its repetition finds room")
                .hasSize(3);
    }

    // rule cm-listen
    @ParameterizedTest
    @ValueSource(strings = {"rejected", "abandoned", "withdrawn"})
    void aRequestThatEndsLeavesRoomInTheBacklog(String how) {
        server.agent.listen(SERVICE, 1);
        int commId = connect(CLIENT_QP);
        wire.settle();
        switch (how) {
            case "rejected" -> server.agent.reject(serverSide(), 28, DATA, wire.now());
            case "abandoned" -> server.agent.abandon(serverSide(), wire.now());
            default -> client.agent.abandon(commId, wire.now());
        }
        wire.settle();
        connect(CLIENT_QP + 1);
        connect(CLIENT_QP + 2);
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(2);
    }

    // rule cm-stale
    @Test
    void aReplyOfAConnectedQueuePairIsRejected() {
        established();
        connect(CLIENT_QP + 1);
        wire.settle();
        server.agent.accept(serverSide(), terms(SERVER_QP), DATA, wire.now());
        wire.settle();
        assertThat(client.last(CmEffect.Rejected.class).reason()).isEqualTo(RejectReason.STALE_CONNECTION.code());
        assertThat(server.last(CmEffect.Rejected.class).commId()).isEqualTo(serverSide());
        assertThat(client.reports(CmEffect.Established.class)).hasSize(1);
    }

    // rule cm-listen
    @Test
    void aServiceHasOneListener() {
        assertThat(server.agent.listen(SERVICE, 1)).isTrue();
        assertThat(server.agent.listen(SERVICE, 1)).isFalse();
        server.agent.unlisten(SERVICE, wire.now());
        assertThat(server.agent.listen(SERVICE, 1)).isTrue();
    }

    // rule cm-listen
    @Test
    void undecidedRequestsAreRejectedWhenListeningEnds() {
        requested();
        server.agent.unlisten(SERVICE, wire.now());
        wire.settle();
        assertThat(client.last(CmEffect.Rejected.class).reason()).isEqualTo(RejectReason.CONSUMER_DEFINED.code());
        assertThat(server.agent.accept(serverSide(), terms(SERVER_QP), DATA, wire.now()))
                .isFalse();
    }

    // rule cm-reject-reasons
    @Test
    void aProgramRejectsWithItsReasonAndData() {
        int commId = requested();
        assertThat(server.agent.reject(commId, RejectReason.NO_RESOURCES.code(), DATA, wire.now()))
                .isTrue();
        wire.settle();
        CmEffect.Rejected rejected = client.last(CmEffect.Rejected.class);
        assertThat(rejected.reason()).isEqualTo(RejectReason.NO_RESOURCES.code());
        assertThat(start(rejected.privateData())).isEqualTo(DATA);
        assertThat(server.agent.reject(commId, 1, DATA, wire.now()))
                .as("a second time")
                .isFalse();
    }

    @Test
    void theActiveEndMayRejectAReply() {
        int commId = accepted();
        client.agent.reject(commId, RejectReason.CONSUMER_DEFINED.code(), DATA, wire.now());
        wire.settle();
        assertThat(server.last(CmEffect.Rejected.class).commId()).isEqualTo(serverSide());
        assertThat(client.agent.ready(commId, Octets.NONE)).isFalse();
    }

    // rules cm-undecided, cm-more-time
    @Test
    void aRepeatedRequestIsAskedForMoreTime() {
        int commId = requested();
        wire.run(LATEST_REPETITION);
        assertThat(wire.kinds()).containsExactly("REQ", "REQ", "MRA");
        wire.run(TIMEOUTS.waitNanos(TIMEOUTS.serviceCode()) / 2);
        assertThat(wire.kinds()).as("it waits").hasSize(3);
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
        assertThat(server.agent.accept(commId, terms(SERVER_QP), DATA, wire.now()))
                .isTrue();
        wire.settle();
        assertThat(client.reports(CmEffect.Accepted.class)).hasSize(1);
    }

    // rule cm-undecided
    @Test
    void aRequestThatItsPeerGivesUpIsWithdrawn() {
        int commId = requested();
        wire.runToEnd();
        assertThat(server.last(CmEffect.Withdrawn.class).commId()).isEqualTo(commId);
        assertThat(client.reports(CmEffect.Unanswered.class)).hasSize(1);
        assertThat(server.agent.accept(commId, terms(SERVER_QP), DATA, wire.now()))
                .isFalse();
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-undecided
    @Test
    void aRequestIsWithdrawnAlsoIfNothingMoreArrives() {
        requested();
        wire.judge = each -> List.of();
        wire.runToEnd();
        assertThat(server.reports(CmEffect.Withdrawn.class)).hasSize(1);
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-duplicates
    @ParameterizedTest
    @ValueSource(strings = {"REQ", "REP", "RTU", "DREQ", "DREP"})
    void aCopyOfAMessageHasNoSecondEffect(String kind) {
        wire.judge = each -> each.kind().equals(kind) ? List.of(1_000L, 1_500L, 400_000L) : List.of(1_000L);
        int commId = established();
        wire.run(500_000);
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        wire.runToEnd();
        for (Node each : List.of(client, server)) {
            assertThat(each.reports(CmEffect.Established.class)).hasSize(1);
            assertThat(each.reports(CmEffect.Disconnected.class)).hasSize(1);
            assertThat(each.reports(CmEffect.Released.class)).hasSize(1);
            assertThat(each.agent.report()).isEmpty();
        }
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
    }

    // rule cm-duplicates
    @Test
    void aCopyOfARejectedRequestIsRejectedAgain() {
        wire.judge = each -> each.kind().equals("REQ") ? List.of(1_000L, 300_000L) : List.of(1_000L);
        int commId = requested();
        server.agent.reject(commId, 28, DATA, wire.now());
        wire.run(400_000);
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
        assertThat(wire.kinds()).containsExactly("REQ", "REJ", "REJ");
    }

    // rule cm-first-message
    @Test
    void aFirstMessageEstablishesInPlaceOfTheRtu() {
        loses("RTU", 1);
        established();
        assertThat(server.reports(CmEffect.Established.class)).isEmpty();
        server.agent.messageArrived(SERVER_QP, wire.now());
        assertThat(server.reports(CmEffect.Established.class)).hasSize(1);
        wire.runUntil(wire.now() + 1_000_000_000);
        assertThat(wire.kinds()).as("the reply is not repeated").containsExactly("REQ", "REP", "RTU");
    }

    // rule cm-stale
    @Test
    void aRequestOfAConnectedQueuePairEndsItsOldConnection() {
        established();
        client = wire.restarted(1);
        connect(CLIENT_QP);
        wire.settle();
        assertThat(client.last(CmEffect.Rejected.class).reason()).isEqualTo(RejectReason.STALE_CONNECTION.code());
        assertThat(server.last(CmEffect.Disconnected.class).commId()).isEqualTo(serverSide());
        wire.run(3 * CmWire.PACKET_LIFE);
        connect(CLIENT_QP);
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(2);
    }

    // rules cm-time-wait, cm-stale
    @Test
    void aReleasedQueuePairConnectsAgain() {
        wire.judge = each -> List.of(each.kind().equals("DREP") ? CmWire.PACKET_LIFE - 1 : 1);
        int commId = established();
        server.agent.disconnect(serverSide(), Octets.NONE, wire.now());
        while (client.reports(CmEffect.Released.class).isEmpty()) {
            wire.run(1_000);
        }
        assertThat(client.agent.state(commId)).isEmpty();
        assertThat(server.agent.state(serverSide())).as("a little later").contains(CmState.TIME_WAIT);
        connect(CLIENT_QP);
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(2);
    }

    // rule cm-unknown
    @Test
    void messagesForUnknownConnectionsAreAnswered() {
        int commId = established();
        client = wire.restarted(1);
        server.agent.disconnect(serverSide(), Octets.NONE, wire.now());
        wire.settle();
        assertThat(wire.kinds()).endsWith("DREQ", "DREP");
        assertThat(server.reports(CmEffect.Disconnected.class)).hasSize(1);
        assertThat(client.agent.state(commId)).isEqualTo(Optional.empty());
    }

    // rule cm-unknown
    @Test
    void aReplyToAForgottenRequestIsRejected() {
        int commId = requested();
        client = wire.restarted(1);
        server.agent.accept(commId, terms(SERVER_QP), DATA, wire.now());
        wire.settle();
        assertThat(server.last(CmEffect.Rejected.class).reason()).isEqualTo(RejectReason.INVALID_COMM_ID.code());
    }

    // rule cm-disconnect
    @Test
    void aDisconnectOfAnotherQueuePairIsIgnored() {
        int commId = established();
        DisconnectRequest other = new DisconnectRequest(serverSide(), commId, CLIENT_QP + 1, Octets.NONE);
        client.agent.arrived(server.at, new CmDatagram(1, other), wire.now());
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
        assertThat(wire.kinds()).hasSize(3);
    }

    // rule cm-unknown
    @Test
    void aMessageFromAnotherAddressIsOfNoConnection() {
        int commId = established();
        ConnectReject forged = new ConnectReject(serverSide(), commId, 2, 28, Octets.NONE, Octets.NONE);
        client.agent.arrived(wire.node(3).at, new CmDatagram(1, forged), wire.now());
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
    }

    // rule cm-no-migration
    @Test
    void anAlternatePathIsNotSupported() {
        int commId = established();
        server.agent.arrived(
                client.at,
                new CmDatagram(5, new LoadAlternatePath(commId, serverSide(), SERVER_QP, 20, CmPath.NONE, Octets.NONE)),
                wire.now());
        AlternatePathResponse response =
                (AlternatePathResponse) wire.sent.getLast().datagram().message();
        assertThat(response.status()).isEqualTo(2);
    }

    // rule cm-abandon
    @Test
    void aPeerLearnsOfAnAbandonedRequest() {
        int commId = requested();
        client.agent.abandon(1_000_001, wire.now());
        wire.settle();
        assertThat(server.last(CmEffect.Withdrawn.class).commId()).isEqualTo(commId);
        ConnectReject reject = (ConnectReject) wire.sent.getLast().datagram().message();
        assertThat(reject.reason()).isEqualTo(RejectReason.TIMEOUT.code());
        assertThat(reject.information().length()).as("its GUID").isEqualTo(8);
    }

    // rule cm-abandon
    @Test
    void aPeerLearnsOfAnAbandonedConnectionInAnyState() {
        int undecided = requested();
        server.agent.abandon(undecided, wire.now());
        wire.settle();
        assertThat(client.reports(CmEffect.Rejected.class)).hasSize(1);
        wire.run(3 * CmWire.PACKET_LIFE);
        int replied = accepted();
        client.agent.abandon(replied, wire.now());
        wire.settle();
        assertThat(server.reports(CmEffect.Rejected.class)).hasSize(1);
        wire.run(3 * CmWire.PACKET_LIFE);
        int accepted = accepted();
        server.agent.abandon(serverSide(), wire.now());
        client.agent.ready(accepted, Octets.NONE);
        wire.settle();
        assertThat(client.reports(CmEffect.Disconnected.class)).hasSize(1);
        wire.run(3 * CmWire.PACKET_LIFE);
        int open = established();
        client.agent.abandon(open, wire.now());
        wire.settle();
        assertThat(server.reports(CmEffect.Disconnected.class)).hasSize(2);
        wire.runToEnd();
        assertThat(client.agent.report()).isEmpty();
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-services
    @Test
    void aDatagramServiceIsFoundByItsName() {
        server.agent.serve(SERVICE);
        int id = client.agent
                .askService(server.at, 0xFFFF, SERVICE, DATA, wire.now())
                .orElseThrow();
        wire.settle();
        CmEffect.ServiceRequested asked = server.last(CmEffect.ServiceRequested.class);
        assertThat(start(asked.request().privateData())).isEqualTo(DATA);
        assertThat(server.agent.answerService(asked.id(), 0, SERVER_QP, 0x0123_4567, DATA))
                .isTrue();
        assertThat(server.agent.answerService(asked.id(), 0, SERVER_QP, 1, DATA))
                .isFalse();
        wire.settle();
        CmEffect.ServiceAnswered answered = client.last(CmEffect.ServiceAnswered.class);
        assertThat(answered.requestId()).isEqualTo(id);
        assertThat(answered.reply().qpNumber()).isEqualTo(SERVER_QP);
        assertThat(answered.reply().qkey()).isEqualTo(0x0123_4567);
    }

    // rule cm-services
    @ParameterizedTest
    @ValueSource(strings = {"SIDR_REQ", "SIDR_REP"})
    void aLostServiceMessageIsRepeated(String kind) {
        loses(kind, 3);
        server.agent.serve(SERVICE);
        server.program = report -> {
            if (report instanceof CmEffect.ServiceRequested asked) {
                server.agent.answerService(asked.id(), 0, SERVER_QP, 1, DATA);
            }
        };
        client.agent.askService(server.at, 0xFFFF, SERVICE, DATA, wire.now());
        wire.runToEnd();
        assertThat(client.reports(CmEffect.ServiceAnswered.class)).hasSize(1);
        assertThat(server.reports(CmEffect.ServiceRequested.class)).hasSize(1);
    }

    // rule cm-services
    @Test
    void aServiceThatNothingServesIsNamedSo() {
        client.agent.askService(server.at, 0xFFFF, SERVICE, DATA, wire.now());
        wire.settle();
        assertThat(client.last(CmEffect.ServiceAnswered.class).reply().status()).isEqualTo(1);
        loses("SIDR_REQ", 100);
        client.agent.askService(server.at, 0xFFFF, SERVICE, DATA, wire.now());
        wire.runToEnd();
        assertThat(client.reports(CmEffect.ServiceUnanswered.class)).hasSize(1);
    }

    // rule cm-timeouts
    @Test
    void timesAreCheckedAndTheDefaultsAreThoseOfLinux() {
        assertThat(CmTimeouts.nanos(20)).isEqualTo(4_294_967_296L);
        assertThat(CmTimeouts.linux(1).maxRetries()).isEqualTo(15);
        assertThatThrownBy(() -> new CmTimeouts(32, 0, 0, 0))
                .hasMessage("the response timeout is 32; 0 to 31 are allowed");
        assertThatThrownBy(() -> new CmTimeouts(0, 16, 0, 0))
                .hasMessage("the number of retries is 16; 0 to 15 are allowed");
    }
}
