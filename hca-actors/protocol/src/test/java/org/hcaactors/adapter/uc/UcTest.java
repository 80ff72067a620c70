// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unreliable connected transport (the page uc of the rule book). */
public class UcTest {
    public static final UcConnection TERMS =
            UcConnection.DEFAULT.withMtu(PathMtu.BYTES_256).withFirstPsn(100);

    private static Rig rig() {
        return rig(TERMS, Profile.CONNECTX_5);
    }

    public static Rig rig(UcConnection attributes, Profile profile) {
        return rig(attributes, profile, false);
    }

    /** @param shared whether side b has a shared receive queue */
    public static Rig rig(UcConnection attributes, Profile profile, boolean shared) {
        Side a = new Side("a", 0x11, 1, QpType.UC, false, profile, false);
        Side b = new Side("b", 0x22, 2, QpType.UC, shared, profile, false);
        return rig(a, b, attributes);
    }

    /** @param inlineBytes maximum length of messages delivered in their completions */
    public static Rig rig(UcConnection attributes, Profile profile, int inlineBytes) {
        QpCapacity capacity = QpCapacity.DEFAULT.withMaxInlineReceiveBytes(inlineBytes);
        Side a = new Side("a", 0x11, 1, QpType.UC, false, profile, false, capacity);
        Side b = new Side("b", 0x22, 2, QpType.UC, false, profile, false, capacity);
        return rig(a, b, attributes);
    }

    private static Rig rig(Side a, Side b, UcConnection attributes) {
        connect(a, b, attributes);
        connect(b, a, attributes);
        return new Rig(a, b);
    }

    private static void connect(Side side, Side peer, UcConnection attributes) {
        Gid gid = new Gid(peer.port.high(), peer.port.low());
        side.machine.modify(attributes.toInit(), side.turn);
        side.machine.modify(attributes.toRtr(gid, peer.number), side.turn);
        side.machine.modify(attributes.toRts(), side.turn);
    }

    // rule memory-key-work
    @Test
    void aKeyChangeDelaysLaterRequests() {
        Rig rig = rig();
        rig.a.post(LocalInvalidate.of(1, 0x300).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        assertThat(rig.wire).isEmpty();
        rig.a.machine.keyChanged(rig.a.changes.remove(), Optional.empty(), rig.a.at(rig.now));
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.wire.getFirst().psn()).isEqualTo(100);
    }

    // rules memory-key-work, qp-sqe
    @Test
    void aChangeThatIsRefusedTakesTheSendQueueToItsErrorState() {
        Rig rig = rig();
        rig.a.post(LocalInvalidate.of(1, 0x300));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        rig.run();
        rig.a.machine.keyChanged(rig.a.changes.remove(), Optional.of(new Denial.Unregistered()), rig.a.at(rig.now));
        rig.a.machine.keyChanged(1, Optional.empty(), rig.a.at(rig.now));
        assertThat(rig.a.sends)
                .extracting(WorkCompletion::status)
                .containsExactly(Status.LOC_QP_OP_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
    }

    // rule uc-complete-on-wire
    @Test
    void aSendOfThreePacketsIsReceivedWithoutAcknowledgements() {
        Rig rig = rig();
        rig.fill(rig.a, 0, 700, 3);
        rig.b.postReceive(Receive.of(9, rig.b.slice(4096, 1024)));
        rig.a.post(
                Send.of(1, rig.a.slice(0, 700)).withImmediate(77).withSignaled().withSolicited());
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.UC_SEND_FIRST, Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST_IMM);
        assertThat(rig.wire).allMatch(packet -> !packet.bth().ackReq());
        assertThat(rig.wire).extracting(packet -> packet.bth().solicited()).containsExactly(false, false, true);
        assertThat(rig.wire).extracting(packet -> packet.psn()).containsExactly(100, 101, 102);
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.workId()).isEqualTo(9);
            assertThat(wc.lengthBytes()).isEqualTo(700);
            assertThat(wc.immediate()).hasValue(77);
        });
        assertThat(rig.b.solicited).containsExactly(true);
        assertThat(rig.b.memory.read(4096, 700)).isEqualTo(rig.a.memory.read(0, 700));
        assertThat(rig.b.machine.nextDeadline()).as("no timers").isEqualTo(Long.MAX_VALUE);
    }

    // rule uc-complete-on-wire
    @Test
    void aRequestCompletesWhenItsLastPacketIsSent() {
        Rig rig = rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(Send.of(1, rig.a.slice(0, 700)).withSignaled());
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    @Test
    void aWriteArrivesAndAWriteWithImmediateTakesAReceive() {
        Rig rig = rig();
        rig.fill(rig.a, 0, 600, 5);
        rig.b.postReceive(Receive.of(9));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 600), rig.b.remote(8192)));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0, 600), rig.b.remote(16384)).withImmediate(5));
        rig.run();
        assertThat(rig.b.memory.read(8192, 600)).isEqualTo(rig.a.memory.read(0, 600));
        assertThat(rig.b.memory.read(16384, 600)).isEqualTo(rig.a.memory.read(0, 600));
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.kind()).isEqualTo(CompletionKind.RECV_RDMA_WITH_IMM);
            assertThat(wc.lengthBytes()).isEqualTo(600);
        });
    }

    // rules uc-whole-or-nothing, uc-receive-goes-back
    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"UC_SEND_FIRST", "UC_SEND_MIDDLE", "UC_SEND_LAST"})
    void aMessageWithALostPacketIsDroppedAndItsReceiveIsReused(Opcode lost) {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(4096, 1024)));
        rig.lets = (from, packet) -> packet.opcode() != lost;
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.run();
        rig.lets = (from, packet) -> true;
        rig.fill(rig.a, 0, 600, 8);
        rig.a.post(Send.of(2, rig.a.slice(0, 600)));
        rig.run();
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.workId()).isEqualTo(9);
            assertThat(wc.lengthBytes()).isEqualTo(600);
        });
        assertThat(rig.b.memory.read(4096, 600)).isEqualTo(rig.a.memory.read(0, 600));
        assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isEqualTo(1);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule uc-starts-afresh
    @Test
    void afterAGapTheNextFirstOrOnlySetsTheExpectedPsn() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.UC_SEND_ONLY, 500, 0);
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(501);
    }

    @Test
    void aReceiveMayReachBeyondItsRegionIfTheMessageEndsBefore() {
        Rig rig = rig();
        rig.b.grant(0x66600, 1, 0, 300, AccessFlags.LOCAL_AND_REMOTE);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0x66600, 0, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 300)));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-no-bytes
    @Test
    void anAdapterMayCheckTheRkeyOfAZeroLengthWrite() {
        for (Profile profile :
                List.of(Profile.CONNECTX_6, Profile.CONNECTX_6.with(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES))) {
            Rig rig = rig(TERMS, profile);
            rig.b.postReceive(Receive.of(9));
            rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 0), new org.hcaactors.api.memory.RemoteAddress(0xBAD00, 12345))
                    .withImmediate(5));
            rig.run();
            boolean checks = profile.has(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES);
            assertThat(rig.b.receives).hasSize(checks ? 0 : 1);
        }
    }

    // rule uc-refused-in-silence
    @Test
    void withoutAReceiveAMessageIsDroppedInSilence() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.run();
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.events).doesNotContain(AsyncEvent.Kind.QP_REQ_ERR);
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(1);
        assertThat(rig.b.discarded).startsWith("no receive is posted");
        assertThat(rig.naks()).isZero();
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule uc-refused-in-silence
    @Test
    void aWriteThatItsKeyForbidsIsDroppedAndTheQueuePairStaysUp() {
        Rig rig = rig();
        rig.b.grant(0x777_00, Access.REMOTE_READ);
        rig.a.post(RdmaWrite.of(
                        1,
                        rig.a.slice(0, 600),
                        new org.hcaactors.api.memory.RemoteAddress(0x777_00, rig.b.memory.address()))
                .withSignaled());
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.counted(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
        assertThat(rig.b.memory.read(0, 600)).containsOnly(0);
    }

    // rule uc-refused-in-silence
    @Test
    void aWriteToAQueuePairThatAllowsNoneIsDropped() {
        Rig rig = rig(TERMS.withRemoteAccess(AccessFlags.NONE), Profile.CONNECTX_5);
        rig.fill(rig.a, 0, 8, 1);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        assertThat(rig.b.memory.read(0, 8)).containsOnly(0);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule uc-whole-or-nothing
    @Test
    void aWriteWithALostMiddleMayLeaveBytesButTakesNoReceive() {
        Rig rig = rig();
        rig.fill(rig.a, 0, 700, 3);
        rig.b.postReceive(Receive.of(9));
        rig.lets = (from, packet) -> packet.opcode() != Opcode.UC_WRITE_MIDDLE;
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 700), rig.b.remote(0)).withImmediate(1));
        rig.run();
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.memory.read(0, 256)).isEqualTo(rig.a.memory.read(0, 256));
        assertThat(rig.b.memory.read(512, 188)).containsOnly(0);
    }

    // rule uc-send-too-long
    @Test
    void aSendLongerThanItsReceiveCompletesItWithLocLenErr() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 300)));
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_LEN_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule uc-send-too-long
    @Test
    void onSoftRoceATooLongSendIsDroppedAndTheReceiveKept() {
        Rig rig = rig(TERMS, Profile.SOFT_ROCE);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 300)));
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.a.post(Send.of(2, rig.a.slice(0, 200)));
        rig.run();
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.status()).isEqualTo(Status.SUCCESS);
            assertThat(wc.lengthBytes()).isEqualTo(200);
        });
    }

    // rule uc-receive-memory
    @Test
    void aReceiveWithoutLocalWriteFailsAndTakesTheQueuePairToErr() {
        Rig rig = rig();
        rig.b.grant(0x777_00, Access.REMOTE_READ);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0x777_00, 0, 300)));
        rig.b.postReceive(Receive.of(10, rig.b.slice(0, 300)));
        rig.a.post(Send.of(1, rig.a.slice(0, 100)));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule qp-sqe
    @Test
    void aFailedRequestTakesTheQueuePairToSqeWhereItStillReceives() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0x999_00, 0, 8)));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
        rig.a.post(Send.of(3, rig.a.slice(0, 8)));
        assertThat(rig.a.sends).extracting(WorkCompletion::status).last().isEqualTo(Status.WR_FLUSH_ERR);
        rig.a.postReceive(Receive.of(9, rig.a.slice(0, 64)));
        rig.b.post(Send.of(4, rig.b.slice(0, 8)));
        rig.run();
        assertThat(rig.a.receiveStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule qp-sqe
    @Test
    void fromSqeTheQueuePairGoesBackToRtsAndSends() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0x999_00, 0, 8)));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.RTS, new QpAttribute.CurrentState(QpState.SQE)), rig.a.turn);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.RTS);
    }

    // rule rc-message-limit
    @Test
    void aRequestLongerThanTheLargestMessageIsLocLenErr() {
        Profile small = Profile.SOFT_ROCE;
        Rig rig = rig(TERMS, small);
        long max = small.port().maxMessageBytes();
        rig.a.post(Send.of(1, rig.a.slice(0, (int) (max / 2)), rig.a.slice(0, (int) (max / 2)), rig.a.slice(0, 1)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_LEN_ERR);
    }

    @Test
    void aMessageThatWaitsForALeaseIsHandledWhenItIsGranted() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 1024)));
        rig.fill(rig.a, 0, 700, 3);
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.run();
        rig.answersLeases = true;
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.memory.read(0, 700)).isEqualTo(rig.a.memory.read(0, 700));
    }

    // rule qp-packet-filter
    @Test
    void rcOpcodesAreDropped() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        assertThat(rig.b.receives).isEmpty();
        assertThat(rig.b.discarded).singleElement().asString().contains("RC_SEND_ONLY");
    }

    // rule event-comm-est
    @Test
    void theFirstPacketInRtrRaisesCommEst() {
        Side a = new Side("a", 0x11, 1, QpType.UC, false, Profile.CONNECTX_5, false);
        Side b = new Side("b", 0x22, 2, QpType.UC, false, Profile.CONNECTX_5, false);
        connect(a, b, TERMS);
        b.machine.modify(TERMS.toInit(), b.turn);
        b.machine.modify(TERMS.toRtr(new Gid(a.port.high(), a.port.low()), a.number), b.turn);
        Rig rig = new Rig(a, b);
        a.post(Send.of(1, a.slice(0, 8)));
        a.post(Send.of(2, a.slice(0, 8)));
        rig.run();
        assertThat(b.events).isEqualTo(List.of(AsyncEvent.Kind.COMM_EST));
    }

    @Test
    void aMessageInterruptedByAResetIsNotContinued() {
        Rig rig = rig();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        assertThat(rig.a.machine.transmit(1, rig.a.at(0))).isOne();
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        connect(rig.a, rig.b, TERMS);
        rig.a.out.clear();
        rig.a.post(Send.of(2, rig.a.slice(0, 700)));
        rig.run(rig.a);
        assertThat(rig.a.out)
                .extracting(packet -> packet.opcode())
                .containsExactly(Opcode.UC_SEND_FIRST, Opcode.UC_SEND_MIDDLE, Opcode.UC_SEND_LAST);
        assertThat(rig.a.out.getFirst().psn()).isEqualTo(100);
    }

    // rule qp-drain
    @Test
    void aDrainWaitsForTheMessageThatWasBegun() {
        Rig rig = rig();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        rig.a.post(Send.of(1, rig.a.slice(0, 700)));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        rig.a.machine.transmit(1, rig.a.at(0));
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        assertThat(rig.a.machine.snapshot().sqDraining()).isTrue();
        rig.run(rig.a);
        assertThat(rig.a.out).hasSize(3);
        assertThat(rig.a.machine.snapshot().sqDraining()).isFalse();
    }

    // rule memory-waiting-bounded
    @Test
    void packetsHeldForALeaseAreBoundedAndDoNotOutliveTheirConnection() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        for (int i = 0; i <= PsnWindow.MAX_PACKETS; i++) {
            rig.inject(rig.b, Opcode.UC_SEND_ONLY, 100 + i, 8);
        }
        assertThat(rig.b.discarded).containsExactly("receive buffer full while waiting for memory");
        rig.b.machine.modify(QpModify.to(QpState.RESET), rig.b.turn);
        connect(rig.b, rig.a, TERMS);
        rig.b.postReceive(Receive.of(2, rig.b.slice(0, 64)));
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(0));
        assertThat(rig.b.receives).isEmpty();
    }

    @Test
    void theReasonOfAFailedReceiveOrRequestIsReported() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.b.failures).containsExactly("a message longer than its receive of 4 bytes");
        assertThat(rig.b.counted(Counter.RESP_LOCAL_LENGTH_ERROR)).isOne();
        rig.a.post(Send.of(2, rig.a.slice(0x77700, 0, 8)));
        rig.run();
        assertThat(rig.a.failures).containsExactly("L_Key 0x00077700 is not registered, or was deregistered");
        rig.b.postReceive(Receive.of(2, rig.b.slice(0x77700, 0, 8)));
        rig.inject(rig.b, Opcode.UC_SEND_ONLY, 101, 8);
        rig.answerLeases(rig.b);
        rig.inject(rig.b, Opcode.UC_SEND_ONLY, 102, 8);
        assertThat(rig.b.failures)
                .endsWith("the receive's memory: L_Key 0x00077700 is not registered, or was deregistered");
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_LEN_ERR, Status.LOC_PROT_ERR);
    }

    @Test
    void aRequestPostedInSqeIsFlushedAtOnce() {
        Rig rig = rig();
        rig.a.post(Send.of(1, rig.a.slice(0x77700, 0, 8)));
        rig.run();
        assertThat(rig.a.machine.state()).isEqualTo(QpState.SQE);
        assertThat(rig.a.states).endsWith(QpState.SQE);
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
    }
}
