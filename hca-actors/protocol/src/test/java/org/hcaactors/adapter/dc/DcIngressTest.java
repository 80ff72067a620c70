// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.Optional;
import org.hcaactors.adapter.dc.DcIngress.Answered;
import org.hcaactors.adapter.dc.DcIngress.Disposition;
import org.hcaactors.adapter.dc.DcIngress.Dropped;
import org.hcaactors.adapter.dc.DcIngress.Opens;
import org.hcaactors.adapter.dc.DcIngress.Served;
import org.hcaactors.adapter.dc.DcIngress.Unserved;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes of packets at a target (the page dc of the rule book). */
class DcIngressTest {
    private static final int FIRST = 100;
    private static final long LIFETIME = DcRig.LIFETIME;

    private final DcRig desk = new DcRig();
    /** Destination of this test's packets. */
    private final DcRig.TargetSide at = desk.target();

    private final Side[] from = {desk.initiator(), desk.initiator(), desk.initiator(), desk.initiator()};
    private ResponderPool pool = new ResponderPool(16);

    private DcIngress ingress(int max, int spared, int lines) {
        return new DcIngress(
                new DcTargetGrants(1, DcRig.KEY, max, spared, false, lines, 4 * DcRig.IDLE, LIFETIME), pool);
    }

    private DcIngress ingress() {
        return ingress(16, 0, 16);
    }

    private Packet connect(int peer) {
        return DcPackets.connect(from[peer], at, FIRST);
    }

    private Packet connect(int peer, boolean reconnect, int session, int psn) {
        return DcPackets.connect(from[peer], at, 1, reconnect, session, psn, DcRig.KEY);
    }

    private static Slot opened(Disposition fate) {
        assertThat(fate).isInstanceOf(Opens.class);
        return ((Opens) fate).by();
    }

    private static void comesAgain(Disposition fate) {
        assertThat(fate).asInstanceOf(type(Answered.class)).returns(Syndrome.NAK_CONNECT, Answered::syndrome);
    }

    /** Ends a session whose responder executed everything up to that PSN. */
    private static void ends(DcIngress ingress, Slot slot, int expectedPsn, boolean silent, long now) {
        assertThat(ingress.ended(slot, expectedPsn, silent, now)).isEmpty();
        ingress.responderEnded(slot);
    }

    // rules dc-responder, dc-pool
    @Test
    void everyPeerHasAResponderOfItsOwn() {
        DcIngress ingress = ingress();
        Slot one = opened(ingress.arrived(connect(0), 0, 0));
        Slot two = opened(ingress.arrived(connect(1), 0, 0));
        assertThat(one.sessionId()).isNotEqualTo(two.sessionId());
        assertThat(ingress.arrived(connect(0), 0, 0)).isEqualTo(new Served(one));
        assertThat(ingress.arrived(DcPackets.disconnect(from[1], at, two.sessionId(), FIRST), 0, 0))
                .isEqualTo(new Served(two));
        assertThat(ingress.sessions()).isEqualTo(2);
        assertThat(pool.free()).isEqualTo(14);
    }

    // rules dc-cnak, dc-empty
    @ParameterizedTest
    @CsvSource({
        // maximum, spared, opened, answered with CNAK at once
        "1, 0, 1, 0",
        "2, 0, 2, 0",
        "3, 1, 2, 1",
        "3, 2, 1, 2",
        "3, 3, 0, 3",
        "16, 14, 2, 1",
        "2, 2, 0, 2"
    })
    void belowItsReserveATargetSendsCnaksAndWithoutOneIsSilent(int max, int spared, int opens, int told) {
        DcIngress ingress = ingress(max, spared, 16);
        for (int peer = 0; peer < opens; peer++) {
            opened(ingress.arrived(connect(peer), 0, 0));
        }
        for (int again = 0; again < told; again++) {
            comesAgain(ingress.arrived(connect(3), 0, 0));
        }
        if (opens + told == max) {
            assertThat(ingress.arrived(connect(3), 0, 0)).isInstanceOf(Unserved.class);
        }
    }

    // rule dc-cnak
    @Test
    void aResponderThatSendsACnakIsBusyForAMicrosecond() {
        DcIngress ingress = ingress(2, 2, 16);
        comesAgain(ingress.arrived(connect(0), 0, 10));
        comesAgain(ingress.arrived(connect(1), 0, 20));
        assertThat(ingress.nextDeadline()).isEqualTo(10 + DcIngress.REFUSING_NANOS);
        assertThat(ingress.arrived(connect(2), 0, 30)).isInstanceOf(Unserved.class);
        assertThat(pool.free()).isEqualTo(14);
        comesAgain(ingress.arrived(connect(2), 0, 10 + DcIngress.REFUSING_NANOS));
        ingress.advance(100_000);
        assertThat(pool.free()).isEqualTo(16);
        assertThat(ingress.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    // rules dc-pool, dc-empty
    @Test
    void respondersOfOtherTargetsAreUnavailable() {
        pool = new ResponderPool(2);
        DcIngress one = ingress();
        DcIngress other = ingress();
        Slot first = opened(one.arrived(connect(0), 0, 0));
        opened(other.arrived(connect(1), 0, 0));
        assertThat(one.arrived(connect(2), 0, 0)).isInstanceOf(Unserved.class);
        ends(one, first, FIRST, false, 5);
        opened(other.arrived(connect(2), 0, 5));
    }

    // rules dc-cnak, dc-lifetime
    @Test
    void aFullTableSendsCnaksUntilARecordExpires() {
        DcIngress ingress = ingress(16, 0, 2);
        Slot one = opened(ingress.arrived(connect(0), 0, 0));
        Slot two = opened(ingress.arrived(connect(1), 0, 0));
        comesAgain(ingress.arrived(connect(2), 0, 0));
        ends(ingress, one, FIRST + 5, false, 1000);
        ends(ingress, two, FIRST + 5, true, 1000);
        comesAgain(ingress.arrived(connect(2), 0, 1000 + LIFETIME - 1));
        opened(ingress.arrived(connect(0, false, 0, FIRST + 6), 0, 1000 + LIFETIME - 1));
        comesAgain(ingress.arrived(connect(2), 0, 1000 + LIFETIME));
        opened(ingress.arrived(connect(2), 0, 1000 + DcIngress.SILENT_NANOS));
    }

    // rule dc-lifetime
    @Test
    void anExpiredRecordIsReplacedInAFullTable() {
        DcIngress ingress = ingress(16, 0, 1);
        Slot one = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, one, FIRST + 5, false, 0);
        comesAgain(ingress.arrived(connect(1), 0, LIFETIME - 1));
        opened(ingress.arrived(connect(1), 0, LIFETIME));
    }

    // rules dc-lifetime, dc-reconnect
    @ParameterizedTest
    @CsvSource({
        // reconnect, first PSN, time since the end; first PSN of the opened session, or -1
        "false, 105, 0, 105", "false, 120, 0, 120", "false, 104, 0, -1", "false, 100, 999999, -1",
        "false, 100, 1000000, 100", "true, 105, 0, 105", "true, 100, 0, 105", "true, 100, 5000000, 105"
    })
    void theExecutedRequestsOfASessionAreRemembered(boolean reconnect, int psn, long later, int opensAt) {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, slot, FIRST + 5, true, 50);
        Disposition fate = ingress.arrived(connect(0, reconnect, slot.sessionId(), psn), 0, 50 + later);
        if (opensAt < 0) {
            assertThat(fate).isEqualTo(new Dropped(Ignored.Plainly.OF_ANOTHER_SESSION));
        } else {
            assertThat(opensAt(fate)).isEqualTo(opensAt);
            assertThat(((Opens) fate).by().sessionId()).isNotEqualTo(slot.sessionId());
        }
    }

    // rules dc-lifetime, dc-reconnect
    /** Its session would accept the data of the peer's next CONNECT, even if that has a wrong key. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReconnectFromBeforeTheDisconnectIsAnOldCopy(boolean named) {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, slot, FIRST + 5, false, 50);
        Packet copy = connect(0, true, named ? slot.sessionId() : 0, FIRST + 4);
        assertThat(ingress.arrived(copy, 0, 50 + LIFETIME - 1)).isInstanceOf(Dropped.class);
        assertThat(opensAt(ingress.arrived(copy, 0, 50 + LIFETIME))).isEqualTo(FIRST + 4);
    }

    private static int opensAt(Disposition fate) {
        assertThat(fate).isInstanceOf(Opens.class);
        return ((Opens) fate).firstPsn();
    }

    // rule dc-lifetime
    @Test
    void psnsAreComparedModulo24Bits() {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0, false, 0, 0xFF_FFFE), 0, 0));
        ends(ingress, slot, 3, false, 0);
        assertThat(ingress.arrived(connect(0, false, 0, 0xFF_FFFE), 0, 1)).isInstanceOf(Dropped.class);
        assertThat(ingress.arrived(connect(0, false, 0, 4), 0, 1)).isInstanceOf(Opens.class);
    }

    // rule dc-forgotten
    @Test
    void aReconnectOfAnUnknownSessionIsRefused() {
        DcIngress ingress = ingress();
        assertThat(ingress.arrived(connect(0, true, 77, FIRST), 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_REMOTE_OPERATION, Answered::syndrome);
        assertThat(ingress.arrived(connect(0, true, 0, FIRST), 0, 0))
                .as("it never had one")
                .isInstanceOf(Opens.class);
    }

    // rule dc-forgotten
    /** Its packets arrived from another address meanwhile, where it had that session. */
    @Test
    void aReconnectOfAnotherAddresssSessionIsRefused() {
        DcIngress ingress = ingress();
        Slot here = opened(ingress.arrived(connect(0), 0, 0));
        Slot elsewhere = opened(ingress.arrived(connect(1), 0, 0));
        ends(ingress, here, FIRST + 5, true, 0);
        ends(ingress, elsewhere, FIRST + 20, true, 0);
        Packet back = connect(0, true, elsewhere.sessionId(), FIRST + 18);
        assertThat(ingress.arrived(back, 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_REMOTE_OPERATION, Answered::syndrome);
        assertThat(pool.free()).isEqualTo(16);
    }

    // rule dc-forgotten
    /** An answer to it would be taken for that to the peer's last CONNECT, which has the same PSN. */
    @Test
    void anOldCopyOfAReconnectIsNotAnswered() {
        DcIngress ingress = ingress();
        Slot first = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, first, FIRST, true, 0);
        Packet copy = connect(0, true, first.sessionId(), FIRST);
        Slot second = opened(ingress.arrived(copy, 0, 0));
        ends(ingress, second, FIRST, true, 0);
        Slot third = opened(ingress.arrived(connect(0, true, second.sessionId(), FIRST), 0, 0));
        ends(ingress, third, FIRST, true, 0);
        assertThat(ingress.arrived(copy, 0, 0)).isInstanceOf(Dropped.class);
        assertThat(pool.free()).isEqualTo(16);
    }

    // rules dc-forgotten, dc-reconnect
    @Test
    void aLostReconnectMayBeRepeatedWithTheOldSession() {
        DcIngress ingress = ingress();
        Slot known = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, known, FIRST + 5, true, 0);
        for (int lost = 0; lost < 3; lost++) {
            Slot fresh = opened(ingress.arrived(connect(0, true, known.sessionId(), FIRST + 2), 0, 0));
            ends(ingress, fresh, FIRST + 6, true, 0);
        }
    }

    // rule dc-key
    @Test
    void aWrongKeyIsCountedAndRefusedAlsoWhereAllElseIsFull() {
        DcIngress ingress = ingress(1, 0, 16);
        opened(ingress.arrived(connect(0), 0, 0));
        Packet wrong = DcPackets.connect(from[1], at, 1, false, 0, FIRST, DcRig.KEY + 1);
        assertThat(ingress.arrived(wrong, 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_REMOTE_ACCESS, Answered::syndrome);
        assertThat(ingress.arrived(wrong, 0, 0))
                .asInstanceOf(type(Answered.class))
                .returns(Syndrome.NAK_REMOTE_ACCESS, Answered::syndrome);
        assertThat(ingress.violations()).isEqualTo(2);
    }

    // rule dc-version
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 15})
    void theOtherGenerationIsDropped(int version) {
        Packet foreign = DcPackets.connect(from[0], at, version, false, 0, FIRST, DcRig.KEY + 1);
        DcIngress ingress = ingress();
        assertThat(ingress.arrived(foreign, 0, 0)).isEqualTo(new Dropped(new PacketMismatch.DcVersion(version, 1)));
        assertThat(ingress.violations()).isZero();
    }

    // rule dc-disconnect
    @Test
    void aDisconnectWhoseAnswerWasLostIsAnsweredAgain() {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        ends(ingress, slot, FIRST + 5, false, 0);
        Packet again = DcPackets.disconnect(from[0], at, slot.sessionId(), FIRST + 5);
        assertThat(ingress.arrived(again, 0, 10))
                .isEqualTo(new Answered(Syndrome.ACK, slot.sessionId(), Optional.empty()));
        Packet other = DcPackets.disconnect(from[0], at, slot.sessionId(), FIRST + 4);
        assertThat(ingress.arrived(other, 0, 10)).isEqualTo(new Dropped(new PacketMismatch.NoSession(from[0].number)));
        Packet stranger = DcPackets.disconnect(from[1], at, 1, FIRST + 5);
        assertThat(ingress.arrived(stranger, 0, 10)).isInstanceOf(Dropped.class);
    }

    // rule dc-replaced
    @Test
    void aConnectOfANewSessionIsServedAfterTheOpenSession() {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        Packet next = connect(0, false, 0, FIRST + 8);
        assertThat(ingress.arrived(next, 77, 0)).isEqualTo(new Served(slot));
        assertThat(ingress.ended(slot, FIRST + 5, true, 0)).contains(new DcIngress.Waiting(next, 77));
        Slot fresh = opened(ingress.arrived(next, 0, 0));
        ingress.responderEnded(slot);
        assertThat(ingress.arrived(connect(0, false, 0, FIRST + 8), 0, 0)).isEqualTo(new Served(fresh));
        assertThat(ingress.sessions()).isOne();
    }

    // rules dc-replaced, dc-reconnect
    @ParameterizedTest
    @CsvSource({"4, false", "5, false", "6, true"})
    void aReconnectIsRetriedOnlyIfItIsAheadOfTheEndedSession(int ahead, boolean isAhead) {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        Packet next = connect(0, true, 0, FIRST + ahead);
        assertThat(ingress.arrived(next, 0, 0)).isEqualTo(new Served(slot));
        assertThat(ingress.ended(slot, FIRST + 5, true, 0).isPresent()).isEqualTo(isAhead);
    }

    // rule dc-replaced
    @Test
    void theNewerOfTwoWaitingConnectsIsServed() {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        Packet newer = connect(0, false, 0, FIRST + 9);
        ingress.arrived(newer, 1, 0);
        ingress.arrived(connect(0, false, 0, FIRST + 8), 2, 0);
        assertThat(ingress.ended(slot, FIRST + 5, true, 0)).contains(new DcIngress.Waiting(newer, 1));
    }

    // rule dc-responder
    @Test
    void anEndedResponderFreesItsPlace() {
        DcIngress ingress = ingress(1, 0, 1);
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        ingress.responderEnded(slot);
        opened(ingress.arrived(connect(1), 0, 0));
        assertThat(ingress.ended(slot, FIRST, true, 0))
                .as("late, for an unknown responder")
                .isEmpty();
    }

    // rule dc-drain
    @Test
    void aDrainingTargetServesOpenSessionsAndOpensNone() {
        DcIngress ingress = ingress();
        Slot slot = opened(ingress.arrived(connect(0), 0, 0));
        ingress.drain();
        assertThat(ingress.arrived(connect(0), 0, 0)).isEqualTo(new Served(slot));
        comesAgain(ingress.arrived(connect(1), 0, 0));
        assertThat(pool.free()).as("no responder is taken for a CNAK").isEqualTo(15);
    }

    // rule dc-pool
    @Test
    void aClosedTargetReturnsAllItsResponders() {
        DcIngress ingress = ingress(3, 1, 16);
        opened(ingress.arrived(connect(0), 0, 0));
        opened(ingress.arrived(connect(1), 0, 0));
        comesAgain(ingress.arrived(connect(2), 0, 0));
        ingress.close();
        assertThat(pool.free()).isEqualTo(16);
        assertThat(ingress.sessions()).isZero();
    }

    // rule dc-reclaim
    @Test
    void theLongestSilentPeerIsProbedFirstAndAgainInItsTurn() {
        long idle = 4 * DcRig.IDLE;
        DcIngress ingress = ingress();
        Slot first = opened(ingress.arrived(connect(0), 0, 0));
        Slot second = opened(ingress.arrived(connect(1), 0, 1));
        assertThat(ingress.requested(idle - 1)).isEmpty();
        assertThat(ingress.requested(idle + 1)).contains(first);
        assertThat(ingress.requested(idle + 1)).as("the first one declined").contains(second);
        assertThat(ingress.requested(2 * idle)).as("so did the second one").isEmpty();
        assertThat(ingress.requested(2 * idle + 1)).contains(first);
        ingress.arrived(DcPackets.disconnect(from[1], at, second.sessionId(), FIRST), 0, 2 * idle + 1);
        assertThat(ingress.requested(3 * idle))
                .as("the second peer has sent a packet")
                .isEmpty();
    }
}
