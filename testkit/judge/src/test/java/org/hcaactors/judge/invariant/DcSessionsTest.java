// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoSession;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.hcaactors.lab.invariant.TraceState;
import org.junit.jupiter.api.Test;

/** Uses an initiator, a/qp5, and a target, b/qp17, with access key 9; its first responder has session 3. */
class DcSessionsTest {
    private static final int INITIATOR = 5;
    private static final int OTHER = 6;
    private static final int TARGET = 17;
    private static final long KEY = 9;
    private static final int SESSION = 3;
    private static final int FIRST_PSN = 101;
    private static final PortAddress HERE = PortAddress.unspecified(true);

    private final DcSessions invariant = new DcSessions();
    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private final List<String> broken = new ArrayList<>();
    private long lastId;

    private Stamp next(long cause, long otherCause) {
        return new Stamp(++lastId, lastId * 1000, cause, otherCause);
    }

    private void tell(TraceEvent event) {
        HandMadeTrace.note(traceState, event);
        invariant.on(event, traceState, broken::add);
    }

    private static Packet packet(Opcode opcode, int to, int psn, DcEth from, ExtendedHeader... more) {
        List<ExtendedHeader> headers = new ArrayList<>(List.of(from));
        headers.addAll(List.of(more));
        return new Packet(
                new Route(HERE, HERE, 0, 64, 0, 0xC000),
                Bth.of(opcode, opcode == Opcode.DC_DISCONNECT, true, 0, 0xFFFF, to, false, psn),
                headers,
                Octets.NONE);
    }

    private static Packet connect(int initiator, int firstPsn, long key) {
        return packet(
                Opcode.DC_CONNECT,
                TARGET,
                firstPsn - 1,
                new DcEth(0, 0, 0, initiator),
                new ExtendedHeader.DcConnectEth(false, 0, firstPsn, 0, key));
    }

    private static Packet send(int session, int initiator) {
        return packet(Opcode.DC_SEND_ONLY, TARGET, FIRST_PSN, new DcEth(0, session, 0, initiator));
    }

    private long arrives(Packet packet) {
        Stamp at = next(0, 0);
        tell(new FabricEvent.Delivered(at, "b", packet));
        return at.id();
    }

    private void opens(int session, int initiator, long cause) {
        tell(new HcaEvent.SessionChanged(
                next(cause, 0), "b", Element.queuePair(TARGET), SessionStep.OPENED, HERE, initiator, session));
    }

    private void opens() {
        opens(SESSION, INITIATOR, arrives(connect(INITIATOR, FIRST_PSN, KEY)));
    }

    private void writes(long cause) {
        tell(new HcaEvent.MemoryWritten(
                next(cause, 0), "b", Element.responder(SESSION), 1, 0, Octets.wrap(new byte[1], 0, 1), false));
    }

    private void ends(StateReason reason, long cause) {
        tell(new HcaEvent.StateChanged(
                next(cause, 0), "b", Element.responder(SESSION), QpState.RTR, QpState.ERR, reason));
    }

    private long posts(int target) {
        Stamp at = next(0, 0);
        tell(new HcaEvent.WorkPosted(at, "a", Element.queuePair(INITIATOR), Send.of(1), true));
        tell(new HcaEvent.DcDestination(next(at.id(), 0), "a", Element.queuePair(INITIATOR), HERE, target, 0));
        return at.id();
    }

    private void sends(Packet packet, long cause) {
        tell(new FabricEvent.Sent(next(cause, 0), "a", Element.queuePair(INITIATOR), packet));
    }

    private void completes(long posting) {
        tell(new HcaEvent.Completed(
                next(0, posting),
                "a",
                Element.completionQueue(1),
                WorkCompletion.of(1, Status.SUCCESS, CompletionKind.SEND, INITIATOR, 0, OptionalInt.empty())));
    }

    private void leaves() {
        sends(packet(Opcode.DC_DISCONNECT, TARGET, FIRST_PSN + 1, new DcEth(0, SESSION, 0, INITIATOR)), 0);
    }

    private static ExtendedHeader aeth(int syndrome) {
        return new ExtendedHeader.Aeth(syndrome, 0);
    }

    /** Sends the answer of a target that forces the full handshake. */
    private void asksForFullHandshake() {
        DcEth eth = new DcEth(DcEth.FULL_HANDSHAKE, SESSION, 0, TARGET);
        Packet answer = packet(Opcode.DC_ACKNOWLEDGE, INITIATOR, FIRST_PSN - 1, eth, aeth(Syndrome.ACK));
        tell(new FabricEvent.Sent(next(0, 0), "b", Element.responder(SESSION), answer));
    }

    private void refuses(int left, int spared) {
        tell(new HcaEvent.Failed(
                next(0, 0), "b", Element.queuePair(TARGET), new NoSession.FewResponders(left, spared)));
    }

    private void waits(long nanos) {
        DcEth eth = new DcEth(0, 0, 0, TARGET);
        Packet answer = packet(Opcode.DC_ACKNOWLEDGE, INITIATOR, FIRST_PSN - 1, eth, aeth(Syndrome.NAK_CONNECT));
        Stamp at = next(0, 0);
        tell(new FabricEvent.Delivered(at, "a", answer));
        tell(new HcaEvent.BackedOff(next(at.id(), 0), "a", Element.queuePair(INITIATOR), FIRST_PSN, nanos));
    }

    private String story() {
        assertThat(broken).hasSize(1);
        return broken.getFirst();
    }

    @Test
    void aCorrectSequenceIsRight() {
        long posting = posts(TARGET);
        sends(connect(INITIATOR, FIRST_PSN, KEY), posting);
        sends(send(0, INITIATOR), posting);
        opens();
        writes(arrives(send(0, INITIATOR)));
        writes(arrives(send(SESSION, INITIATOR)));
        completes(posting);
        leaves();
        ends(StateReason.SESSION_ENDED, 0);
        opens(SESSION + 1, INITIATOR, arrives(connect(INITIATOR, FIRST_PSN + 2, KEY)));
        assertThat(broken).isEmpty();
    }

    @Test
    void anEffectWithoutASession() {
        opens();
        ends(StateReason.SESSION_IDLE, 0);
        writes(arrives(send(SESSION, INITIATOR)));
        assertThat(story()).contains("dcr3", "no session is open");
    }

    @Test
    void anEffectOfAnotherInitiatorsRequest() {
        opens();
        writes(arrives(send(SESSION, OTHER)));
        assertThat(story()).contains("of qp6", "the responder serves qp5");
    }

    @Test
    void anEffectOfARequestInAnotherSession() {
        opens();
        writes(arrives(send(SESSION + 1, INITIATOR)));
        assertThat(story()).contains("in session 4 has an effect");
    }

    @Test
    void aSecondSessionOfOnePeer() {
        opens();
        opens(SESSION + 1, INITIATOR, arrives(connect(INITIATOR, FIRST_PSN, KEY)));
        assertThat(story()).contains("opens session 4 for qp5", "which already has a session");
    }

    @Test
    void aSessionWithoutAConnect() {
        opens(SESSION, INITIATOR, arrives(send(0, INITIATOR)));
        assertThat(story()).contains("opens session 3 because of SEND_ONLY, which is not a CONNECT");
    }

    @Test
    void aSessionOpenedUnderAnotherAccessKey() {
        opens();
        opens(SESSION + 1, OTHER, arrives(connect(OTHER, FIRST_PSN, KEY + 1)));
        assertThat(story()).contains("opens session 4 under access key 0x000000000000000a");
    }

    @Test
    void aDisconnectBeforeEveryRequestIsAnswered() {
        long posting = posts(TARGET);
        sends(send(SESSION, INITIATOR), posting);
        leaves();
        assertThat(story()).contains("a/qp5 disconnects from qp17 before the request posted by event " + posting);
    }

    @Test
    void aRequestSentToAnotherTarget() {
        sends(send(SESSION, INITIATOR), posts(TARGET + 1));
        assertThat(story()).contains("to qp17", "its request is for qp18");
    }

    @Test
    void anEffectWithoutASessionNumberUnderAFullHandshake() {
        opens();
        asksForFullHandshake();
        writes(arrives(send(SESSION, INITIATOR)));
        assertThat(broken).isEmpty();
        writes(arrives(send(0, INITIATOR)));
        assertThat(story()).contains("without a session number has an effect");
    }

    @Test
    void aSessionReplacedByItsOwnConnect() {
        opens();
        ends(StateReason.SESSION_REPLACED, arrives(connect(INITIATOR, FIRST_PSN, KEY)));
        assertThat(story()).contains("dcr3 is replaced because of a duplicate of its own CONNECT, psn 100");
    }

    @Test
    void aSessionReplacedByAnotherConnectIsRight() {
        opens();
        ends(StateReason.SESSION_REPLACED, arrives(connect(INITIATOR, FIRST_PSN + 7, KEY)));
        assertThat(broken).isEmpty();
    }

    @Test
    void aCnakThoughEnoughRespondersAreFree() {
        refuses(2, 2);
        assertThat(broken).isEmpty();
        refuses(3, 2);
        assertThat(story()).contains("although 3 responders are free and only 2 are reserved");
    }

    @Test
    void anInitiatorWaitsAfterACnak() {
        waits(1000);
        sends(connect(INITIATOR, FIRST_PSN, KEY), 0);
        assertThat(broken).isEmpty();
        waits(1001);
        sends(connect(INITIATOR, FIRST_PSN, KEY), 0);
        assertThat(story()).contains("a/qp5 connects to qp17 again 1 ns before");
    }
}
