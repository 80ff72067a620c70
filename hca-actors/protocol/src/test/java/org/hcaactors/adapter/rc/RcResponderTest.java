// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A responder's handling of each kind of request, good and bad (the page rc of the rule book). */
class RcResponderTest {
    private static final RcConnection READ_ONLY = Rig.TERMS.withRemoteAccess(AccessFlags.of(Access.REMOTE_READ));

    private static Packet lastFrom(Side side, Rig rig) {
        rig.run();
        return rig.wire.getLast();
    }

    private Reth reth(Side at, long offset, int length) {
        return new Reth(at.memory.address() + offset, Side.KEY, length);
    }

    // --- PSN ---

    // rule rc-nak-once
    @Test
    void aGapIsAnsweredByOneNakOnlyUntilTheExpectedPacketArrives() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 103, 8, reth(rig.b, 0, 8));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 104, 8, reth(rig.b, 0, 8));
        rig.lets = (from, packet) -> false;
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.wire.getLast().psn()).as("a NAK names the expected PSN").isEqualTo(100);
        assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isEqualTo(2);

        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 105, 8, reth(rig.b, 0, 8));
        rig.run();
        assertThat(rig.syndromes())
                .as("a new gap gets its own NAK")
                .containsExactly(Syndrome.NAK_PSN_SEQUENCE, Syndrome.ACK, Syndrome.NAK_PSN_SEQUENCE);
    }

    /** The fast path ends here: the general path must decide. */
    @Test
    void isDoneWithIsFalseForPacketsThatWereNotExecuted() {
        Rig rig = new Rig();
        Target responder = rig.b.machine.halves().target();
        Packet ahead = rig.request(rig.b, Opcode.RC_WRITE_ONLY, 102, Octets.copyOf(new byte[8]), reth(rig.b, 0, 8));
        rig.receive(rig.b, ahead);
        assertThat(responder.isDoneWith(ahead)).isFalse();
        Packet due = rig.request(rig.b, Opcode.RC_WRITE_ONLY, 100, Octets.copyOf(new byte[8]), reth(rig.b, 0, 8));
        rig.receive(rig.b, due);
        assertThat(responder.isDoneWith(due)).as("its key is asked for").isFalse();
        rig.run();
        assertThat(responder.isDoneWith(due)).isTrue();
    }

    // rule rc-silent-behind-rnr
    @Test
    void outOfSequencePacketsBehindAnRnrNakAreSilent() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 101, 8);
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.rnr(1));
    }

    // rule rc-silent-behind-rnr
    @Test
    void softRoceSendsOneSequenceNakBehindEachRnrNak() {
        Rig rig = new Rig(Rig.TERMS, Profile.SOFT_ROCE, false);
        rig.lets = (from, packet) -> false;
        for (int round = 0; round < 2; round++) {
            for (int psn = 100; psn < 103; psn++) {
                rig.inject(rig.b, Opcode.RC_SEND_ONLY, psn, 8);
            }
        }
        rig.run();
        assertThat(rig.syndromes())
                .containsExactly(
                        Syndrome.rnr(1), Syndrome.NAK_PSN_SEQUENCE, Syndrome.rnr(1), Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.wire).extracting(Packet::psn).containsOnly(100);
    }

    // rules rc-rnr-wait, rc-rnr-pair
    @ParameterizedTest
    @EnumSource(Named.class)
    void aReceiverThatIsNotReadyCostsNoRetryOnAnyAdapter(Named adapter) {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(0).withRetryCount(0).withRnrRetry(7).withMinRnrTimerCode(1),
                adapter.profile,
                false);
        for (int i = 0; i < 4; i++) {
            rig.a.post(Send.of(i, rig.a.slice(0, 8)).withSignaled());
        }
        rig.run();
        for (int i = 0; i < 4; i++) {
            rig.b.postReceive(Receive.of(i, rig.b.slice(0, 8)));
            rig.now = rig.nextDeadline();
            rig.a.machine.timeout(rig.a.at(rig.now));
            rig.run();
        }
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS).hasSize(4);
    }

    private enum Named {
        CONNECT_X(Profile.CONNECTX_5),
        SOFT_ROCE(Profile.SOFT_ROCE);

        private final Profile profile;

        Named(Profile profile) {
            this.profile = profile;
        }
    }

    // rule rc-duplicate
    @Test
    void aDuplicateWriteIsOnlyAcknowledgedWithTheNewestPsn() {
        Rig rig = new Rig();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig.b, 8, 8));
        rig.lets = (from, packet) -> false;
        rig.run();
        rig.fill(rig.b, 0, 16, 9);
        byte[] before = rig.b.memory.read(0, 16);
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        Packet ack = lastFrom(rig.b, rig);
        assertThat(ack.psn()).isEqualTo(101);
        assertThat(ack.aeth().msn()).isEqualTo(2);
        assertThat(rig.b.memory.read(0, 16)).isEqualTo(before);
        assertThat(rig.b.counted(Counter.DUPLICATE_REQUEST)).isEqualTo(1);
    }

    // rule rc-duplicate
    @Test
    void aRepeatedWriteIsNotAcknowledgedWithAReadsNumber() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig.b, 0, 3000));
        rig.run();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        Packet ack = lastFrom(rig.b, rig);
        assertThat(ack.opcode()).isEqualTo(Opcode.RC_ACKNOWLEDGE);
        assertThat(ack.psn()).isEqualTo(100);
        assertThat(ack.aeth().msn()).isEqualTo(2);
    }

    // rule rc-duplicate
    @Test
    void aRepeatedPartOfASendIsAcknowledgedBeforeTheRead() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        rig.inject(rig.b, Opcode.RC_SEND_LAST, 101, 8);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 102, 0, reth(rig.b, 0, 8));
        rig.run();
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        assertThat(lastFrom(rig.b, rig).psn()).isEqualTo(101);
    }

    // rule rc-duplicate
    @Test
    void anAtomicMovesTheNumberOfARepeatedWrite() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        AtomicEth add = new AtomicEth(rig.b.memory.address(), Side.KEY, 2, 0);
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 101, 0, add);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 102, 0, reth(rig.b, 0, 8));
        rig.run();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig.b, 0, 8));
        assertThat(lastFrom(rig.b, rig).psn()).isEqualTo(101);
    }

    // rule rc-duplicate
    @Test
    void aDuplicateSendTakesNoSecondReceive() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(0, 64)));
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.run();
        assertThat(rig.b.receives).hasSize(1);
    }

    // rule rc-duplicate-read
    @Test
    void aDuplicateReadReadsTheMemoryAgain() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        rig.run();
        rig.b.memory.write(0, new byte[] {1, 2, 3, 4});
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        Packet again = lastFrom(rig.b, rig);
        assertThat(again.opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_ONLY);
        assertThat(again.payload().toArray()).containsExactly(1, 2, 3, 4);
    }

    // rule rc-duplicate-read
    @Test
    void aDuplicateReadMayAskForTheRestOnly() {
        Rig rig = new Rig();
        rig.fill(rig.b, 0, 3000, 3);
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 3000));
        rig.run();
        rig.wire.clear();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig.b, 1024, 3000 - 1024));
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_READ_RESPONSE_LAST);
        assertThat(rig.wire.getFirst().psn()).isEqualTo(101);
        assertThat(rig.wire.getFirst().payload().toArray()).isEqualTo(rig.b.memory.read(1024, 1024));
    }

    // rule rc-duplicate-read
    @ParameterizedTest
    @CsvSource({"0, 5", "4, 4"})
    void aDuplicateReadThatIsNoPartOfARememberedOneIsDroppedSilently(long offset, int length) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        rig.run();
        rig.wire.clear();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, offset, length));
        rig.run();
        assertThat(rig.wire).isEmpty();
    }

    // rules rc-duplicate-read, rc-read-now
    @Test
    void aDuplicateReadWithADeregisteredKeyIsRefused() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        rig.run();
        rig.b.keys.clear();
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_REMOTE_ACCESS);
    }

    // rule rc-duplicate-atomic
    @Test
    void duplicateAtomicReturnsTheSavedOriginal() {
        Rig rig = new Rig();
        rig.b.memory.writeLong(0, 40);
        rig.lets = (from, packet) -> false;
        AtomicEth add = new AtomicEth(rig.b.memory.address(), Side.KEY, 2, 0);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        rig.run();
        assertThat(rig.b.memory.readLong(0)).isEqualTo(42);
        assertThat(rig.wire).extracting(p -> p.atomicAckEth().original()).containsExactly(40L, 40L);
    }

    // rules rc-duplicate-atomic, rc-replay-ring
    @Test
    void anAtomicOlderThanTheResponderResourcesIsDroppedSilently() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(1));
        rig.lets = (from, packet) -> false;
        AtomicEth add = new AtomicEth(rig.b.memory.address(), Side.KEY, 2, 0);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        rig.run();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 101, 0, add);
        rig.run();
        rig.wire.clear();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        rig.run();
        assertThat(rig.wire).isEmpty();
        assertThat(rig.b.memory.readLong(0)).isEqualTo(4);
    }

    /** READs of 2^23 packets each, twice: the PSNs wrap around. */
    private void goRoundThePsns(Rig rig) {
        rig.b.grant(0x88800, 1, 0, 1L << 31, AccessFlags.LOCAL_AND_REMOTE);
        for (int half = 0; half < 2; half++) {
            Reth huge = new Reth(rig.b.memory.address(), 0x88800, 0x8000_0000);
            rig.inject(rig.b, Opcode.RC_READ_REQUEST, Psn.plus(101, half << 23), 0, huge);
            rig.answerLeases(rig.b);
        }
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(101);
    }

    // rule rc-replay-ring
    @Test
    void anOldAtomicIsNotRememberedWhenItsPsnIsReused() {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256));
        AtomicEth add = new AtomicEth(rig.b.memory.address(), Side.KEY, 2, 0);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        rig.run();
        goRoundThePsns(rig);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add);
        assertThat(rig.b.discarded).containsExactly("a duplicate atomic that is not remembered");
    }

    // rule rc-replay-ring
    @Test
    void anOldReadIsNotRememberedWhenItsPsnIsReused() {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 8));
        rig.run();
        goRoundThePsns(rig);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 8));
        assertThat(rig.b.discarded).containsExactly("a duplicate READ that is not remembered");
    }

    // rule rc-read-now
    @Test
    void aReadWhoseRegionGoesWhileItIsAnsweredRaisesAnAccessError() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 3000));
        rig.answerLeases(rig.b);
        rig.b.machine.transmit(1, rig.b.at(0));
        rig.b.keys.clear();
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_READ_RESPONSE_FIRST, Opcode.RC_ACKNOWLEDGE);
        assertThat(rig.wire.getLast().aeth().syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_ACCESS_ERR);
        assertThat(rig.b.counted(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
    }

    // --- opcode sequence ---

    // rule rc-message-sequence
    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_SEND_MIDDLE", "RC_SEND_LAST", "RC_WRITE_MIDDLE", "RC_WRITE_LAST"})
    void aMessageThatDoesNotStartIsAnInvalidRequest(Opcode opcode) {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.inject(rig.b, opcode, 100, 1024);
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.b.events).contains(AsyncEvent.Kind.QP_REQ_ERR);
        assertThat(rig.b.receiveStatuses()).as("the receive was not in use").containsExactly(Status.WR_FLUSH_ERR);
    }

    // rules rc-message-sequence, rc-fault-told
    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"RC_SEND_FIRST", "RC_SEND_ONLY", "RC_WRITE_LAST", "RC_WRITE_ONLY"})
    void aSendThatIsInterruptedIsAnInvalidRequestAndItsReceiveFails(Opcode opcode) {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(0, 4096)));
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        ExtendedHeader[] headers =
                opcode.extended().isEmpty() ? new ExtendedHeader[0] : new ExtendedHeader[] {reth(rig.b, 0, 1024)};
        rig.inject(rig.b, opcode, 101, 1024, headers);
        rig.run();
        assertThat(rig.syndromes()).contains(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.REM_INV_REQ_ERR, Status.WR_FLUSH_ERR);
    }

    // rule rc-check-order
    @Test
    void aRequestWithTwoFaultsIsAnsweredByTheFirstCheck() {
        Rig forbidden = new Rig(READ_ONLY);
        forbidden.a.post(RdmaWrite.of(1, forbidden.a.slice(0, 8), new RemoteAddress(0xBAD00, 0)));
        forbidden.run();
        assertThat(forbidden.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        Rig misplaced = new Rig();
        misplaced.inject(misplaced.b, Opcode.RC_SEND_MIDDLE, 105, 8);
        misplaced.run();
        assertThat(misplaced.syndromes()).containsExactly(Syndrome.NAK_PSN_SEQUENCE);
    }

    // --- rights of the queue pair ---

    // rule rc-not-enabled
    @Test
    void aWriteThatTheQueuePairForbidsIsAnInvalidRequest() {
        Rig rig = new Rig(READ_ONLY);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    // rule rc-not-enabled
    @Test
    void anAtomicThatTheQueuePairForbidsIsAnInvalidRequest() {
        Rig rig = new Rig(READ_ONLY);
        rig.a.post(FetchAdd.of(1, rig.a.slice(0, 8), rig.b.remote(0), 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    // rule rc-not-enabled
    @Test
    void aReadThatTheQueuePairForbidsIsAnInvalidRequest() {
        Rig rig = new Rig(Rig.TERMS.withRemoteAccess(AccessFlags.of(Access.REMOTE_WRITE)));
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    // --- resources ---

    // rule rc-resources
    @Test
    void aReadWithoutResponderResourcesIsAnInvalidRequest() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(0));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 4));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
    }

    // rule rc-resources
    @Test
    void moreReadsThanResponderResourcesAreAnInvalidRequest() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(2));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 0));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig.b, 0, 0));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 102, 0, reth(rig.b, 0, 0));
        rig.run();
        assertThat(rig.count(Opcode.RC_READ_RESPONSE_ONLY)).isEqualTo(2);
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
    }

    // rule rc-rnr-nak
    @Test
    void aSendWithoutReceiveGetsAnRnrNakAndChangesNothing() {
        Rig rig = new Rig();
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        Packet nak = lastFrom(rig.b, rig);
        assertThat(nak.aeth().syndrome()).isEqualTo(Syndrome.rnr(1));
        assertThat(nak.psn()).isEqualTo(100);
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(100);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isEqualTo(1);
    }

    // rule rc-write-immediate
    @Test
    void aWriteWithImmediateNeedsItsReceiveOnlyAtItsLastPacket() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_WRITE_FIRST, 100, 1024, reth(rig.b, 0, 2048));
        rig.inject(rig.b, Opcode.RC_WRITE_LAST_IMM, 101, 1024, new ExtendedHeader.Immediate(5));
        rig.run();
        assertThat(rig.syndromes()).contains(Syndrome.rnr(1));
        assertThat(rig.wire.getLast().psn()).isEqualTo(101);
        rig.b.postReceive(Receive.of(9));
        rig.inject(rig.b, Opcode.RC_WRITE_LAST_IMM, 101, 1024, new ExtendedHeader.Immediate(5));
        rig.run();
        assertThat(rig.b.receives).singleElement().satisfies(wc -> {
            assertThat(wc.kind()).isEqualTo(CompletionKind.RECV_RDMA_WITH_IMM);
            assertThat(wc.lengthBytes()).isEqualTo(2048);
            assertThat(wc.immediate()).hasValue(5);
        });
    }

    // --- length ---

    // rule rc-lengths
    @ParameterizedTest(name = "{0} with {1} bytes")
    @CsvSource({
        "RC_SEND_FIRST, 1023",
        "RC_SEND_FIRST, 1025",
        "RC_SEND_ONLY, 1025",
        "RC_WRITE_FIRST, 100",
        "RC_WRITE_ONLY, 7",
        "RC_WRITE_ONLY, 9",
        "RC_WRITE_FIRST, 1024"
    })
    void aWrongLengthIsAnInvalidRequest(Opcode opcode, int bytes) {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 8192)));
        ExtendedHeader[] headers =
                opcode.extended().isEmpty() ? new ExtendedHeader[0] : new ExtendedHeader[] {reth(rig.b, 0, 8)};
        rig.inject(rig.b, opcode, 100, bytes, headers);
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule rc-lengths
    @Test
    void anEmptyLastPacketIsAnInvalidRequest() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 8192)));
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        rig.inject(rig.b, Opcode.RC_SEND_LAST, 101, 0);
        rig.run();
        assertThat(rig.syndromes()).contains(Syndrome.NAK_INVALID_REQUEST);
    }

    // rule rc-lengths
    @Test
    void aRequestOfMoreThanTwoGibibytesIsAnInvalidRequest() {
        Rig rig = new Rig();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, new Reth(0, Side.KEY, 0x8000_0001));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
    }

    // rule rc-send-too-long
    @Test
    void aSendLongerThanItsReceiveIsALocalLengthErrorOnConnectX() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 16)));
        rig.a.post(Send.of(1, rig.a.slice(0, 17)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_LEN_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.b.counted(Counter.RESP_LOCAL_LENGTH_ERROR)).isEqualTo(1);
    }

    // rule rc-send-too-long
    @Test
    void aSendLongerThanItsReceiveIsARemoteOperationErrorOnSoftRoce() {
        Rig rig = new Rig(Rig.TERMS, Profile.SOFT_ROCE, false);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 16)));
        rig.a.post(Send.of(1, rig.a.slice(0, 17)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_OP_ERR);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_QP_OP_ERR);
    }

    // rule rc-atomic-aligned
    @Test
    void aMisalignedAtomicIsAnInvalidRequest() {
        Rig rig = new Rig();
        rig.a.post(FetchAdd.of(1, rig.a.slice(0, 8), rig.b.remote(4), 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    // --- R_Key ---

    // rules rc-key-denied, rc-fault-told
    @Test
    void anUnknownRkeyIsARemoteAccessError() {
        Rig rig = new Rig();
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), new RemoteAddress(0xBAD00, 0)));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(rig.b.events).containsExactly(AsyncEvent.Kind.QP_ACCESS_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rules rc-key-denied, memory-domain, memory-right-of-verb
    @ParameterizedTest(name = "key of domain {0}, {1} bytes, right {2}")
    @CsvSource({"2, 64, REMOTE_WRITE", "1, 7, REMOTE_WRITE", "1, 64, REMOTE_READ"})
    void aWrongDomainRangeOrRightIsARemoteAccessError(int domain, long length, Access right) {
        Rig rig = new Rig();
        rig.b.grant(0x77700, domain, 0, length, AccessFlags.of(Access.LOCAL_WRITE, right));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), new RemoteAddress(0x77700, rig.b.memory.address())));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(rig.b.counted(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(1);
    }

    // rule rc-key-denied
    @Test
    void theRkeyIsCheckedOverTheWholeLengthAtTheFirstPacket() {
        Rig rig = new Rig();
        rig.b.grant(0x77700, 1, 0, 2000, AccessFlags.LOCAL_AND_REMOTE);
        rig.fill(rig.a, 0, 3000, 1);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 3000), new RemoteAddress(0x77700, rig.b.memory.address())));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(rig.b.memory.read(0, 2000)).as("nothing was written").containsOnly(0);
    }

    // rules rc-key-denied, memory-each-packet
    @Test
    void theRkeyIsCheckedAgainOnEachPacket() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_WRITE_FIRST, 100, 1024, reth(rig.b, 0, 2048));
        rig.run();
        rig.b.keys.clear();
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.fill(rig.b, 0, 2048, 77);
        byte[] before = rig.b.memory.read(0, 2048);
        rig.inject(rig.b, Opcode.RC_WRITE_LAST, 101, 1024);
        rig.run();
        assertThat(rig.syndromes()).contains(Syndrome.NAK_REMOTE_ACCESS);
        assertThat(rig.b.memory.read(0, 2048)).isEqualTo(before);
    }

    // rules rc-receive-memory, memory-domain
    @Test
    void aSendIntoAReceiveOfAForeignDomainIsAProtectionError() {
        Rig rig = new Rig();
        rig.b.grant(0x66600, 2, 0, 64, AccessFlags.LOCAL_AND_REMOTE);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0x66600, 0, 64)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_OP_ERR);
    }

    // rule rc-fault-told
    @Test
    void aRefusedWriteWithImmediateCompletesItsReceive() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(5));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), new RemoteAddress(0xBAD00, 0))
                .withImmediate(1));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_ACCESS_ERR);
        assertThat(rig.b.events).isEmpty();
    }

    // rules rc-write-immediate, rc-fault-told
    @ParameterizedTest
    @CsvSource({"RC_WRITE_ONLY_IMM, true", "RC_WRITE_ONLY, false"})
    void aWriteOfAWrongLengthEndsTheReceiveThatItHolds(Opcode opcode, boolean holds) {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(5));
        ExtendedHeader reth = new ExtendedHeader.Reth(rig.b.memory.address(), Side.KEY, 16);
        rig.inject(
                rig.b,
                opcode,
                100,
                8,
                holds ? new ExtendedHeader[] {reth, new ExtendedHeader.Immediate(1)} : new ExtendedHeader[] {reth});
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.receiveStatuses()).containsExactly(holds ? Status.REM_INV_REQ_ERR : Status.WR_FLUSH_ERR);
        assertThat(rig.b.events.contains(AsyncEvent.Kind.QP_REQ_ERR)).isNotEqualTo(holds);
    }

    // rule rc-no-bytes
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aZeroLengthRequestWithABogusRkeySucceeds(boolean write) {
        Rig rig = new Rig();
        RemoteAddress bogus = new RemoteAddress(0xBAD00, 12345);
        rig.a.post(
                write
                        ? RdmaWrite.of(1, List.of(), bogus).withFlags(org.hcaactors.api.work.SendFlags.SIGNALED)
                        : RdmaRead.of(1, List.of(), bogus).withFlags(org.hcaactors.api.work.SendFlags.SIGNALED));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-no-bytes
    @ParameterizedTest(name = "write {0}, key 0x{1}")
    @CsvSource({
        "true, BAD00, REM_ACCESS_ERR",
        "false, BAD00, REM_ACCESS_ERR",
        "true, 10000, SUCCESS",
        "false, 10000, SUCCESS"
    })
    void anAdapterMayCheckTheRkeyOfAZeroLengthRequestButNotItsAddress(boolean write, String key, Status status) {
        Rig rig = new Rig(Rig.TERMS, Profile.CONNECTX_6.with(Quirk.CHECKS_KEYS_OF_EMPTY_MESSAGES), true);
        RemoteAddress nowhere = new RemoteAddress(Integer.parseInt(key, 16), 12345);
        rig.a.post(write ? RdmaWrite.of(1, rig.a.slice(0, 0), nowhere) : RdmaRead.of(1, rig.a.slice(0, 0), nowhere));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(status);
    }

    // --- scatter ---

    // rules rc-receive-memory, memory-right-of-verb
    @Test
    void aReceiveWithoutLocalWriteIsARemoteOperationError() {
        Rig rig = new Rig();
        rig.b.grant(0x66600, 1, 0, 64, AccessFlags.NONE);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0x66600, 0, 64)));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_REMOTE_OPERATION);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_OP_ERR);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }

    // rule memory-touched-bytes
    @ParameterizedTest(name = "{0} of 1100 bytes")
    @CsvSource({"1100, SUCCESS, SUCCESS", "1101, LOC_PROT_ERR, REM_OP_ERR"})
    void aReceiveMayReachBeyondItsRegionIfTheMessageEndsBefore(int bytes, Status here, Status there) {
        Rig rig = new Rig();
        rig.b.grant(0x66600, 1, 0, 1100, AccessFlags.LOCAL_AND_REMOTE);
        rig.b.postReceive(Receive.of(1, rig.b.slice(0x66600, 0, 4000)));
        rig.a.post(Send.of(1, rig.a.slice(0, bytes)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(here);
        assertThat(rig.a.sendStatuses()).containsExactly(there);
    }

    @Test
    void aMessageIsScatteredOverItsElementsAcrossPackets() {
        Rig rig = new Rig();
        rig.fill(rig.a, 0, 2500, 7);
        rig.b.postReceive(Receive.of(
                1, rig.b.slice(0, 10), rig.b.slice(100, 0), rig.b.slice(200, 1500), rig.b.slice(4000, 2000)));
        rig.a.post(Send.of(1, rig.a.slice(0, 1200), rig.a.slice(1200, 1300)).withSignaled());
        rig.run();
        assertThat(rig.b.receives.getFirst().lengthBytes()).isEqualTo(2500);
        assertThat(rig.b.memory.read(0, 10)).isEqualTo(rig.a.memory.read(0, 10));
        assertThat(rig.b.memory.read(200, 1500)).isEqualTo(rig.a.memory.read(10, 1500));
        assertThat(rig.b.memory.read(4000, 990)).isEqualTo(rig.a.memory.read(1510, 990));
    }

    // --- acknowledging ---

    // rule rc-ack
    @Test
    void acknowledgementsOfOneTurnCoalesceIntoTheNewest() {
        Rig rig = new Rig();
        for (int psn = 100; psn < 110; psn++) {
            rig.inject(rig.b, Opcode.RC_WRITE_ONLY, psn, 0, reth(rig.b, 0, 0));
        }
        rig.lets = (from, packet) -> false;
        rig.run();
        assertThat(rig.wire).singleElement().satisfies(ack -> {
            assertThat(ack.psn()).isEqualTo(109);
            assertThat(ack.aeth().msn()).isEqualTo(10);
        });
    }

    // rule rc-msn
    @Test
    void theMsnCountsMessagesAndReadsAtAcceptance() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        rig.run();
        assertThat(rig.wire.getLast().aeth().msn())
                .as("a message begun is not counted")
                .isZero();
        rig.inject(rig.b, Opcode.RC_SEND_LAST, 101, 1);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 102, 0, reth(rig.b, 0, 3000));
        rig.run();
        assertThat(rig.wire.getLast().opcode()).isEqualTo(Opcode.RC_READ_RESPONSE_LAST);
        assertThat(rig.wire.getLast().aeth().msn()).isEqualTo(2);
        assertThat(rig.b.machine.snapshot().receivePsn())
                .as("a READ takes one PSN a packet")
                .isEqualTo(105);
    }

    // rule rc-answers-in-order
    @Test
    void responsesLeaveInPsnOrderThoughLaterRequestsAreTakenIn() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig.b, 0, 3000));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 103, 4, reth(rig.b, 8000, 4));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 104, 0, new AtomicEth(rig.b.memory.address(), Side.KEY, 1, 0));
        rig.run();
        assertThat(rig.wire).extracting(Packet::psn).containsExactly(100, 101, 102, 103, 104);
        assertThat(rig.opcodes().subList(3, 5)).containsExactly(Opcode.RC_ACKNOWLEDGE, Opcode.RC_ATOMIC_ACKNOWLEDGE);
    }

    // --- suspension ---

    // rule memory-waiting-bounded
    @Test
    void requestsWaitInOrderForALease() {
        Rig rig = new Rig();
        rig.answersLeases = false;
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(64, 64)));
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 101, 8);
        rig.run();
        assertThat(rig.wire).isEmpty();
        assertThat(rig.b.asked).as("one ask for a key").containsExactly(Side.KEY);
        rig.answersLeases = true;
        rig.run();
        assertThat(rig.b.receives).extracting(wc -> wc.workId()).containsExactly(1L, 2L);
    }

    @Test
    void aRevokedLeaseIsGivenBackAtOnceAlsoWhileWaiting() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 64)));
        rig.b.postReceive(Receive.of(2, rig.b.slice(0x66600, 64, 64)));
        rig.b.grant(0x66600, Access.LOCAL_WRITE);
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.run();
        rig.answersLeases = false;
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 101, 8);
        rig.run();
        assertThat(rig.b.receives).hasSize(1);
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        assertThat(rig.b.released).extracting(lease -> lease.key()).containsExactly(Side.KEY);
    }

    // --- admission ---

    // rule event-comm-est
    @Test
    void commEstIsRaisedOnceForTheFirstPacketInRtr() {
        Side b = new Side("b", 0x22, 2, Profile.CONNECTX_5, false);
        Rig rig = new Rig();
        b.machine.modify(Rig.TERMS.toInit(), b.turn);
        rig.readyToReceive(b, rig.a);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.a.machine.transmit(64, rig.a.at(0));
        rig.answerLeases(rig.a);
        rig.a.machine.transmit(64, rig.a.at(0));
        Packet packet = rig.a.out.remove();
        b.machine.receive(packet, b.at(0));
        b.machine.receive(packet, b.at(0));
        assertThat(b.events).containsExactly(AsyncEvent.Kind.COMM_EST);
        assertThat(b.machine.state()).isEqualTo(QpState.RTR);
    }

    // rule qp-peer
    @Test
    void aPacketFromAnotherAddressIsDroppedInSilence() {
        Rig rig = new Rig();
        Rig stranger = new Rig();
        Side other = new Side("c", 0x33, 9, Profile.CONNECTX_5, false);
        other.machine.modify(Rig.TERMS.toInit(), other.turn);
        stranger.readyToReceive(other, rig.b);
        other.machine.modify(Rig.TERMS.toRts(), other.turn);
        other.post(RdmaWrite.of(1, other.slice(0, 0), rig.b.remote(0)));
        other.machine.transmit(64, other.at(0));
        rig.b.machine.receive(other.out.remove(), rig.b.at(0));
        rig.run();
        assertThat(rig.wire).isEmpty();
        assertThat(rig.b.discarded).singleElement().asString().contains("not the peer");
    }

    // rule qp-packet-filter
    @Test
    void aQueuePairInErrorDropsPacketsAndThePeersRetriesEnd() {
        Rig rig = new Rig();
        rig.b.machine.modify(org.hcaactors.api.queue.QpModify.to(QpState.ERR), rig.b.turn);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
    }
}
