// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.recording.ReplayException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recorded ends of rping, of which the programs here are the other ones. */
class ConnectionManagementTest {
    private static final int PORT = 7174;
    private static final int ROUNDS = 3;
    private static final int LIVE_ROUNDS = 10;
    private static final int LIVE_PING_BYTES = 64;
    private static final int PING_BYTES = 100;
    private static final int INFO_BYTES = 16;
    private static final int INBOX = 0;
    private static final int OUTBOX = 64;
    private static final int SOURCE = 1024;
    private static final int SINK = 2048;

    private static ConnectionDescription description(RecordedWorld side) {
        return ConnectionDescription.of(side.domain)
                .withQp(QpDescription.rc().withRecvCq(side.received))
                .withPrepared(qp -> receive(side, qp));
    }

    private static void receive(RecordedWorld side, RcQueuePair qp) {
        qp.postReceive(Receive.of(1, side.region.slice(INBOX, INFO_BYTES)));
    }

    private static byte[] ping(int round, int bytes) {
        StringBuilder text = new StringBuilder("rdma-ping-" + round + ": ");
        int first = 'A' + round;
        for (int i = text.length(), next = first; i < bytes - 1; i++, next++) {
            next = next > 'z' ? 'A' : next;
            text.append((char) next);
        }
        return (text + "\0").getBytes(StandardCharsets.US_ASCII);
    }

    /** As rping's client: tells the source, then the sink, and waits for a message after each. */
    private static void pings(RecordedWorld side) {
        Connection connection = side.world.await(
                side.context.connect(new InetSocketAddress(side.peer.address(), PORT), description(side)));
        for (int round = 0; round < ROUNDS; round++) {
            side.memory.write(SOURCE, ping(round, PING_BYTES));
            tell(side, connection, SOURCE);
            tell(side, connection, SINK);
            assertThat(side.memory.read(SINK, PING_BYTES)).isEqualTo(ping(round, PING_BYTES));
        }
        side.world.await(connection.closeAsync(ByteBuffer.allocate(0)));
    }

    private static void tell(RecordedWorld side, Connection connection, int offset) {
        ByteBuffer info = ByteBuffer.allocate(INFO_BYTES)
                .putLong(side.region.address() + offset)
                .putInt(side.region.rkey())
                .putInt(PING_BYTES);
        side.memory.write(OUTBOX, info.array());
        WorkCompletion sent =
                side.world.await(connection.qp().submit(Send.of(2, side.region.slice(OUTBOX, INFO_BYTES))));
        assertThat(sent.status()).isEqualTo(Status.SUCCESS);
        assertThat(side.next().status()).isEqualTo(Status.SUCCESS);
        receive(side, connection.qp());
    }

    // rule wire-recorded-numbers
    @Test
    void theServerOfRpingReadsAndWritesTheMemoryOfItsClient() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("rping.pcap", RecordedWorld.SERVER))) {
            pings(side);
            assertThat(side.complete().counts().repeated()).isZero();
        }
    }

    private static List<String> packetsOfPings(long seed) {
        try (RecordedWorld side = RecordedWorld.of(seed, RecordedWorld.capture("rping.pcap", RecordedWorld.SERVER))) {
            pings(side);
            side.complete();
            return side.packets();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyRunHasTheSamePackets(long seed) {
        assertThat(packetsOfPings(seed)).hasSize(41).isEqualTo(packetsOfPings(1));
    }

    /** As rping's server: reads the source that the client tells, and writes to the sink. */
    private static void serves(RecordedWorld side, int rounds, int bytes) {
        ConnectionListener listener = side.world.await(side.context.listen(PORT, 4));
        side.peer.start();
        Connection connection =
                side.world.await(listener.next().thenCompose(request -> request.accept(description(side))));
        for (int round = 0; round < rounds; round++) {
            RemoteAddress source = told(side, connection);
            WorkCompletion read =
                    side.world.await(connection.qp().submit(RdmaRead.of(3, side.region.slice(SINK, bytes), source)));
            assertThat(read.status()).isEqualTo(Status.SUCCESS);
            assertThat(side.memory.read(SINK, bytes)).isEqualTo(ping(round, bytes));
            goAhead(side, connection);
            RemoteAddress sink = told(side, connection);
            side.world.await(connection.qp().submit(RdmaWrite.of(4, side.region.slice(SINK, bytes), sink)));
            goAhead(side, connection);
        }
    }

    private static RemoteAddress told(RecordedWorld side, Connection connection) {
        side.next();
        ByteBuffer info = ByteBuffer.wrap(side.memory.read(INBOX, INFO_BYTES));
        receive(side, connection.qp());
        long address = info.getLong();
        return new RemoteAddress(info.getInt(), address);
    }

    private static void goAhead(RecordedWorld side, Connection connection) {
        WorkCompletion sent =
                side.world.await(connection.qp().submit(Send.of(2, side.region.slice(OUTBOX, INFO_BYTES))));
        assertThat(sent.status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void theClientOfRpingIsServed() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("rping.pcap", RecordedWorld.CLIENT))) {
            serves(side, ROUNDS, PING_BYTES);
            assertThat(side.complete().counts().repeated()).isZero();
        }
    }

    @Test
    void aClientThatWasCapturedAtThisSideIsServed() {
        RecordedCable cable = RecordedWorld.capture("live/cm_rping.pcapng", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            serves(side, LIVE_ROUNDS, LIVE_PING_BYTES);
            assertThat(side.complete().counts().entered()).isEqualTo(side.packetsOfPeer(cable));
        }
    }

    @Test
    void messagesThatAreLostAreRepeatedByBothEnds() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("rping.pcap", RecordedWorld.CLIENT))) {
            side.world.faults().on(packet().cm().req()).first().drop();
            side.world.faults().on(packet().cm().rep()).first().drop();
            side.world.faults().on(packet().cm().rtu()).first().drop();
            serves(side, ROUNDS, PING_BYTES);
            assertThat(side.complete().counts().repeated()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void aServerThatDoesNotListenRejects() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("cm_reject.pcap", RecordedWorld.SERVER))) {
            assertThatThrownBy(() -> side.world.await(
                            side.context.connect(new InetSocketAddress(side.peer.address(), PORT), description(side))))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("nothing listens at the service ID");
            side.complete();
        }
    }

    @Test
    void aClientIsRejectedIfNothingListens() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("cm_reject.pcap", RecordedWorld.CLIENT))) {
            side.peer.start();
            side.complete();
        }
    }

    @Test
    void aServerThatListensWhereNoneDidIsReported() {
        try (RecordedWorld side = RecordedWorld.of(1, RecordedWorld.capture("cm_reject.pcap", RecordedWorld.CLIENT))) {
            ConnectionListener listener = side.world.await(side.context.listen(PORT, 4));
            side.peer.start();
            side.world.await(listener.next()).accept(description(side));
            assertThatThrownBy(side::complete)
                    .isInstanceOf(ReplayException.class)
                    .hasMessage("cm_reject.pcap, peer 10.77.0.3: this side sent REP, qp 18193 in place of frame 2, REJ"
                            + " of reason 8 (message REP, qp 18193, recorded REJ of reason 8)");
        }
    }
}
