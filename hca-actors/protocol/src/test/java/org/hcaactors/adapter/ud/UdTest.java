// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable datagrams (the page ud of the rule book). */
class UdTest {
    static final int QKEY = 0x1111_1111;
    private static final int GRH = 40;

    static Rig rig() {
        return rig(Profile.CONNECTX_5, false);
    }

    static Rig rig(Profile profile, boolean shared) {
        Side a = new Side("a", 0x11, 1, QpType.UD, false, profile, false);
        Side b = new Side("b", 0x22, 2, QpType.UD, shared, profile, false);
        ready(a, QKEY);
        ready(b, QKEY);
        return new Rig(a, b);
    }

    static void ready(Side side, int qkey) {
        initialize(side, qkey);
        side.machine.modify(QpModify.to(QpState.RTR), side.turn);
        side.machine.modify(QpModify.to(QpState.RTS, new QpAttribute.SendPsn(7)), side.turn);
    }

    static void initialize(Side side, int qkey) {
        side.machine.modify(
                QpModify.to(
                        QpState.INIT,
                        new QpAttribute.PkeyIndex(0),
                        new QpAttribute.Port(1),
                        new QpAttribute.Qkey(QKey.of(qkey))),
                side.turn);
    }

    static Destination.Datagram to(Side from, Side peer, int qkey, int domain) {
        AddressVector vector = AddressVector.to(new Gid(peer.port.high(), peer.port.low()));
        DatagramPath path = DatagramPath.of(vector, domain, from.local);
        return new Destination.Datagram(path, peer.number, qkey);
    }

    static Destination.Datagram to(Rig rig) {
        return to(rig.a, rig.b, QKEY, 1);
    }

    // rules ud-sender-address, ud-network-header
    @Test
    void aDatagramArrivesBehindTheSendersAddress() {
        Rig rig = rig();
        rig.fill(rig.a, 0, 100, 3);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 100)).withImmediate(5).withSignaled(), to(rig));
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.UD_SEND_ONLY_IMM);
        assertThat(rig.wire.getFirst().psn()).isEqualTo(7);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.lengthBytes()).as("with the 40 bytes").isEqualTo(140);
            assertThat(wc.immediate()).hasValue(5);
            assertThat(wc.datagram()).hasValueSatisfying(from -> {
                assertThat(from.sourceQp()).isEqualTo(rig.a.number);
                assertThat(from.globalRoute()).isTrue();
                assertThat(from.pkeyIndex()).isZero();
                assertThat(from.ipv4()).isTrue();
            });
        });
        assertThat(rig.b.memory.read(GRH, 100)).isEqualTo(rig.a.memory.read(0, 100));
        byte[] area = rig.b.memory.read(0, GRH);
        assertThat(area[20]).as("IPv4 header in the last 20 bytes").isEqualTo((byte) 0x45);
        assertThat(new byte[] {area[32], area[33], area[34], area[35]}).containsExactly(10, 0, 0, 1);
        assertThat(new byte[] {area[36], area[37], area[38], area[39]}).containsExactly(10, 0, 0, 2);
    }

    // rule ud-sender-address
    @Test
    void anEmptyDatagramIsFortyBytes() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, GRH)));
        rig.a.post(Send.of(1), to(rig));
        rig.run();
        assertThat(rig.b.receives)
                .singleElement()
                .satisfies(wc -> assertThat(wc.lengthBytes()).isEqualTo(GRH));
    }

    // rule ud-qkey
    @Test
    void aWrongQueueKeyIsDroppedAndCounted() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled(), to(rig.a, rig.b, QKEY + 1, 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).as("the sender learns nothing").containsExactly(Status.SUCCESS);
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.counted(Counter.QKEY_VIOL_CNTR)).isEqualTo(1);
    }

    // rule ud-own-qkey
    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0x8001_0000, 0xFFFF_FFFF})
    void aRemoteQkeyWithItsHighBitSetUsesTheSendersOwn(int qkey) {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig.a, rig.b, qkey, 1));
        rig.run();
        assertThat(rig.wire.getFirst().deth().qkey()).isEqualTo(QKEY);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule qp-pkey
    @Test
    void aWrongPartitionKeyIsDroppedAndCounted() {
        Rig rig = rig();
        rig.b.local.change(now -> now.withPkeyTable(java.util.List.of(0x8123)));
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.run();
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.counted(Counter.BAD_PKEY_CNTR)).isEqualTo(1);
    }

    // rules ud-one-packet, qp-sqe
    @Test
    void moreThanThePortsMtuIsLocLenErrAndSqe() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, PathMtu.BYTES_4096.bytes() + 1)), to(rig));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_LEN_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
        assertThat(rig.wire).isEmpty();
    }

    // rule ud-one-packet
    @Test
    void exactlyThePortsMtuIsSent() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 8192)));
        rig.a.post(Send.of(1, rig.a.slice(0, PathMtu.BYTES_4096.bytes())), to(rig));
        rig.run();
        assertThat(rig.b.receives)
                .singleElement()
                .satisfies(wc -> assertThat(wc.lengthBytes()).isEqualTo(4136));
    }

    // rule ud-foreign-path
    @Test
    void anAddressHandleOfAnotherDomainIsALocalError() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig.a, rig.b, QKEY, 2));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_QP_OP_ERR);
    }

    // rule ud-no-receive
    @Test
    void withoutAReceiveADatagramIsDropped() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.run();
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule ud-too-long
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDatagramLongerThanItsReceiveIsDroppedAndTheReceiveStays(boolean soft) {
        Rig rig = rig(soft ? Profile.SOFT_ROCE : Profile.CONNECTX_5, false);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 47)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.a.post(Send.of(2, rig.a.slice(0, 7)), to(rig));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule ud-too-long
    @Test
    void aSharedReceiveThatIsTooSmallCompletesWithAnError() {
        assertThat(aShortSharedReceive(Profile.SOFT_ROCE)).isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(aShortSharedReceive(Profile.CONNECTX_5)).isEqualTo(Status.LOC_LEN_ERR);
    }

    private static Status aShortSharedReceive(Profile profile) {
        Rig rig = rig(profile, true);
        rig.b.grant(0x555_00, Side.SRQ_DOMAIN, 0, 1024, org.hcaactors.api.memory.AccessFlags.LOCAL_AND_REMOTE);
        rig.b.sources.srq.add(Receive.of(9, rig.b.slice(0x555_00, 0, 47)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.run();
        return rig.b.receives.getFirst().status();
    }

    @Test
    void aReceiveMayReachBeyondItsRegionIfTheDatagramEndsBefore() {
        Rig rig = rig();
        rig.b.grant(0x777_00, 1, 0, GRH + 8, org.hcaactors.api.memory.AccessFlags.LOCAL_AND_REMOTE);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0x777_00, 0, 300)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule ud-receive-memory
    @Test
    void aReceiveThatCanNotBeWrittenFailsAndTakesTheQueuePairToErr() {
        Rig rig = rig();
        rig.b.grant(0x777_00, Access.REMOTE_READ);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0x777_00, 0, 300)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule qp-sqe
    @Test
    void anUnreadableBufferMovesToSqeAndReceivingContinues() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0x999_00, 0, 8)), to(rig));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)), to(rig));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        rig.a.postReceive(Receive.of(9, rig.a.slice(0, 64)));
        rig.b.post(Send.of(3, rig.b.slice(0, 8)), to(rig.b, rig.a, QKEY, 1));
        rig.run();
        assertThat(rig.a.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
    }

    @Test
    void theQueueKeyCanBeChangedInRts() {
        Rig rig = rig();
        rig.b.machine.modify(QpModify.to(QpState.RTS, new QpAttribute.Qkey(QKey.of(42))), rig.b.turn);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)), to(rig));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)), to(rig.a, rig.b, 42, 1));
        rig.run();
        assertThat(rig.b.receives).hasSize(1);
    }

    @Test
    void psnsIncreaseByOneAMessageAndGapsAreAccepted() {
        Rig rig = rig();
        for (int i = 0; i < 3; i++) {
            rig.b.postReceive(Receive.of(i, rig.b.slice(0, 1024)));
            rig.a.post(Send.of(i, rig.a.slice(0, 8)), to(rig));
        }
        rig.lets = (from, packet) -> packet.psn() != 8;
        rig.run();
        assertThat(rig.wire).extracting(packet -> packet.psn()).containsExactly(7, 8, 9);
        assertThat(rig.b.receives).hasSize(2);
    }

    @Test
    void aPathFromAnEmptyEntryOfTheGidTableIsRefused() {
        LocalPort port = rig().a.local;
        AddressVector vector =
                AddressVector.to(GlobalRoute.to(Gid.ofIpv4(10, 0, 0, 2)).withSourceGidIndex(3));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> DatagramPath.checked(vector, port))
                .hasMessageContaining("GID index 3");
        assertThat(port.source(3, true)).isEqualTo(PortAddress.unspecified(true));
    }
}
