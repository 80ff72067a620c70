// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.connection.DatagramAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.recording.RecordedPacket;
import org.hcaactors.fabric.recording.RecordedQueuePair;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.junit.jupiter.api.Test;

/** Recorded ends that exchange datagrams. */
class DatagramsTest {
    private static final QKey PING_PONG = QKey.of(0x1111_1111);
    private static final QKey RDMA_UDP = QKey.of(0x0123_4567);
    private static final int SERVICE = 7174;
    private static final int BYTES = 1024;
    private static final int SHORT_BYTES = 100;
    private static final int INBOX = 4096;

    private static UdQueuePair queuePair(RecordedWorld side, QKey qkey) {
        UdQueuePair qp =
                side.world.await(side.domain.createQp(QpDescription.ud().withRecvCq(side.received)));
        side.world.await(qp.activate(qkey));
        return qp;
    }

    private static void receive(RecordedWorld side, UdQueuePair qp, int bytes) {
        qp.postReceive(Receive.of(1, side.region.slice(INBOX, UdQueuePair.GRH_BYTES + bytes)));
    }

    private static UdAddress to(RecordedWorld side, int number, QKey qkey) {
        return UdAddress.of(
                side.world.await(side.domain.createAddressHandle(AddressVector.to(Gid.of(side.peer.address())))),
                number,
                qkey);
    }

    private static void assertReceived(RecordedWorld side, Packet packet, int bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(side.memory.read(INBOX, UdQueuePair.GRH_BYTES + bytes));
        byte[] header = new byte[20];
        buffer.position(UdQueuePair.GRH_BYTES - header.length).get(header);
        byte[] payload = new byte[bytes];
        buffer.get(payload);
        // The IP header of the capture, with its identification and its checksum.
        assertThat(header).isEqualTo(FrameEncoder.ipHeader(packet));
        assertThat(packet.route().identification()).isNotZero();
        assertThat(packet.route().flags()).isEqualTo(Route.DONT_FRAGMENT);
        assertThat(payload).isEqualTo(packet.payload().toArray());
    }

    private static List<Packet> datagramsOfPeer(RecordedCable cable) {
        return cable.recording().packets().stream()
                .filter(RecordedPacket::ofPeer)
                .map(RecordedPacket::packet)
                .filter(packet -> packet.bth().destQp() != 1)
                .toList();
    }

    @Test
    void aServerOfPingPongAnswersEachDatagram() {
        RecordedCable cable = RecordedWorld.capture("ud_pingpong.pcap", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            UdQueuePair qp = queuePair(side, PING_PONG);
            UdAddress peer = to(side, cable.queuePairs().getFirst().peerNumber(), PING_PONG);
            for (Packet answer : datagramsOfPeer(cable)) {
                receive(side, qp, BYTES);
                side.world.await(qp.submit(peer, Send.of(2, side.region.slice(0, BYTES))));
                assertThat(side.next().status()).isEqualTo(Status.SUCCESS);
                assertReceived(side, answer, BYTES);
            }
            side.complete();
        }
    }

    @Test
    void aClientOfPingPongBegins() {
        RecordedCable cable = RecordedWorld.capture("ud_pingpong.pcap", RecordedWorld.CLIENT);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            UdQueuePair qp = queuePair(side, PING_PONG);
            RecordedQueuePair ends = cable.queuePairs().getFirst();
            UdAddress peer = to(side, ends.peerNumber(), PING_PONG);
            side.peer.exchange(ends, qp.number());
            receive(side, qp, BYTES);
            side.peer.start();
            for (Packet question : datagramsOfPeer(cable)) {
                assertThat(side.next().status()).isEqualTo(Status.SUCCESS);
                assertReceived(side, question, BYTES);
                receive(side, qp, BYTES);
                side.world.await(qp.submit(peer, Send.of(2, side.region.slice(0, BYTES))));
            }
            side.complete();
        }
    }

    @Test
    void aServiceIsResolvedAndAnswers() {
        RecordedCable cable = RecordedWorld.capture("udaddy.pcap", RecordedWorld.SERVER);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            UdQueuePair qp = queuePair(side, RDMA_UDP);
            DatagramAddress found = side.world.await(
                    side.context.resolveDatagrams(new InetSocketAddress(side.peer.address(), SERVICE)));
            UdAddress peer = to(side, found.qpNumber(), RDMA_UDP);
            receive(side, qp, SHORT_BYTES);
            receive(side, qp, SHORT_BYTES);
            int immediate = cable.queuePairs().getFirst().number();
            for (int i = 0; i < 2; i++) {
                side.world.await(qp.submit(
                        peer, Send.of(2, side.region.slice(0, SHORT_BYTES)).withImmediate(immediate)));
            }
            for (int i = 0; i < 2; i++) {
                assertThat(side.next().immediate()).hasValue(found.qpNumber());
            }
            side.complete();
        }
    }

    @Test
    void aClientResolvesAService() {
        RecordedCable cable = RecordedWorld.capture("udaddy.pcap", RecordedWorld.CLIENT);
        try (RecordedWorld side = RecordedWorld.of(1, cable)) {
            UdQueuePair qp = queuePair(side, RDMA_UDP);
            receive(side, qp, SHORT_BYTES);
            receive(side, qp, SHORT_BYTES);
            side.world.await(side.context.serveDatagrams(SERVICE, qp, RDMA_UDP));
            side.peer.start();
            RecordedQueuePair ends = cable.queuePairs().getFirst();
            for (int i = 0; i < 2; i++) {
                assertThat(side.next().immediate()).hasValue(ends.peerNumber());
            }
            UdAddress peer = to(side, ends.peerNumber(), RDMA_UDP);
            for (int i = 0; i < 2; i++) {
                side.world.await(qp.submit(
                        peer, Send.of(2, side.region.slice(0, SHORT_BYTES)).withImmediate(ends.number())));
            }
            side.complete();
        }
    }
}
