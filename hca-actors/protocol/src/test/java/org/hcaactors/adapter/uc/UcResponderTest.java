// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.message.PacketLengths;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.Immediate;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad and incomplete messages on an unreliable connection (rule uc-whole-or-nothing; IBA 9.8.2). */
class UcResponderTest {
    private static final int MTU = 256;
    private static final int SRQ_KEY = 0x555_00;
    private static final int READ_ONLY_KEY = 0x777_00;

    private static Rig rig() {
        return UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5);
    }

    /** Side b has a shared receive queue. */
    private static Rig sharing() {
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5, true);
        rig.b.grant(SRQ_KEY, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        return rig;
    }

    private static Reth reth(Rig rig, int key, int bytes) {
        return new Reth(rig.b.memory.address(), key, bytes);
    }

    private static void inject(Rig rig, Opcode opcode, int psn, int bytes, ExtendedHeader... headers) {
        rig.inject(rig.b, opcode, psn, bytes, headers);
        rig.run();
    }

    private record Wrong(Opcode opcode, int bytes, int key, int rdmaBytes, String word) {
        ExtendedHeader[] headers(Rig rig) {
            return opcode.operation().isWrite()
                    ? new ExtendedHeader[] {reth(rig, key, rdmaBytes)}
                    : new ExtendedHeader[0];
        }

        @Override
        public String toString() {
            return opcode + " of " + bytes + " bytes";
        }
    }

    static List<Wrong> wrong() {
        return List.of(
                new Wrong(Opcode.UC_SEND_FIRST, MTU - 1, 0, 0, "wrong length"),
                new Wrong(Opcode.UC_SEND_ONLY, MTU + 1, 0, 0, "wrong length"),
                new Wrong(Opcode.UC_SEND_LAST, 8, 0, 0, "part of a message that was dropped"),
                new Wrong(Opcode.UC_WRITE_FIRST, MTU - 1, Side.KEY, 1000, "wrong length"),
                new Wrong(Opcode.UC_WRITE_ONLY, 8, Side.KEY, 9, "wrong length"),
                new Wrong(Opcode.UC_WRITE_ONLY, 8, READ_ONLY_KEY, 8, "R_Key 0x00077700"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongPacketIsHandledOnceAndTheNextMessageArrives(Wrong wrong) {
        Rig rig = rig();
        rig.b.grant(READ_ONLY_KEY, Access.REMOTE_READ);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        inject(rig, wrong.opcode, 100, wrong.bytes, wrong.headers(rig));
        assertThat(rig.b.discarded).singleElement().asString().startsWith(wrong.word);
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(101);
        assertThat(rig.b.snapshot().pending().heldPackets()).isZero();
        inject(rig, Opcode.UC_SEND_ONLY, 101, 8);
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly(8L);
        assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isZero();
    }

    @Test
    void aWriteWithoutRemoteWriteAccessIsReportedOnce() {
        Rig rig = UcTest.rig(UcTest.TERMS.withRemoteAccess(AccessFlags.NONE), Profile.CONNECTX_5);
        inject(rig, Opcode.UC_WRITE_ONLY, 100, 8, reth(rig, Side.KEY, 8));
        assertThat(rig.b.discarded).containsExactly("the queue pair accepts no WRITE");
        assertThat(rig.b.snapshot().pending().heldPackets()).isZero();
    }

    // rule uc-starts-afresh
    @Test
    void aMessageThatStartsBeforeTheLastEndedReusesItsReceive() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        inject(rig, Opcode.UC_SEND_FIRST, 100, MTU);
        inject(rig, Opcode.UC_SEND_ONLY, 101, 8);
        assertThat(rig.b.discarded).containsExactly("the previous message did not end; the message is dropped");
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly(8L);
        inject(rig, Opcode.UC_WRITE_FIRST, 102, MTU, reth(rig, Side.KEY, 1000));
        inject(rig, Opcode.UC_WRITE_ONLY, 103, 8, reth(rig, Side.KEY, 8));
        assertThat(rig.b.discarded).hasSize(2).endsWith("the previous message did not end; the message is dropped");
        inject(rig, Opcode.UC_WRITE_ONLY, 104, 8, reth(rig, Side.KEY, 8));
        assertThat(rig.b.discarded).hasSize(2);
    }

    static Stream<Arguments> mixed() {
        return Stream.of(
                arguments(Opcode.UC_SEND_FIRST, Opcode.UC_WRITE_MIDDLE),
                arguments(Opcode.UC_WRITE_FIRST, Opcode.UC_SEND_MIDDLE));
    }

    @ParameterizedTest
    @MethodSource("mixed")
    void aPacketOfAnotherOperationDoesNotContinueAMessage(Opcode first, Opcode middle) {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        Wrong begun = new Wrong(first, MTU, Side.KEY, 1000, "");
        inject(rig, first, 100, MTU, begun.headers(rig));
        assertThat(rig.b.discarded).isEmpty();
        inject(rig, middle, 101, MTU);
        assertThat(rig.b.discarded).hasSize(2).endsWith("part of a message that was dropped");
        inject(rig, Opcode.UC_SEND_ONLY, 102, 8);
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly(8L);
    }

    @Test
    void theRestOfATooLongMessageIsIgnored() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 300)));
        inject(rig, Opcode.UC_SEND_FIRST, 100, MTU);
        inject(rig, Opcode.UC_SEND_MIDDLE, 101, MTU);
        assertThat(rig.b.discarded)
                .containsExactly("longer than the receive; the message is dropped", "longer than the receive");
        inject(rig, Opcode.UC_SEND_LAST, 102, 8);
        assertThat(rig.b.discarded).hasSize(3).endsWith("part of a message that was dropped");
        assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isZero();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_LEN_ERR);
    }

    @Test
    void packetsWaitingBehindAFailedReceiveAreDiscarded() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.b.postReceive(Receive.of(9, rig.b.slice(0x999_00, 0, 64)));
        inject(rig, Opcode.UC_SEND_ONLY, 100, 8);
        inject(rig, Opcode.UC_WRITE_ONLY, 101, 8, reth(rig, Side.KEY, 8));
        assertThat(rig.b.snapshot().pending().heldPackets()).isEqualTo(2);
        rig.answersLeases = true;
        rig.run();
        assertThat(rig.b.discarded).containsExactly("the receive's memory can't be used", "the queue pair has failed");
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void aMessageWaitsForTheSharedQueuesAnswer() {
        Rig rig = sharing();
        rig.b.sources.srq.add(Receive.of(4, rig.b.slice(SRQ_KEY, 0, 64)));
        rig.b.sources.srq.add(Receive.of(5));
        rig.inject(rig.b, Opcode.UC_SEND_ONLY, 100, 8);
        rig.inject(rig.b, Opcode.UC_WRITE_ONLY_IMM, 101, 8, reth(rig, Side.KEY, 8), new Immediate(7));
        assertThat(rig.b.snapshot().pending().heldPackets()).isEqualTo(2);
        rig.run();
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(4L, 5L);
        assertThat(rig.b.discarded).isEmpty();
    }

    @Test
    void aMessageThatFindsTheSharedQueueEmptyIsDropped() {
        Rig rig = sharing();
        inject(rig, Opcode.UC_SEND_ONLY, 100, 8);
        inject(rig, Opcode.UC_WRITE_ONLY_IMM, 101, 8, reth(rig, Side.KEY, 8), new Immediate(7));
        assertThat(rig.b.discarded)
                .containsExactly("its shared receive queue is empty", "its shared receive queue is empty");
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(2);
        assertThat(rig.b.snapshot().pending().heldPackets()).isZero();
    }

    // rule uc-receive-goes-back
    @Test
    void anAbandonedMessageFailsItsReceiveOfASharedQueue() {
        Rig rig = sharing();
        rig.b.sources.srq.add(Receive.of(4, rig.b.slice(SRQ_KEY, 0, 1024)));
        rig.b.sources.srq.add(Receive.of(5, rig.b.slice(SRQ_KEY, 0, 1024)));
        inject(rig, Opcode.UC_SEND_FIRST, 100, MTU);
        inject(rig, Opcode.UC_SEND_ONLY, 103, 8);
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(4L, 5L);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.REM_INV_REQ_ERR, Status.SUCCESS);
        assertThat(rig.b.failures)
                .containsExactly(
                        "a packet of the message is missing; its receive, taken from a shared receive queue, can't be returned");
    }

    // rule qp-peer
    @Test
    void aPacketFromAnotherAddressIsDropped() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        PortAddress stranger = PortAddress.ofIpv4(0x0A00_0009);
        rig.lets = (from, packet) -> {
            Packet forged =
                    new Packet(packet.route().withSource(stranger), packet.bth(), packet.extended(), packet.payload());
            rig.b.machine.receive(forged, rig.b.at(rig.now));
            return false;
        };
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.discarded).containsExactly("from " + stranger + ", which is not the peer");
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(100);
    }

    @Test
    void aWriteWhoseMemoryIsLostIsDroppedFromThatPacketOn() {
        Rig rig = rig();
        rig.fill(rig.a, 0, 3 * MTU, 7);
        inject(rig, Opcode.UC_WRITE_FIRST, 100, MTU, reth(rig, Side.KEY, 3 * MTU));
        assertThat(rig.b.counted(Counter.RX_WRITE_REQUESTS)).isOne();
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.b.grant(Side.KEY, 1, 0, 2 * MTU, AccessFlags.LOCAL_AND_REMOTE);
        inject(rig, Opcode.UC_WRITE_MIDDLE, 101, MTU);
        assertThat(rig.b.discarded).isEmpty();
        inject(rig, Opcode.UC_WRITE_LAST, 102, MTU);
        assertThat(rig.b.discarded)
                .first(STRING)
                .startsWith("R_Key 0x00010000 covers 512 bytes")
                .contains("the 256 bytes from 0x%x are not inside".formatted(rig.b.memory.address() + 2 * MTU));
        assertThat(rig.b.counted(Counter.RX_WRITE_REQUESTS)).isOne();
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aWriteIsNotLongerThanTheLargestMessage() {
        Rig rig = rig();
        long max = PacketLengths.MAX_RDMA_BYTES;
        rig.b.keys.put(
                Side.KEY,
                new Region(Side.KEY, 1, 0, Long.MAX_VALUE, AccessFlags.LOCAL_AND_REMOTE, rig.b.memory)
                        .lease(Side.KEY, grant -> {}, List.of()));
        inject(rig, Opcode.UC_WRITE_FIRST, 100, MTU, reth(rig, Side.KEY, (int) max));
        assertThat(rig.b.discarded).isEmpty();
        inject(rig, Opcode.UC_WRITE_FIRST, 101, MTU, reth(rig, Side.KEY, (int) (max + 1)));
        assertThat(rig.b.discarded).endsWith("wrong length");
    }
}
