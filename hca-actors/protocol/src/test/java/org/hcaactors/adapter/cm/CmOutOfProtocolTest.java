// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.adapter.cm.CmWire.LATENCY;
import static org.hcaactors.adapter.cm.CmWire.SERVICE;
import static org.hcaactors.adapter.cm.CmWire.terms;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.adapter.cm.CmWire.Node;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

/** Peers that restart, and messages that are late or that no peer sends. */
class CmOutOfProtocolTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final CmWire wire = new CmWire();
    private Node client = accepting(wire.node(1), 900);
    private Node server = wire.node(2);

    private Node accepting(Node node, int firstQp) {
        int[] next = {firstQp};
        node.agent.listen(SERVICE, 4);
        node.program = report -> {
            if (report instanceof CmEffect.Requested asked) {
                node.agent.accept(asked.commId(), terms(next[0]++), Octets.NONE, wire.now());
            }
            if (report instanceof CmEffect.Accepted accepted) {
                node.agent.ready(accepted.commId(), Octets.NONE);
            }
        };
        return node;
    }

    private int connect(int qp) {
        return client.agent
                .connect(server.at, SERVICE, terms(qp), Octets.NONE, wire.now())
                .orElseThrow();
    }

    private int established() {
        accepting(server, 41);
        int commId = connect(40);
        wire.settle();
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
        return commId;
    }

    private int serverSide() {
        return server.last(CmEffect.Requested.class).commId();
    }

    private void toClient(CmMessage message) {
        client.agent.arrived(server.at, new CmDatagram(99, message), wire.now());
    }

    private void toServer(CmMessage message) {
        server.agent.arrived(client.at, new CmDatagram(99, message), wire.now());
    }

    private void loses(String kind) {
        wire.judge = each -> each.kind().equals(kind) ? List.of() : List.of(LATENCY);
    }

    private static Octets bytes(int length) {
        return Octets.copyOf(new byte[length]);
    }

    // rule cm-stale
    @Test
    void aStaleReplyEndsTheOldConnection() {
        int old = established();
        server = accepting(wire.restarted(2), 41);
        connect(50);
        wire.run(1_000_000_000);
        assertThat(client.last(CmEffect.Rejected.class).reason()).isEqualTo(RejectReason.STALE_CONNECTION.code());
        assertThat(client.agent.state(old)).isEmpty();
        int fresh = connect(51);
        wire.settle();
        assertThat(client.agent.state(fresh)).contains(CmState.ESTABLISHED);
    }

    // rule cm-stale
    @Test
    void aQueuePairIsStaleAtEachAddressOfItsAdapter() {
        established();
        ConnectRequest first = (ConnectRequest) wire.sent.getFirst().datagram().message();
        ConnectRequest other = new ConnectRequest(
                first.localCommId() + 77,
                first.serviceId(),
                first.caGuid(),
                first.queuePair(),
                first.limits(),
                first.remoteResponseTimeout(),
                first.localResponseTimeout(),
                first.maxRetries(),
                first.primary(),
                first.alternate(),
                Octets.NONE);
        server.agent.arrived(PortAddress.ofIpv4(0x0B00_0001), new CmDatagram(5, other), wire.now());
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
    }

    // rule cm-stale
    @Test
    void aRestartedPeerWithItsOldIdsIsHeard() {
        established();
        client = accepting(wire.restartedSame(1), 900);
        connect(60);
        wire.run(1_000_000_000);
        assertThat(client.reports(CmEffect.Rejected.class)).hasSize(1);
        assertThat(client.reports(CmEffect.Unanswered.class)).isEmpty();
        assertThat(server.reports(CmEffect.Disconnected.class)).hasSize(1);
    }

    // rule cm-stale
    @Test
    void aReplyWithTheIdOfAnotherConnectionIsStale() {
        established();
        int back = server.agent
                .connect(client.at, SERVICE, terms(70), Octets.NONE, wire.now())
                .orElseThrow();
        wire.settle();
        assertThat(client.agent.state(client.last(CmEffect.Requested.class).commId()))
                .contains(CmState.ESTABLISHED);
        wire.judge = each -> List.of();
        int second = connect(71);
        toClient(new ConnectReply(back, second, 0, 72, 0, 0, 0, 0, 0, false, 0, false, 0, Octets.NONE));
        assertThat(client.reports(CmEffect.Accepted.class)).hasSize(1);
    }

    // rule cm-duplicates
    @Test
    void aLateRejectOfTheRequestEndsNoConnection() {
        int commId = established();
        toClient(new ConnectReject(0, commId, 0, 28, Octets.NONE, Octets.NONE));
        toClient(new ConnectReject(serverSide(), commId, 0, 28, Octets.NONE, Octets.NONE));
        toClient(new ConnectReject(0, commId, 2, 28, Octets.NONE, Octets.NONE));
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
    }

    // rule cm-duplicates
    @Test
    void aRequestWhoseRejectIsLostIsRejectedAgain() {
        int[] lost = {0};
        wire.judge = each -> each.kind().equals("REJ") && lost[0]++ == 0 ? List.of() : List.of(LATENCY);
        server.agent.listen(SERVICE, 4);
        server.program = report -> {
            if (report instanceof CmEffect.Requested asked) {
                server.agent.reject(asked.commId(), 28, Octets.NONE, wire.now());
            }
        };
        connect(40);
        wire.runToEnd();
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
        assertThat(client.reports(CmEffect.Rejected.class)).hasSize(1);
    }

    // rule cm-duplicates
    @Test
    void aLateReplyInTimeWaitGetsNoAnswer() {
        wire.judge = each -> each.kind().equals("REP") ? List.of(LATENCY, 100_000L) : List.of(LATENCY);
        int commId = established();
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        wire.run(1_000_000);
        assertThat(wire.kinds()).containsExactly("REQ", "REP", "RTU", "DREQ", "DREP");
    }

    // rule cm-abandon
    @Test
    void anAbandonedReplyMayBeDisconnectedByItsPeer() {
        loses("RTU");
        int commId = established();
        server.agent.abandon(serverSide(), wire.now());
        client.agent.disconnect(commId, Octets.NONE, wire.now());
        wire.settle();
        assertThat(wire.kinds()).containsExactly("REQ", "REP", "RTU", "DREQ", "DREP");
        assertThat(server.reports(CmEffect.Established.class)).hasSize(1);
        assertThat(server.last(CmEffect.Disconnected.class).byPeer()).isTrue();
    }

    // rule cm-listen
    @Test
    void theEndOfAListenerWithdrawsItsRequests() {
        server.agent.listen(SERVICE, 4);
        connect(40);
        wire.settle();
        server.agent.unlisten(SERVICE, wire.now());
        assertThat(server.last(CmEffect.Withdrawn.class).commId()).isEqualTo(serverSide());
    }

    // rule cm-unknown
    @Test
    void aDreqFromAnotherAddressOfThePeerDisconnects() {
        int commId = established();
        PortAddress other = PortAddress.ofIpv4(0x0A09_0909);
        DisconnectRequest request = new DisconnectRequest(serverSide(), commId, 40, Octets.NONE);
        client.agent.arrived(other, new CmDatagram(7, request), wire.now());

        assertThat(client.last(CmEffect.Disconnected.class).byPeer()).isTrue();
        assertThat(wire.sent.getLast().to()).isEqualTo(other);
    }

    // rule cm-unknown
    @Test
    void aDreqFromAnotherAddressNeedsBothIdsAndTheNumber() {
        int commId = established();
        PortAddress other = PortAddress.ofIpv4(0x0A09_0909);
        for (DisconnectRequest wrong : List.of(
                new DisconnectRequest(serverSide() + 1, commId, 40, Octets.NONE),
                new DisconnectRequest(serverSide(), commId, 41, Octets.NONE))) {
            client.agent.arrived(other, new CmDatagram(7, wrong), wire.now());
        }

        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
    }

    // rule cm-unknown
    @Test
    void aMessageWithoutItsIdsIsOfNoConnection() {
        loses("RTU");
        int commId = established();
        toServer(new ReadyToUse(0, serverSide(), Octets.NONE));
        toServer(new ReadyToUse(commId, 0, Octets.NONE));
        assertThat(server.agent.state(serverSide())).contains(CmState.REP_SENT);
        toClient(new DisconnectRequest(serverSide(), 0, 40, Octets.NONE));
        assertThat(client.agent.state(commId)).contains(CmState.ESTABLISHED);
        int second = connect(71);
        toClient(new ConnectReply(0, second, 0, 72, 0, 0, 0, 0, 0, false, 0, false, 0, Octets.NONE));
        assertThat(client.agent.state(second)).contains(CmState.REQ_SENT);
        toServer(new ConnectRequest(
                0,
                SERVICE,
                5,
                terms(77).queuePair(),
                terms(77).limits(),
                10,
                10,
                5,
                CmPath.NONE,
                CmPath.NONE,
                Octets.NONE));
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
    }

    // rule cm-more-time
    @Test
    void aPeerMayAskForMoreTimeOncePerMessage() {
        wire.judge = each -> List.of();
        int commId = connect(40);
        for (int hours = 0; hours < 200; hours++) {
            toClient(new ReceiptAcknowledgment(7, commId, 0, 31, Octets.NONE));
            wire.run(HOUR);
        }
        assertThat(client.agent.state(commId)).isEmpty();
    }

    /** Its peer would repeat it for 98 hours. */
    private static ConnectRequest patient(int commId) {
        return new ConnectRequest(
                commId,
                SERVICE,
                commId,
                terms(commId).queuePair(),
                terms(commId).limits(),
                31,
                31,
                15,
                CmPath.NONE,
                CmPath.NONE,
                Octets.NONE);
    }

    private void rejectingAll() {
        server.agent.listen(SERVICE, 4);
        server.program = report -> {
            if (report instanceof CmEffect.Requested asked) {
                server.agent.reject(asked.commId(), 28, Octets.NONE, wire.now());
            }
        };
    }

    // rule cm-undecided
    @Test
    void aPeerDoesNotChooseForHowManyHoursItIsRemembered() {
        rejectingAll();
        toServer(patient(5));
        toServer(patient(5));
        assertThat(server.reports(CmEffect.Requested.class)).hasSize(1);
        wire.runUntil(wire.now() + 2 * CmConnections.MAX_PATIENCE_NANOS + 1);
        assertThat(server.agent.report()).isEmpty();
    }

    // rule cm-duplicates
    @Test
    void rejectedRequestsDoNotFillTheAdapter() {
        rejectingAll();
        for (int i = 1; i <= 2 * CmConnections.MAX_REMEMBERED; i++) {
            toServer(patient(i));
        }
        wire.runUntil(wire.now() + 1_000_000_000);
        assertThat(server.agent.report())
                .hasSizeBetween(CmConnections.MAX_REMEMBERED, CmConnections.MAX_REMEMBERED + 1);
    }

    // rule cm-services
    @Test
    void aServiceIsPartOfARequestsIdentity() {
        server.agent.serve(SERVICE);
        server.agent.serve(SERVICE + 1);
        server.program = report -> {
            if (report instanceof CmEffect.ServiceRequested asked) {
                server.agent.answerService(asked.id(), 0, 77, 1, Octets.NONE);
            }
        };
        toServer(new ServiceRequest(5, 0xFFFF, SERVICE, Octets.NONE));
        toServer(new ServiceRequest(5, 0xFFFF, SERVICE + 1, Octets.NONE));
        ServiceReply reply = (ServiceReply) wire.sent.getLast().datagram().message();
        assertThat(reply.serviceId()).isEqualTo(SERVICE + 1);
    }

    @Test
    void aRefusedConnectLeavesNothing() {
        assertThatThrownBy(() -> client.agent.connect(server.at, SERVICE, terms(40), bytes(93), wire.now()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(client.agent.report()).isEmpty();
    }

    @Test
    void aRefusedDecisionLeavesTheRequestUndecided() {
        server.agent.listen(SERVICE, 1);
        connect(40);
        wire.settle();
        assertThatThrownBy(() -> server.agent.accept(serverSide(), terms(41), bytes(197), wire.now()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> server.agent.reject(serverSide(), 28, bytes(149), wire.now()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(server.agent.state(serverSide())).contains(CmState.REQ_RCVD);
        connect(42);
        wire.settle();
        assertThat(server.reports(CmEffect.Requested.class))
                .as("the backlog is full")
                .hasSize(1);
        assertThat(server.agent.accept(serverSide(), terms(41), bytes(196), wire.now()))
                .isTrue();
    }

    // rules cm-unknown, cm-retries, cm-listen
    /** Any bytes, from peers, strangers and itself, leave nothing behind but established connections. */
    @Test
    void hostileMessagesLeaveNothingBehind() {
        for (int seed = 0; seed < 200; seed++) {
            Hostile hostile = new Hostile(seed);
            hostile.play();
            hostile.check();
        }
    }

    private static final class Hostile {
        private final int seed;
        private final SplittableRandom random;
        private final CmWire wire = new CmWire();
        private final List<Node> nodes = List.of(wire.node(1), wire.node(2));
        private final List<PortAddress> senders = List.of(nodes.get(0).at, nodes.get(1).at, PortAddress.ofIpv4(9));
        private final List<Integer> ids = new ArrayList<>(List.of(0));

        Hostile(int seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
            for (Node node : nodes) {
                node.agent.listen(SERVICE, 3);
                node.agent.serve(SERVICE);
                node.program = report -> on(node, report);
            }
        }

        private void on(Node node, CmEffect report) {
            if (report instanceof CmEffect.Requested asked) {
                ids.add(asked.commId());
                ids.add(asked.request().localCommId());
                if (random.nextBoolean()) {
                    node.agent.accept(asked.commId(), terms(random.nextInt(4)), Octets.NONE, wire.now());
                }
            }
            if (report instanceof CmEffect.Accepted accepted && random.nextBoolean()) {
                node.agent.ready(accepted.commId(), Octets.NONE);
            }
        }

        void play() {
            for (int i = 0; i < 200; i++) {
                Node node = nodes.get(random.nextInt(2));
                PortAddress peer = senders.get(random.nextInt(3));
                switch (random.nextInt(8)) {
                    case 0 ->
                        node.agent
                                .connect(peer, SERVICE, terms(random.nextInt(4)), Octets.NONE, wire.now())
                                .ifPresent(ids::add);
                    case 1 -> act(node, ids.get(random.nextInt(ids.size())));
                    case 2 -> wire.run(random.nextLong(3_000_000));
                    default -> node.agent.arrived(peer, message(), wire.now());
                }
            }
            wire.runUntil(1L << 60);
        }

        private void act(Node node, int commId) {
            switch (random.nextInt(5)) {
                case 0 -> node.agent.abandon(commId, wire.now());
                case 1 -> node.agent.disconnect(commId, Octets.NONE, wire.now());
                case 2 -> node.agent.reject(commId, 28, Octets.NONE, wire.now());
                case 3 -> node.agent.messageArrived(commId, wire.now());
                default -> node.agent.ready(commId, Octets.NONE);
            }
        }

        private CmDatagram message() {
            byte[] bytes = new byte[CmDatagram.BYTES];
            if (random.nextBoolean()) {
                random.nextBytes(bytes);
            }
            ByteBuffer fields = ByteBuffer.wrap(bytes);
            int attribute = 0x10 + random.nextInt(11);
            fields.putInt(0, 0x0107_0203).putShort(16, (short) attribute);
            fields.putInt(24, ids.get(random.nextInt(ids.size())));
            fields.putInt(28, ids.get(random.nextInt(ids.size())));
            if (random.nextBoolean() && attribute == 0x10) {
                fields.putLong(32, SERVICE);
            }
            return CmCodec.decode(Octets.wrap(bytes, 0, bytes.length)).orElseThrow();
        }

        void check() {
            for (Node node : nodes) {
                assertThat(node.agent.report())
                        .as("seed " + seed)
                        .allMatch(each -> each.state() == CmState.ESTABLISHED || each.state() == CmState.REP_RCVD);
                assertThat(node.reports(CmEffect.Disconnected.class)).doesNotHaveDuplicates();
                assertThat(node.reports(CmEffect.Released.class)).doesNotHaveDuplicates();
                node.program = report -> {};
                for (int waiting = 1; waiting <= 3; waiting++) {
                    int before = node.reports(CmEffect.Requested.class).size();
                    node.agent.arrived(PortAddress.ofIpv4(1_000 + waiting), fresh(waiting), wire.now());
                    assertThat(node.reports(CmEffect.Requested.class))
                            .as("seed " + seed + ": the backlog has room for " + waiting)
                            .hasSize(before + 1);
                }
            }
        }

        private static CmDatagram fresh(int number) {
            return new CmDatagram(
                    1,
                    new ConnectRequest(
                            1,
                            SERVICE,
                            0x7700L + number,
                            terms(5).queuePair(),
                            terms(5).limits(),
                            10,
                            10,
                            5,
                            CmPath.NONE,
                            CmPath.NONE,
                            Octets.NONE));
        }
    }
}
