// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.dc.DcIngress.Answered;
import org.hcaactors.adapter.dc.DcIngress.Disposition;
import org.hcaactors.adapter.dc.DcIngress.Dropped;
import org.hcaactors.adapter.dc.DcIngress.Opens;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** A target's own states and answers (the page dc of the rule book). */
class DcTargetMachineTest {
    private static final int NUMBER = 0x50;

    private final DcRig desk = new DcRig();
    private final DcRig.TargetSide at = desk.target();
    private final Side initiator = desk.initiator();

    private DcTargetMachine fresh(boolean full) {
        DcTargetGrants attributes = new DcTargetGrants(1, DcRig.KEY, 4, 0, full, 16, 4 * DcRig.IDLE, DcRig.LIFETIME);
        return new DcTargetMachine(NUMBER, 1, attributes, Profile.CONNECTX_5, at.host.local, new ResponderPool(4));
    }

    private QpModify ready(GlobalRoute path) {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(9),
                new QpAttribute.Av(AddressVector.to(path)),
                new QpAttribute.Mtu(PathMtu.BYTES_512));
    }

    private GlobalRoute own() {
        return GlobalRoute.to(DcRig.gid(at.host));
    }

    private static void refused(Runnable call, String says) {
        assertThatThrownBy(call::run).isInstanceOf(VerbsException.class).hasMessageContaining(says);
    }

    // rules dc-target-attributes, dc-target-number
    @Test
    void aTargetMovesUpToRtrAndIsNotReadableBefore() {
        DcTargetMachine machine = fresh(false);
        for (QpState state : List.of(QpState.RESET, QpState.RTR, QpState.RTS, QpState.SQD, QpState.ERR)) {
            refused(() -> machine.modify(QpModify.to(state)), "RESET");
        }
        refused(machine::snapshot, "RTR");
        refused(machine::status, "RTR");
        refused(machine::arm, "RTR");
        machine.modify(DcRig.TERMS.toInit());
        refused(machine::status, "RTR");
        refused(() -> machine.modify(QpModify.to(QpState.RTR)), "PATH_MTU");
        assertThat(machine.state()).isEqualTo(QpState.INIT);
        machine.modify(ready(own()));
        assertThat(machine.snapshot().state()).isEqualTo(QpState.RTR);
        assertThat(machine.status()).isEqualTo(DcTargetStatus.of(DcTargetStatus.State.ACTIVE));
        for (QpState state : QpState.values()) {
            refused(() -> machine.modify(QpModify.to(state)), "RTR");
        }
    }

    // rule dc-broken
    @Test
    void inErrAFailureIsReportedOnceAndEveryTransitionIsRefused() {
        DcTargetMachine machine = fresh(false);
        machine.modify(DcRig.TERMS.toInit());
        machine.modify(ready(own()));
        assertThat(machine.fail()).as("the first time").isTrue();
        assertThat(machine.fail()).as("again").isFalse();
        assertThat(machine.snapshot().state()).isEqualTo(QpState.ERR);
        assertThat(machine.status().sessions()).isZero();
        for (QpState state : QpState.values()) {
            refused(() -> machine.modify(QpModify.to(state)), "ERR");
        }
    }

    // rules dc-broken, dc-target-number
    @Test
    void aTargetThatFailsBeforeItsCreationIsInErrAfterIt() {
        DcTargetMachine machine = fresh(false);
        machine.fail();
        assertThat(machine.state()).isEqualTo(QpState.RESET);
        refused(machine::status, "in RESET");
        machine.modify(DcRig.TERMS.toInit());
        assertThat(machine.state()).isEqualTo(QpState.INIT);
        machine.modify(ready(own()));
        assertThat(machine.state()).isEqualTo(QpState.ERR);
        assertThat(machine.status().sessions()).isZero();
    }

    // rules dc-target-path, dc-responder
    @Test
    void aResponderIsBroughtUpTowardItsPeerByTheTargetsPath() {
        DcTargetMachine machine = fresh(true);
        machine.modify(DcRig.TERMS.toInit());
        machine.modify(ready(own().withTrafficClass(17).withHopLimit(5).withFlowLabel(99)));
        Opens opens = (Opens) machine.arrived(DcPackets.connect(initiator, at, 700), 0, 0);
        List<QpModify> steps = machine.bringUp(opens);
        assertThat(steps.getFirst()).isEqualTo(DcRig.TERMS.toInit());
        assertThat(steps.getLast().attributes())
                .contains(
                        new QpAttribute.Av(AddressVector.to(GlobalRoute.to(DcRig.gid(initiator))
                                .withTrafficClass(17)
                                .withHopLimit(5)
                                .withFlowLabel(99))),
                        new QpAttribute.Mtu(PathMtu.BYTES_512),
                        new QpAttribute.DestinationQp(initiator.number),
                        new QpAttribute.ReceivePsn(700),
                        new QpAttribute.MinRnrTimer(9));
        assertThat(machine.session(opens).flags()).isEqualTo(1 | DcEth.FULL_HANDSHAKE);
        assertThat(machine.session(opens).id()).isEqualTo(opens.by().sessionId());
    }

    // rules wire-dc-cnak, dc-key
    @Test
    void theTargetsOwnAnswerHasItsNumberAndTheRequestsPsn() {
        DcTargetMachine machine = fresh(false);
        machine.modify(DcRig.TERMS.toInit());
        machine.modify(ready(own()));
        Packet asks = DcPackets.connect(initiator, at, 1, false, 0, 700, 3);
        assertThat(machine.arrived(asks, 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_REMOTE_ACCESS, Answered::syndrome);
        Packet answer = machine.answer(asks, new Answered(Syndrome.NAK_REMOTE_ACCESS, 0, Optional.empty()));
        assertThat(answer.psn()).isEqualTo(699);
        assertThat(answer.bth().destQp()).isEqualTo(initiator.number);
        assertThat(answer.dcEth()).isEqualTo(new DcEth(1, 0, 0, NUMBER));
        assertThat(answer.aeth().syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(answer.route().destination()).isEqualTo(initiator.port);
        assertThat(machine.status().keyViolations()).isOne();
    }

    // rule dc-target-events
    @Test
    void aViolationIsReportedOnceForSeveralArms() {
        DcTargetMachine machine = fresh(false);
        machine.modify(DcRig.TERMS.toInit());
        machine.modify(ready(own()));
        assertThat(machine.reportsViolation()).isFalse();
        machine.arm();
        machine.arm();
        assertThat(machine.reportsViolation()).isTrue();
        assertThat(machine.reportsViolation()).isFalse();
    }

    // rule qp-packet-filter
    @Test
    void aTargetDropsAnswers() {
        Packet answer = DcPackets.answer(at, initiator, 1, 3, 5, Syndrome.ACK);
        assertThat(at.machine.arrived(answer, 0, 0)).isInstanceOf(Dropped.class);
    }

    // rule qp-pkey
    @Test
    void aPacketWithAnotherPartitionKeyIsDroppedAndCounted() {
        Packet asks = DcPackets.connect(initiator, at, 7);
        Bth bth = asks.bth();
        Disposition fate = at.machine.arrived(
                asks.withBth(Bth.of(bth.opcode(), false, true, 0, 0x8001, bth.destQp(), true, bth.psn())), 0, 0);
        assertThat(fate).isEqualTo(new Dropped(new PacketMismatch.Pkey(0x8001, 0xFFFF)));
        assertThat(DcTargetMachine.counted(fate)).contains(Counter.BAD_PKEY_CNTR);
    }

    // rule event-connects
    @Test
    void everyConnectIsCountedExceptACopyOfAServedOne() {
        DcRig.TargetSide one = desk.target(DcRig.TARGET, 1);
        Packet asks = DcPackets.connect(initiator, one, 7);
        Packet wrong = DcPackets.connect(initiator, one, 1, false, 0, 7, DcRig.KEY + 1);
        assertThat(counted(one, wrong)).isEmpty();
        assertThat(counted(one, asks)).contains(Counter.RX_DCT_CONNECT);
        assertThat(counted(one, asks)).isEmpty();
        assertThat(counted(one, DcPackets.connect(desk.initiator(), one, 7))).contains(Counter.TX_DISCARD);
        one.machine.drain();
        assertThat(counted(one, DcPackets.connect(desk.initiator(), one, 7))).contains(Counter.TX_CNAK);
        assertThat(counted(one, DcPackets.answer(one, initiator, 1, 3, 5, Syndrome.ACK)))
                .isEmpty();
    }

    private static Optional<Counter> counted(DcRig.TargetSide by, Packet packet) {
        return DcTargetMachine.counted(by.machine.arrived(packet, 0, 0));
    }

    // rule dc-drain
    @Test
    void aDrainingTargetReportsDrainingAndRefusesConnects() {
        at.machine.drain();
        assertThat(at.machine.status().state()).isEqualTo(DcTargetStatus.State.DRAINING);
        assertThat(at.machine.drainNanos()).isEqualTo(4 * DcRig.IDLE);
        assertThat(at.machine.arrived(DcPackets.connect(initiator, at, 7), 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_CONNECT, Answered::syndrome);
    }
}
