// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.dc.DcIngress.Answered;
import org.hcaactors.adapter.dc.DcIngress.Opens;
import org.hcaactors.adapter.dc.DcIngress.Served;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responder of a DC target for one peer (the page dc of the rule book). */
class DcResponderTest {
    private static final int FIRST = DcRig.FIRST_PSN;

    private final DcRig desk = new DcRig();
    private final DcRig.TargetSide target = desk.target();
    private final Side initiator = desk.initiator();

    private Side responder() {
        return target.all.getLast();
    }

    private int session() {
        return target.responders.keySet().iterator().next().sessionId();
    }

    private List<Packet> answers() {
        return desk.of(Operation.ACKNOWLEDGE);
    }

    private void arrive(Packet packet) {
        target.arrive(packet);
        desk.run();
    }

    // rules dc-duplicate-connect, dc-responder
    @ParameterizedTest
    @CsvSource({
        // reconnect, PSN relative to the first, answered again
        "false, 0, true",
        "true, 0, true",
        "true, 1, true",
        "true, 2, true",
        "false, 1, false",
        "false, -3, false"
    })
    void aRepeatedConnectIsAnsweredAsBefore(boolean reconnect, int ahead, boolean answered) {
        desk.add(initiator, target, 1);
        desk.add(initiator, target, 2);
        desk.run();
        int before = answers().size();
        arrive(DcPackets.connect(initiator, target, 1, reconnect, session(), FIRST + ahead, DcRig.KEY));
        assertThat(answers()).hasSize(before + (answered ? 1 : 0));
        if (answered) {
            assertThat(answers().getLast().psn()).isEqualTo(FIRST + ahead - 1);
            assertThat(answers().getLast().dcEth().sessionId()).isEqualTo(session());
        }
        assertThat(target.all).as("it is the same").hasSize(1);
        assertThat(responder().machine.state()).isEqualTo(QpState.RTR);
    }

    // rule dc-replaced
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 1000})
    void aConnectFromTheSessionsEndOpensAnotherSession(int ahead) {
        desk.add(initiator, target, 1);
        desk.add(initiator, target, 2);
        desk.run();
        int session = session();
        arrive(DcPackets.connect(initiator, target, FIRST + ahead));
        assertThat(target.all).hasSize(2);
        assertThat(session()).isNotEqualTo(session);
        assertThat(answers().getLast().dcEth().sessionId()).isEqualTo(session());
        assertThat(target.machine.ingress().sessions()).isOne();
    }

    // rule dc-disconnect
    @Test
    void aRepeatedDisconnectIsAnsweredAgain() {
        desk.add(initiator, target, 1);
        desk.run();
        Packet leaves = DcPackets.disconnect(initiator, target, session(), FIRST + 1);
        int session = session();
        int before = answers().size();
        arrive(leaves);
        assertThat(target.responders).isEmpty();
        assertThat(answers()).hasSize(before + 1);
        arrive(leaves);
        assertThat(answers()).hasSize(before + 2).allMatch(each -> each.dcEth().sessionId() == session);
    }

    /** The fast path ends here, since the session is over. */
    @Test
    void afterADisconnectNoPacketCountsAsDone() {
        arrive(DcPackets.connect(initiator, target, FIRST));
        Side responder = responder();
        Packet newest = DcPackets.disconnect(initiator, target, session(), FIRST - 1);
        assertThat(responder.machine.halves().target().isDoneWith(newest)).isTrue();
        responder.machine.receive(DcPackets.disconnect(initiator, target, session(), FIRST), responder.at(0));
        assertThat(responder.machine.halves().target().isDoneWith(newest)).isFalse();
    }

    // rules dc-disconnect, dc-session
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 2", "1, 1"})
    void aDisconnectOfAnotherSessionOrMomentEndsNothing(int other, int ahead) {
        desk.add(initiator, target, 1);
        desk.run();
        arrive(DcPackets.disconnect(initiator, target, session() + other, FIRST + ahead));
        assertThat(target.responders).hasSize(1);
        assertThat(responder().discarded).hasSize(1);
    }

    // rule dc-reclaim
    @Test
    void aSilentPeersSessionEnds() {
        arrive(DcPackets.connect(initiator, target, FIRST));
        long end = desk.nextDeadline();
        assertThat(end).isEqualTo(DcIngress.DEAD_NANOS);
        desk.runUntil(end - 1);
        assertThat(target.responders).hasSize(1);
        arrive(DcPackets.connect(initiator, target, FIRST));
        desk.runUntil(end);
        assertThat(target.responders).as("the peer has sent again").hasSize(1);
        desk.runUntil(2 * end);
        assertThat(target.responders).isEmpty();
        assertThat(target.pool.free()).isEqualTo(64);
    }

    // rule dc-reclaim
    @Test
    void aPeerSilentWithinAMessageIsServedTwiceAsLong() {
        arrive(DcPackets.connect(initiator, target, FIRST));
        arrive(first(session()));
        desk.runUntil(2 * DcIngress.DEAD_NANOS - 1);
        assertThat(target.responders).hasSize(1);
        desk.runUntil(2 * DcIngress.DEAD_NANOS);
        assertThat(target.responders).isEmpty();
    }

    /** The first packet of a message of several packets. */
    private Packet first(int session) {
        Packet like = DcPackets.disconnect(initiator, target, session, FIRST);
        byte[] part = new byte[1024];
        RemoteAddress there = target.host.remote(0);
        ExtendedHeader.Reth reth = new ExtendedHeader.Reth(there.address(), there.rkey(), 2 * part.length);
        return new Packet(
                like.route(),
                Bth.of(
                        Opcode.of(TransportClass.DC, Operation.WRITE_FIRST),
                        false,
                        true,
                        part.length,
                        0xFFFF,
                        target.number,
                        false,
                        FIRST),
                List.of(like.dcEth(), reth),
                Octets.copyOf(part));
    }

    // rule dc-key
    @Test
    void dataBehindAConnectWithAWrongKeyIsNotOfTheOpenSession() {
        desk.add(initiator, target, 1);
        desk.run();
        int next = responder().machine.snapshot().receivePsn();
        arrive(DcPackets.connect(initiator, target, 1, false, 0, next, DcRig.KEY + 1));
        Packet add = desk.of(Operation.FETCH_ADD).getLast();
        arrive(new Packet(
                add.route(),
                Bth.of(add.opcode(), false, true, 0, 0xFFFF, target.number, true, next),
                add.extended(),
                add.payload()));
        assertThat(target.sum()).isEqualTo(1);
        arrive(DcPackets.connect(initiator, target, FIRST));
        assertThat(target.responders).hasSize(1);
    }

    // rules dc-responder, dc-target-events
    @Test
    void anErrorEndsItsSessionAndOthersContinue() {
        Side other = desk.initiator();
        desk.add(other, target, 1);
        desk.run();
        desk.post(initiator, target, RdmaWrite.of(2, initiator.slice(0, 8), new RemoteAddress(0x7700, 0)));
        desk.run();
        assertThat(initiator.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(responder().events).contains(AsyncEvent.Kind.QP_ACCESS_ERR);
        assertThat(Dc.ofTarget(AsyncEvent.Kind.QP_ACCESS_ERR)).contains(AsyncEvent.Kind.DCT_ACCESS_ERR);
        assertThat(Dc.ofTarget(AsyncEvent.Kind.QP_REQ_ERR)).contains(AsyncEvent.Kind.DCT_REQ_ERR);
        assertThat(Dc.ofTarget(AsyncEvent.Kind.QP_LAST_WQE_REACHED)).isEmpty();
        desk.add(other, target, 3);
        desk.run();
        assertThat(other.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(target.responders).hasSize(1);
    }

    // rules dc-lifetime, dc-duplicate-connect
    @ParameterizedTest
    @ValueSource(longs = {0, 10_000, 65_000, 300_000})
    void duplicatedPacketsAreExecutedOnce(long later) {
        desk.add(initiator, target, 1);
        desk.run();
        List<Packet> asked = desk.wire.stream()
                .filter(packet -> !packet.operation().isResponse())
                .toList();
        desk.runUntil(later);
        for (Packet packet : asked) {
            arrive(packet);
        }
        desk.runToQuiet();
        assertThat(target.sum()).isOne();
        assertThat(target.responders).isEmpty();
    }

    // rules dc-session, dc-replaced
    @Test
    void twoInitiatorsOfOneNodeHaveSessionsOfTheirOwn() {
        Side other = desk.initiator();
        for (int id = 1; id <= 3; id++) {
            desk.add(initiator, target, id);
            desk.add(other, target, id);
        }
        desk.run();
        assertThat(target.responders).hasSize(2);
        assertThat(target.sum()).isEqualTo(6);
        assertThat(target.fateKinds()).contains(Opens.class, Served.class).doesNotContain(Answered.class);
    }
}
