// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.SendFlags;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;

/** Limits of a requester: budgets, windows, message limits, and payload arrays. */
class RcRequesterLimitsTest {
    // --- budgets and windows ---

    @Test
    void answersAndRequestsTogetherKeepToTheBudget() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 0, 4000));
        rig.run(rig.a);
        rig.a.out.clear();
        rig.a.post(rig.write(2, 0, 4000));
        rig.inject(rig.a, Opcode.RC_READ_REQUEST, 100, 0, reth(rig, 8));
        assertThat(rig.a.machine.transmit(3, rig.a.at(rig.now))).isEqualTo(3);
        assertThat(rig.a.out)
                .extracting(Packet::opcode)
                .containsExactly(Opcode.RC_READ_RESPONSE_ONLY, Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE);
        assertThat(rig.a.machine.transmit(0, rig.a.at(rig.now))).isZero();
    }

    private static org.hcaactors.fabric.packet.ExtendedHeader.Reth reth(Rig rig, int bytes) {
        return new org.hcaactors.fabric.packet.ExtendedHeader.Reth(rig.a.memory.address(), Side.KEY, bytes);
    }

    // rule rc-window
    @Test
    void atMostAWindowOfPacketsIsOutstanding() {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256));
        rig.lets = (from, packet) -> false;
        for (int i = 0; i < 17; i++) {
            rig.a.post(rig.write(i, 0, 256 * 256));
        }
        rig.run();
        assertThat(rig.wire).hasSize(PsnWindow.MAX_PACKETS);
        rig.answers(100, Syndrome.ACK);
        rig.run();
        assertThat(rig.wire).hasSize(PsnWindow.MAX_PACKETS + 1);
    }

    // rule rc-message-limit
    @Test
    void aMessageOfExactlyTheLimitIsSentAndOneByteMoreIsNot() {
        Profile profile = Profile.SOFT_ROCE;
        Rig rig = new Rig(Rig.TERMS, profile, false);
        rig.lets = (from, packet) -> false;
        int slices = (int) (profile.port().maxMessageBytes() / Side.MEMORY);
        List<LocalSlice> into = new ArrayList<>(Collections.nCopies(slices, rig.a.slice(0, Side.MEMORY)));
        rig.a.post(RdmaRead.of(1, into, rig.b.remote(0)).withFlags(SendFlags.SIGNALED));
        rig.run();
        assertThat(rig.wire)
                .singleElement()
                .satisfies(p -> assertThat(p.reth().lengthUnsigned())
                        .isEqualTo(profile.port().maxMessageBytes()));
        into.add(rig.a.slice(0, 1));
        rig.a.post(RdmaRead.of(2, into, rig.b.remote(0)).withFlags(SendFlags.SIGNALED));
        rig.run();
        assertThat(rig.wire).hasSize(1);
    }

    // rule rc-cumulative-ack
    @Test
    void anAckInTheMiddleOfAMessageNeitherRepeatsNorSkipsAPacket() {
        Rig rig = new Rig();
        rig.a.machine.leaseGranted(rig.a.lease(Side.KEY), rig.a.at(0));
        rig.a.post(rig.write(1, 0, 8000));
        rig.a.machine.transmit(4, rig.a.at(rig.now));
        rig.answers(101, Syndrome.ACK);
        rig.a.machine.transmit(64, rig.a.at(rig.now));
        assertThat(rig.a.out).extracting(Packet::psn).containsExactly(100, 101, 102, 103, 104, 105, 106, 107);
    }

    // rule rc-cumulative-ack
    @Test
    void packetsAcknowledgedDuringARetransmissionAreNotResent() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 0, 8000));
        rig.run(rig.a);
        rig.a.out.clear();
        rig.answers(101, Syndrome.NAK_PSN_SEQUENCE);
        rig.a.machine.transmit(1, rig.a.at(rig.now));
        rig.answers(104, Syndrome.ACK);
        rig.run(rig.a);
        assertThat(rig.a.out).extracting(Packet::psn).containsExactly(101, 105, 106, 107);
    }

    // --- requests that break ---

    @Test
    void aWrongLengthIsReported() {
        Rig rig = new Rig();
        rig.a.post(org.hcaactors.api.work.FetchAdd.of(1, rig.a.slice(0, 4), rig.b.remote(0), 1));
        rig.run();
        assertThat(rig.a.failures).containsExactly("an atomic into 4 bytes; it requires 8");
        Rig soft = new Rig(Rig.TERMS, Profile.SOFT_ROCE, false);
        List<LocalSlice> into = Collections.nCopies(129, soft.a.slice(0, Side.MEMORY));
        soft.a.post(RdmaRead.of(1, into, soft.b.remote(0)).withFlags(SendFlags.SIGNALED));
        soft.run();
        assertThat(soft.a.failures).containsExactly("a message of 8454144 bytes; at most 8388608 are allowed");
    }

    @Test
    void aFailedRequestDoesNotRequestItsKeyAgain() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 0, 8));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0x333_00, 0, 8), rig.b.remote(0)));
        rig.a.post(rig.write(3, 0, 8));
        rig.run();
        rig.a.machine.endTurn();
        rig.run();
        assertThat(rig.a.asked).isEmpty();
        rig.answersLeases = false;
        rig.a.machine.transmit(64, rig.a.at(rig.now));
        assertThat(rig.a.asked).isEmpty();
        assertThat(rig.wire).hasSize(1);
        rig.answers(100, Syndrome.ACK);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.a.failures).containsExactly("L_Key 0x00033300 is not registered, or was deregistered");
    }

    // --- payload arrays, if no observer keeps packets ---

    /**
     * Three packets of one burst are slow; they are sent again, and the first of them is acknowledged. The slow ones must still
     * have their payload when they arrive.
     */
    @Test
    void packetsOnTheirWayKeepTheirPayloadsWhenTheyAreSentAgain() {
        Rig rig = new Rig();
        rig.a.keepsPackets = false;
        rig.fill(rig.a, 0, 1000, 7);
        rig.a.post(rig.write(1, 0, 8));
        rig.a.post(rig.write(2, 8, 400));
        rig.a.post(rig.write(3, 408, 400));
        rig.run(rig.a);
        List<Packet> slow = new ArrayList<>(rig.a.out);
        rig.a.out.clear();
        rig.now = rig.nextDeadline();
        rig.a.machine.timeout(rig.a.at(rig.now));
        rig.a.machine.transmit(1, rig.a.at(rig.now));
        rig.answers(100, Syndrome.ACK);
        rig.run(rig.a);
        for (Packet packet : slow) {
            rig.b.machine.receive(packet, rig.b.at(rig.now));
            rig.run(rig.b);
        }
        assertThat(rig.b.memory.read(0, 808)).isEqualTo(rig.a.memory.read(0, 808));
    }

    /** An array may be written again only when its last packet, not only its first, was acknowledged. */
    @Test
    void outstandingPacketsKeepTheirPayloads() {
        Rig rig = new Rig();
        rig.a.keepsPackets = false;
        rig.fill(rig.a, 0, 4000, 7);
        rig.a.post(rig.write(1, 0, 100));
        rig.a.post(rig.write(2, 100, 100));
        rig.run(rig.a);
        List<Packet> slow = new ArrayList<>(rig.a.out);
        rig.b.machine.receive(slow.getFirst(), rig.b.at(rig.now));
        rig.run(rig.b);
        rig.answers(100, Syndrome.ACK);
        rig.a.post(rig.write(3, 1000, 100));
        rig.run(rig.a);
        rig.b.machine.receive(slow.getLast(), rig.b.at(rig.now));
        rig.run(rig.b);
        assertThat(rig.b.memory.read(0, 200)).isEqualTo(rig.a.memory.read(0, 200));
    }

    @Test
    void packetsOutstandingBeforeAResetDoNotCountAfterIt() {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_4096));
        rig.a.keepsPackets = false;
        rig.lets = (from, packet) -> false;
        for (int i = 0; i < 10; i++) {
            rig.a.post(rig.write(i, 0, Side.MEMORY));
        }
        rig.run();
        assertThat(rig.wire.size()).as("it waits for its arrays").isLessThan(160);
        for (Side side : new Side[] {rig.a, rig.b}) {
            side.machine.modify(QpModify.to(QpState.RESET), side.turn);
            side.machine.modify(rig.attributes.toInit(), side.turn);
            rig.readyToReceive(side, rig.peer(side));
            side.machine.modify(rig.attributes.toRts(), side.turn);
        }
        rig.lets = (from, packet) -> true;
        rig.a.post(rig.write(99, 0, Side.MEMORY));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    @Test
    void transmitReturnsTheNumberOfPacketsSent() {
        Rig rig = new Rig();
        rig.a.post(Send.of(1, rig.a.slice(0, 3000)));
        rig.answersLeases = true;
        rig.a.machine.transmit(64, rig.a.at(rig.now));
        rig.answerLeases(rig.a);
        assertThat(rig.a.machine.transmit(64, rig.a.at(rig.now))).isEqualTo(rig.a.out.size());
    }
}
