// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.capture.CaptureReader;
import org.hcaactors.fabric.capture.CapturedFrame;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.hcaactors.fabric.wire.RoceFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Captured traffic of Soft-RoCE as input to our machines: the results must be those that the captured programs saw. */
class CapturedMessagesTest {
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final int SERVER = 0x4D0002;
    private static final int CLIENT = 0x4D0003;
    private static final int ROOM = 16_384;

    private static List<Packet> capture(String name) throws IOException {
        return frames(name).stream().map(RoceFrame::packet).toList();
    }

    private static List<RoceFrame> frames(String name) throws IOException {
        List<RoceFrame> frames = new ArrayList<>();
        String file = name.contains(".") ? name : name + ".pcap";
        try (CaptureReader reader = CaptureReader.open(CAPTURES.resolve(file))) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                CapturedFrame frame = next.get();
                LinkLayer layer = LinkLayer.of(frame.linkType()).orElseThrow();
                if (FrameDecoder.decode(frame.bytes().toArray(), layer) instanceof Decoded.Frame decoded) {
                    frames.add(decoded.frame());
                }
            }
        }
        return frames;
    }

    private static List<Packet> to(List<Packet> packets, int host) {
        PortAddress address = PortAddress.ofIpv4(0x0A00_0000 | host);
        return packets.stream()
                .filter(packet -> packet.route().destination().equals(address))
                .toList();
    }

    /** Replaces addresses and keys of the capture, which belong to another process, by ours. */
    private static Packet ours(Packet packet, Side side, long firstAddress) {
        List<ExtendedHeader> headers = packet.extended().stream()
                .map(header -> header instanceof ExtendedHeader.Reth reth
                        ? (ExtendedHeader) new ExtendedHeader.Reth(
                                side.memory.address() + ROOM + reth.address() - firstAddress,
                                Side.KEY,
                                reth.lengthBytes())
                        : header)
                .toList();
        return new Packet(packet.route(), packet.bth(), headers, packet.payload());
    }

    private static long firstAddress(List<Packet> packets) {
        return packets.stream()
                .flatMap(packet -> packet.extended().stream())
                .filter(ExtendedHeader.Reth.class::isInstance)
                .mapToLong(header -> ((ExtendedHeader.Reth) header).address())
                .min()
                .orElse(0);
    }

    private static Side ucReceiver(List<Packet> requests) {
        Packet first = requests.getFirst();
        Side side = new Side("server", first.bth().destQp(), SERVER, QpType.UC, false, Profile.SOFT_ROCE, false);
        UcConnection attributes = UcConnection.DEFAULT.withFirstPsn(first.psn());
        PortAddress peer = first.route().source();
        side.machine.modify(attributes.toInit(), side.turn);
        side.machine.modify(attributes.toRtr(new Gid(peer.high(), peer.low()), 1), side.turn);
        return side;
    }

    private static void deliver(Side side, Packet packet) {
        side.machine.receive(packet, side.at(0));
        new Rig(side, side).answerLeases(side);
        side.machine.endTurn();
    }

    /** Returns the payload of each message, reassembled by position, independently of our machines. */
    private static List<byte[]> messages(List<Packet> packets) {
        List<byte[]> messages = new ArrayList<>();
        ByteArrayOutputStream current = new ByteArrayOutputStream();
        for (Packet packet : packets) {
            current.writeBytes(packet.payload().toArray());
            if (packet.operation().ends()) {
                messages.add(current.toByteArray());
                current.reset();
            }
        }
        return messages;
    }

    @ParameterizedTest
    @CsvSource({"uc_pingpong, 4096, 5", "send_bw_uc, 8192, 5"})
    void unreliableSendsAreReassembledByteForByte(String name, int length, int count) throws IOException {
        List<Packet> requests = to(capture(name), SERVER);
        Side side = ucReceiver(requests);
        List<byte[]> expected = messages(requests);
        List<byte[]> got = new ArrayList<>();
        for (Packet packet : requests) {
            if (packet.operation().starts()) {
                side.postReceive(Receive.of(got.size(), side.slice(0, ROOM)));
            }
            deliver(side, packet);
            if (packet.operation().ends()) {
                got.add(side.memory.read(0, length));
            }
        }
        assertThat(side.receives).hasSize(count).allMatch(wc -> wc.isSuccess() && wc.lengthBytes() == length);
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.size(); i++) {
            assertThat(got.get(i)).isEqualTo(expected.get(i));
        }
    }

    @Test
    void unreliableWritesAreStoredAtTheirAddresses() throws IOException {
        List<Packet> requests = to(capture("write_bw_uc"), SERVER);
        Side side = ucReceiver(requests);
        long first = firstAddress(requests);
        requests.forEach(packet -> deliver(side, ours(packet, side, first)));
        assertThat(side.memory.read(ROOM, 8192)).isEqualTo(messages(requests).getLast());
        assertThat(side.counted(Counter.RX_WRITE_REQUESTS)).isEqualTo(5);
        assertThat(side.receives).isEmpty();
    }

    @Test
    void theUcCaseCompletesAsOnSoftRoce() throws IOException {
        List<Packet> requests = to(capture("op_uc_ops"), SERVER);
        Side side = ucReceiver(requests);
        long first = firstAddress(requests);
        for (int i = 0; i < 3; i++) {
            side.postReceive(Receive.of(i, side.slice(i * 4096L, 4096)));
        }
        requests.forEach(packet -> deliver(side, ours(packet, side, first)));
        assertThat(side.receives)
                .extracting(
                        WorkCompletion::workId,
                        WorkCompletion::status,
                        WorkCompletion::kind,
                        WorkCompletion::lengthBytes,
                        WorkCompletion::immediate)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                0L, Status.SUCCESS, CompletionKind.RECV, 3000L, OptionalInt.empty()),
                        org.assertj.core.groups.Tuple.tuple(
                                1L, Status.SUCCESS, CompletionKind.RECV_RDMA_WITH_IMM, 100L, OptionalInt.of(0x55aa)),
                        org.assertj.core.groups.Tuple.tuple(
                                2L, Status.SUCCESS, CompletionKind.RECV, 1L, OptionalInt.of(0x66bb)));
        assertThat(side.memory.read(0, 3000)).isEqualTo(messages(requests).getFirst());
    }

    @Test
    void ourRequesterCutsTheSameRequestsIntoTheSamePackets() throws IOException {
        List<Packet> captured = to(capture("op_uc_ops"), SERVER);
        Packet first = captured.getFirst();
        Side client = new Side("client", 0x4a, CLIENT, QpType.UC, false, Profile.SOFT_ROCE, false);
        UcConnection attributes =
                UcConnection.DEFAULT.withMtu(PathMtu.BYTES_1024).withFirstPsn(first.psn());
        PortAddress peer = first.route().destination();
        client.machine.modify(attributes.toInit(), client.turn);
        client.machine.modify(
                attributes.toRtr(new Gid(peer.high(), peer.low()), first.bth().destQp()), client.turn);
        client.machine.modify(attributes.toRts(), client.turn);
        List<byte[]> data = messages(captured);
        List<Packet> starts =
                captured.stream().filter(p -> p.operation().starts()).toList();
        for (int i = 0; i < starts.size(); i++) {
            client.memory.write(i * 4096L, data.get(i));
            client.post(request(i, starts.get(i), lastOf(captured, i), client, data.get(i).length));
        }
        new Rig(client, client).run(client);
        assertThat(client.out).hasSameSizeAs(captured);
        List<Packet> sent = List.copyOf(client.out);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).bth()).isEqualTo(captured.get(i).bth());
            assertThat(sent.get(i).extended()).isEqualTo(captured.get(i).extended());
            assertThat(sent.get(i).payload()).isEqualTo(captured.get(i).payload());
        }
    }

    private static Packet lastOf(List<Packet> packets, int message) {
        return packets.stream().filter(p -> p.operation().ends()).toList().get(message);
    }

    private static WorkRequest request(int id, Packet starts, Packet ends, Side side, int length) {
        OptionalInt immediate = ends.immediateIfAny();
        if (starts.operation().isWrite()) {
            ExtendedHeader.Reth reth = starts.reth();
            RdmaWrite write = RdmaWrite.of(
                    id,
                    side.slice(id * 4096L, length),
                    new org.hcaactors.api.memory.RemoteAddress(reth.rkey(), reth.address()));
            boolean solicited = ends.bth().solicited();
            write = solicited ? write.withSolicited() : write;
            return immediate.isPresent() ? write.withImmediate(immediate.getAsInt()) : write;
        }
        Send plain = Send.of(id, side.slice(id * 4096L, length));
        Send send = ends.bth().solicited() ? plain.withSolicited() : plain;
        return immediate.isPresent() ? send.withImmediate(immediate.getAsInt()) : send;
    }

    private static Side udReceiver(int number, int qkey) {
        Side side = new Side("server", number, SERVER, QpType.UD, false, Profile.SOFT_ROCE, false);
        side.machine.modify(
                QpModify.to(
                        QpState.INIT,
                        new QpAttribute.PkeyIndex(0),
                        new QpAttribute.Port(1),
                        new QpAttribute.Qkey(QKey.of(qkey))),
                side.turn);
        side.machine.modify(QpModify.to(QpState.RTR), side.turn);
        return side;
    }

    @ParameterizedTest
    @CsvSource({"ud_pingpong, 1024, 5, 0x11111111", "udaddy, 100, 2, 0x01234567"})
    void datagramsArriveWithTheirSender(String name, int length, int count, String qkey) throws IOException {
        List<Packet> datagrams = to(capture(name), SERVER).stream()
                .filter(packet -> packet.bth().destQp() != 1)
                .toList();
        Side side = udReceiver(datagrams.getFirst().bth().destQp(), Integer.decode(qkey));
        for (Packet packet : datagrams) {
            side.postReceive(Receive.of(1, side.slice(0, 40 + length)));
            deliver(side, packet);
            assertThat(side.memory.read(40, length)).isEqualTo(packet.payload().toArray());
            WorkCompletion wc = side.receives.getLast();
            assertThat(wc.lengthBytes()).isEqualTo(40 + length);
            assertThat(wc.immediate()).isEqualTo(packet.immediateIfAny());
            assertThat(wc.datagram().orElseThrow().sourceQp())
                    .isEqualTo(packet.deth().sourceQp());
        }
        assertThat(side.receives).hasSize(count).allMatch(WorkCompletion::isSuccess);
    }

    /** Rule ud-sender-address: of the 40 bytes before a datagram the last 20 are its IPv4 header. */
    @ParameterizedTest
    @CsvSource({"ud_pingpong, 0x11111111", "udaddy, 0x01234567"})
    void theReceivedIpHeaderPrecedesADatagram(String name, String qkey) throws IOException {
        List<RoceFrame> datagrams = frames(name).stream()
                .filter(frame -> frame.packet().bth().destQp() != 1)
                .toList();
        assertThat(datagrams).anyMatch(frame -> frame.packet().route().identification() != 0);
        for (RoceFrame frame : datagrams) {
            Packet packet = frame.packet();
            Side side = udReceiver(packet.bth().destQp(), Integer.decode(qkey));
            side.postReceive(Receive.of(1, side.slice(0, 2048)));
            deliver(side, packet);
            byte[] wire = FrameEncoder.encode(frame);
            int ip = frame.link().length();
            assertThat(side.memory.read(0, 20)).containsOnly(0);
            assertThat(side.memory.read(20, 20)).isEqualTo(Arrays.copyOfRange(wire, ip, ip + 20));
        }
    }

    @Test
    void aDatagramWithAWrongQueueKeyCompletesNothingAsOnSoftRoce() throws IOException {
        Packet packet = to(capture("op_ud_bad_qkey"), SERVER).getFirst();
        Side side = udReceiver(packet.bth().destQp(), 0x11111111);
        side.postReceive(Receive.of(1, side.slice(0, 1024)));
        deliver(side, packet);
        assertThat(side.receives).isEmpty();
        assertThat(side.counted(Counter.QKEY_VIOL_CNTR)).isEqualTo(1);
    }

    /** Sixteen SENDs of ours to a Linux peer with two receives: it completed two, and then answered with an RNR pair. */
    private static final String RNR_PAIR = "live/rnr_timeout0_hang.pcapng";

    private static final int OURS = 0x4D0001;

    private static Side rcSide(int number, int host, RcConnection attributes, Packet incoming, int peer) {
        Side side = new Side("live", number, host, QpType.RC, false, Profile.SOFT_ROCE, true);
        PortAddress from = incoming.route().source();
        side.machine.modify(attributes.toInit(), side.turn);
        side.machine.modify(attributes.toRtr(new Gid(from.high(), from.low()), peer), side.turn);
        side.machine.modify(attributes.toRts(), side.turn);
        return side;
    }

    @Test
    void aPacketWithoutReceiveIsAnsweredWithThePairThatLinuxSends() throws IOException {
        List<Packet> all = capture(RNR_PAIR);
        List<Packet> requests = to(all, SERVER);
        Packet first = requests.getFirst();
        RcConnection attributes =
                RcConnection.DEFAULT.withFirstPsn(first.psn()).withRnrRetry(7).withMinRnrTimerCode(12);
        Side server = rcSide(first.bth().destQp(), SERVER, attributes, first, 0x11);
        server.postReceive(Receive.of(1, server.slice(0, 64)));
        server.postReceive(Receive.of(2, server.slice(64, 64)));
        for (Packet request : requests) {
            deliver(server, request);
            server.machine.transmit(64, server.at(0));
        }
        List<Packet> theirs = to(all, OURS);
        assertThat(server.out).hasSize(4).hasSameSizeAs(theirs);
        assertThat(server.out)
                .extracting(Packet::psn)
                .isEqualTo(theirs.stream().map(Packet::psn).toList());
        assertThat(server.out)
                .extracting(Packet::aeth)
                .isEqualTo(theirs.stream().map(Packet::aeth).toList());
    }

    @Test
    void theCapturedRnrPairDoesNotBlockARequesterWithoutTimeout() throws IOException {
        List<Packet> all = capture(RNR_PAIR);
        Packet first = to(all, SERVER).getFirst();
        List<Packet> answers = to(all, OURS);
        RcConnection attributes = RcConnection.DEFAULT
                .withFirstPsn(first.psn())
                .withTimeoutCode(0)
                .withRetryCount(7)
                .withRnrRetry(7)
                .withMinRnrTimerCode(12);
        Side client =
                rcSide(0x11, OURS, attributes, answers.getFirst(), first.bth().destQp());
        for (int i = 0; i < 16; i++) {
            client.post(Send.of(i, client.slice(0, 64)));
        }
        new Rig(client, client).run(client);
        client.out.clear();
        answers.forEach(answer -> client.machine.receive(answer, client.at(1000)));
        assertThat(client.sends).hasSize(2);
        assertThat(client.machine.nextDeadline()).isEqualTo(641_000);
        client.machine.timeout(client.at(641_000));
        client.machine.transmit(64, client.at(641_000));
        assertThat(client.out).hasSize(14);
        assertThat(client.out.getFirst().psn()).isEqualTo(answers.getLast().psn());
    }

    private static Side rcWithSharedReceives(Packet first) {
        Side side = new Side("server", first.bth().destQp(), SERVER, QpType.RC, true, Profile.SOFT_ROCE, false);
        side.grant(0x555_00, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        RcConnection attributes = RcConnection.DEFAULT.withFirstPsn(first.psn());
        PortAddress peer = first.route().source();
        side.machine.modify(attributes.toInit(), side.turn);
        side.machine.modify(attributes.toRtr(new Gid(peer.high(), peer.low()), 1), side.turn);
        return side;
    }

    /** One queue for all: each message takes the oldest receive. */
    private static void deliverShared(Side side, Packet packet, java.util.Deque<Receive> shared) {
        side.sources.srq.addAll(shared);
        shared.clear();
        side.machine.receive(packet, side.at(0));
        new Rig(side, side).answerLeases(side);
        shared.addAll(side.sources.srq);
        side.sources.srq.clear();
        side.machine.transmit(64, side.at(0));
        side.machine.endTurn();
    }

    @ParameterizedTest
    @CsvSource({"op_srq, 1, 4", "srq_pingpong, 3, 10"})
    void sharedReceivesAreTakenInOrderAndAcknowledgedAsOnSoftRoce(String name, int queuePairs, int messages)
            throws IOException {
        List<Packet> all = capture(name);
        List<Packet> requests = to(all, SERVER).stream()
                .filter(packet -> !packet.operation().isResponse())
                .toList();
        java.util.SortedMap<Integer, Side> sides = new java.util.TreeMap<>();
        java.util.Deque<Receive> shared = new java.util.ArrayDeque<>();
        List<Long> order = new ArrayList<>();
        List<Packet> acks = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            shared.add(Receive.of(100 + i, new org.hcaactors.api.memory.LocalSlice(0x555_00, 0, 0)));
        }
        for (Packet packet : requests) {
            Side side = sides.computeIfAbsent(packet.bth().destQp(), qp -> rcWithSharedReceives(packet));
            shared = withMemory(shared, side);
            int before = side.receives.size();
            deliverShared(side, packet, shared);
            side.receives.stream().skip(before).forEach(wc -> order.add(wc.workId()));
            acks.addAll(side.out);
            side.out.clear();
        }
        assertThat(sides).hasSize(queuePairs);
        long sent = requests.stream().filter(p -> p.operation().ends()).count();
        assertThat(order).hasSize((int) sent).isSorted();
        assertThat(sent).isEqualTo(messages);
        List<Packet> theirs = to(all, CLIENT).stream()
                .filter(packet -> packet.operation() == Operation.ACKNOWLEDGE)
                .toList();
        assertThat(acks)
                .extracting(Packet::psn)
                .containsExactlyInAnyOrderElementsOf(
                        theirs.stream().map(Packet::psn).toList());
        assertThat(acks)
                .extracting(p -> p.aeth().msn())
                .containsExactlyInAnyOrderElementsOf(
                        theirs.stream().map(p -> p.aeth().msn()).toList());
    }

    private static java.util.Deque<Receive> withMemory(java.util.Deque<Receive> shared, Side side) {
        java.util.Deque<Receive> mapped = new java.util.ArrayDeque<>();
        shared.forEach(receive -> mapped.add(Receive.of(receive.id(), side.slice(0x555_00, 0, 4096))));
        return mapped;
    }
}
