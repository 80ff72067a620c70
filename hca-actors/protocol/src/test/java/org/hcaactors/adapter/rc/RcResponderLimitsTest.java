// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** Limits of a responder: what it holds and for how long, and the reasons that it reports for refusals. */
class RcResponderLimitsTest {
    /** All its responses are lost. */
    private static Rig rig() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        return rig;
    }

    private static Reth reth(Rig rig, int bytes) {
        return new Reth(rig.b.memory.address(), Side.KEY, bytes);
    }

    private static AtomicEth add(Rig rig) {
        return new AtomicEth(rig.b.memory.address(), Side.KEY, 2, 0);
    }

    // --- bounds ---

    // rule rc-answers-bounded
    /** Its resources are sixteen; as many more may wait, and the one being answered. */
    @Test
    void duplicatesThatWaitToBeAnsweredAreBounded() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig, 8));
        rig.run();
        rig.wire.clear();
        for (int i = 0; i < 50; i++) {
            rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig, 8));
            rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        }
        rig.run();
        assertThat(rig.wire).hasSize(16 + 16 + 1);
        assertThat(rig.b.discarded).hasSize(100 - 33);
    }

    // rule memory-waiting-bounded
    @Test
    void requestsThatWaitForALeaseAreBounded() {
        Rig rig = rig();
        rig.answersLeases = false;
        for (int i = 0; i < PsnWindow.MAX_PACKETS; i++) {
            rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100 + i, 8, reth(rig, 8));
        }
        assertThat(rig.b.discarded).isEmpty();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100 + PsnWindow.MAX_PACKETS, 8, reth(rig, 8));
        assertThat(rig.b.discarded).containsExactly("receive buffer full while waiting for memory");
    }

    // rule rc-resources
    @Test
    void moreAtomicsThanResponderResourcesAreAnInvalidRequest() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(1));
        rig.lets = (from, packet) -> false;
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 101, 0, add(rig));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.memory.readLong(0)).isEqualTo(2);
    }

    // rule rc-resources
    @Test
    void answersToDuplicatesUseNoResponderResources() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(1));
        rig.lets = (from, packet) -> false;
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.run();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig, 8));
        rig.run();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 102, 0, add(rig));
        rig.run();
        assertThat(rig.b.memory.readLong(0)).isEqualTo(4);
        assertThat(rig.syndromes()).isEmpty();
    }

    // rule rc-not-enabled
    @Test
    void anAdapterWithoutAtomicsRefusesThem() {
        Profile none = Profile.CONNECTX_5.withModel("none", 0).with(AtomicCapabilities.NONE);
        Rig rig = new Rig(Rig.TERMS, none, false);
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_INVALID_REQUEST);
        assertThat(rig.b.failures).containsExactly("none has no atomics");
    }

    // --- order ---

    @Test
    void aPendingAcknowledgementPrecedesAnAnswerToADuplicate() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.run();
        rig.wire.clear();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.run();
        assertThat(rig.wire).extracting(Packet::psn).containsExactly(101, 100);
    }

    // rule rc-nak-once
    @Test
    void aReadEndsTheNakThatWasPending() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 102, 8, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 8));
        rig.run();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 102, 8, reth(rig, 8));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.NAK_PSN_SEQUENCE, Syndrome.NAK_PSN_SEQUENCE);
        assertThat(rig.b.discarded).containsExactly("out of sequence, and a NAK was already sent");
    }

    // --- after a fatal NAK, and after a reset ---

    // rule rc-fatal-ends
    @Test
    void afterAFatalNakNothingIsAcceptedAndNothingElseIsAnswered() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 8));
        rig.answerLeases(rig.b);
        rig.inject(rig.b, Opcode.RC_SEND_LAST, 101, 8);
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        assertThat(rig.b.discarded).containsExactly("the connection has failed");
        assertThat(rig.b.failures).containsExactly("SEND_LAST outside of a message");
        assertThat(rig.b.machine.transmit(64, rig.b.at(rig.now))).isEqualTo(2);
        assertThat(rig.b.out)
                .extracting(Packet::opcode)
                .containsExactly(Opcode.RC_READ_RESPONSE_ONLY, Opcode.RC_ACKNOWLEDGE);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule rc-read-now
    @Test
    void aReadWhoseRegionIsDeregisteredIsReportedAndGetsANak() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, reth(rig, 8));
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.turn);
        rig.b.machine.leaseRefused(Side.KEY, new Denial.Unregistered(), rig.b.at(rig.now));
        assertThat(rig.b.machine.transmit(64, rig.b.at(rig.now))).isOne();
        assertThat(rig.b.out)
                .singleElement()
                .satisfies(p -> assertThat(p.aeth().syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS));
        assertThat(rig.b.failures).containsExactly("R_Key 0x00010000 is not registered, or was deregistered");
    }

    @Test
    void answersOfOneConnectionDoNotLeaveInTheNext() {
        Rig rig = rig();
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        rig.reconnect(rig.b);
        rig.run();
        assertThat(rig.wire).isEmpty();
    }

    @Test
    void aNewConnectionRemembersNoAtomicsOfTheOldOne() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 100, 8, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 101, 0, add(rig));
        rig.run();
        rig.reconnect(rig.b);
        rig.inject(rig.b, Opcode.RC_WRITE_FIRST, 100, 1024, reth(rig, 4096));
        rig.inject(rig.b, Opcode.RC_WRITE_MIDDLE, 101, 1024);
        rig.run();
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 101, 0, add(rig));
        assertThat(rig.b.discarded).containsExactly("a duplicate atomic that is not remembered");
    }

    @Test
    void requestsHeldForALeaseDoNotOutliveTheirConnection() {
        Rig rig = rig();
        rig.answersLeases = false;
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 100, 0, add(rig));
        rig.reconnect(rig.b);
        rig.b.machine.leaseGranted(rig.b.lease(Side.KEY), rig.b.at(rig.now));
        assertThat(rig.b.memory.readLong(0)).isZero();
    }

    @Test
    void aMessageOfOneConnectionIsNotEndedInTheNext() {
        Rig rig = rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 4096)));
        rig.inject(rig.b, Opcode.RC_SEND_FIRST, 100, 1024);
        rig.run();
        rig.reconnect(rig.b);
        rig.inject(rig.b, Opcode.RC_SEND_LAST, 100, 8);
        rig.run();
        assertThat(rig.syndromes()).containsExactly(Syndrome.ACK, Syndrome.NAK_INVALID_REQUEST);
    }

    // --- reported reasons ---

    @Test
    void aMissingReceiveIsReported() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        assertThat(rig.b.failures).containsExactly("no receive is posted");
    }

    @Test
    void memoryAccessesAreReportedInOrder() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(100, 4), rig.b.slice(200, 60)));
        rig.inject(rig.b, Opcode.RC_SEND_ONLY, 100, 8);
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 102, 0, reth(rig, 8));
        rig.inject(rig.b, Opcode.RC_FETCH_ADD, 103, 0, add(rig));
        rig.run();
        rig.inject(rig.b, Opcode.RC_COMPARE_SWAP, 104, 0, new AtomicEth(rig.b.memory.address(), Side.KEY, 9, 5));
        rig.inject(rig.b, Opcode.RC_COMPARE_SWAP, 105, 0, new AtomicEth(rig.b.memory.address(), Side.KEY, 9, 2));
        rig.run();
        assertThat(rig.b.touched)
                .containsExactly(
                        "wrote 4 bytes at 100",
                        "wrote 4 bytes at 200",
                        "wrote 8 bytes at 0 for the peer",
                        "0 became 2 at 0",
                        "read 8 bytes at 0 for the peer",
                        "2 became 2 at 0",
                        "2 became 9 at 0");
    }

    // --- replays of a READ ---

    /** Sends a READ of 3000 bytes under a key, then a similar one with another key, address or length. */
    private static String again(int psn, int key, long offset, int bytes) {
        Rig rig = rig();
        rig.b.grant(0x666_00, 1, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, new Reth(rig.b.memory.address(), Side.KEY, 3000));
        rig.run();
        rig.wire.clear();
        rig.inject(
                rig.b, Opcode.RC_READ_REQUEST, psn, Octets.NONE, new Reth(rig.b.memory.address() + offset, key, bytes));
        rig.run();
        return rig.wire.size() + " " + rig.b.discarded;
    }

    // rule rc-duplicate-read
    @Test
    void onlyARememberedReadOrItsRestIsAnsweredAgain() {
        String not = "0 [a duplicate READ that is not remembered]";
        assertThat(again(100, Side.KEY, 0, 3000)).isEqualTo("3 []");
        assertThat(again(100, Side.KEY, 0, 1)).isEqualTo("1 []");
        assertThat(again(101, Side.KEY, 1024, 1976)).isEqualTo("2 []");
        assertThat(again(102, Side.KEY, 2048, 952)).isEqualTo("1 []");
        assertThat(again(102, Side.KEY, 2048, 953)).isEqualTo(not);
        assertThat(again(101, Side.KEY, 1024, 1977)).isEqualTo(not);
        assertThat(again(101, Side.KEY, 1023, 1976)).isEqualTo(not);
        assertThat(again(101, Side.KEY, 0, 1976)).isEqualTo(not);
        assertThat(again(100, 0x666_00, 0, 3000)).isEqualTo(not);
        assertThat(again(99, Side.KEY, -1024, 8)).isEqualTo(not);
    }

    @Test
    void thePlaceBehindARememberedReadIsNotItsRest() {
        Rig rig = rig();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 1024));
        rig.inject(rig.b, Opcode.RC_WRITE_ONLY, 101, 8, reth(rig, 8));
        rig.run();
        rig.inject(rig.b, Opcode.RC_READ_REQUEST, 101, 0, new Reth(rig.b.memory.address() + 1024, Side.KEY, 0));
        assertThat(rig.b.discarded).containsExactly("a duplicate READ that is not remembered");
    }
}
