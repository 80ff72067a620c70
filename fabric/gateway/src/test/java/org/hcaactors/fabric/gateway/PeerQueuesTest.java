// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.hcaactors.fabric.gateway.PeerQueues.Added;
import org.hcaactors.fabric.packet.PortAddress;
import org.junit.jupiter.api.Test;

class PeerQueuesTest {
    private static final int FRAME_BITS = Packets.send(2, 3, 0, 64).frameBytes() * 8;
    private static final long SECOND = 1_000_000_000;
    private static final PeerLimits OPEN = PeerLimits.DEFAULT.withWindow(10_000);

    private static PeerQueues queues(PeerLimits limits) {
        Map<PortAddress, PeerWindow> windows = new LinkedHashMap<>();
        windows.put(Packets.port(3), new PeerWindow(WindowSize.ofPackets(limits.windowPackets())));
        windows.put(Packets.port(4), new PeerWindow(WindowSize.ofPackets(limits.windowPackets())));
        return new PeerQueues(windows, limits);
    }

    /** Returns limits with a pace of one frame in a second, of which {@code burst} leave at once. */
    private static PeerLimits slow(int burst) {
        return OPEN.withPace(FRAME_BITS, burst * FRAME_BITS / 8);
    }

    private static Outgoing to(int peer, int psn) {
        return new Outgoing(Packets.send(2, peer, psn, 64), Optional.empty(), OptionalLong.empty(), Optional.empty());
    }

    private static List<String> drain(PeerQueues queues, long now) {
        List<String> left = new ArrayList<>();
        for (var next = queues.poll(now); next.isPresent(); next = queues.poll(now)) {
            left.add(next.get().packet().route().destination().ipv4() % 256 + ":"
                    + next.get().packet().psn());
        }
        return left;
    }

    @Test
    void packetsOfAPeerLeaveInOrderAndPeersTakeTurns() {
        PeerQueues queues = queues(OPEN);
        queues.add(to(3, 1));
        queues.add(to(3, 2));
        queues.add(to(3, 3));
        queues.add(to(4, 4));
        queues.add(to(4, 5));
        assertThat(drain(queues, 0)).containsExactly("3:1", "4:4", "3:2", "4:5", "3:3");
        assertThat(queues.isEmpty()).isTrue();
    }

    @Test
    void anAddressThatIsNoPeerIsRefused() {
        PeerQueues queues = queues(OPEN);
        assertThat(queues.add(to(5, 1))).isEqualTo(Added.NO_PEER);
        assertThat(queues.isEmpty()).isTrue();
    }

    @Test
    void aFullQueueRefusesAndOthersDoNot() {
        PeerQueues queues = queues(OPEN.withQueue(2));
        assertThat(queues.add(to(3, 1))).isEqualTo(Added.QUEUED);
        assertThat(queues.add(to(3, 2))).isEqualTo(Added.QUEUED);
        assertThat(queues.add(to(3, 3))).isEqualTo(Added.FULL);
        assertThat(queues.add(to(4, 4))).isEqualTo(Added.QUEUED);
        queues.poll(0);
        assertThat(queues.add(to(3, 5))).isEqualTo(Added.QUEUED);
    }

    @Test
    void aPaceDelaysPacketsBeyondTheBurst() {
        PeerQueues queues = queues(slow(2));
        for (int psn = 0; psn < 4; psn++) {
            queues.add(to(3, psn));
        }
        assertThat(drain(queues, 0)).containsExactly("3:0", "3:1");
        assertThat(queues.nextDeparture(0)).isEqualTo(SECOND);
        assertThat(drain(queues, SECOND - 1)).isEmpty();
        assertThat(drain(queues, SECOND)).containsExactly("3:2");
        assertThat(drain(queues, 2 * SECOND)).containsExactly("3:3");
        assertThat(queues.nextDeparture(2 * SECOND)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aPacedPeerDelaysNoOther() {
        PeerQueues queues = queues(slow(1));
        for (int psn = 0; psn < 5; psn++) {
            queues.add(to(3, psn));
        }
        queues.add(to(4, 9));
        assertThat(drain(queues, 0)).containsExactlyInAnyOrder("3:0", "4:9");
    }

    @Test
    void withoutAPaceEverythingLeavesAtOnce() {
        PeerQueues queues = queues(OPEN);
        for (int psn = 0; psn < 1000; psn++) {
            queues.add(to(3, psn));
        }
        assertThat(queues.nextDeparture(5)).isEqualTo(5);
        assertThat(drain(queues, 5)).hasSize(1000);
    }

    @Test
    void aClosedWindowDelaysPacketsUntilThoseSentCountAsRead() {
        PeerQueues queues = queues(PeerLimits.DEFAULT.withWindow(2));
        for (int psn = 0; psn < 5; psn++) {
            queues.add(to(3, psn));
        }
        queues.add(to(4, 9));
        assertThat(drain(queues, 10)).containsExactlyInAnyOrder("3:0", "3:1", "4:9");
        assertThat(queues.nextDeparture(10)).isEqualTo(10 + PeerWindow.LOST_NANOS);
        assertThat(drain(queues, 10 + PeerWindow.LOST_NANOS)).containsExactly("3:2", "3:3");
    }

    // rule wire-window
    @Test
    void aRequestAsksForAnAcknowledgementAfterHalfOfTheWindow() {
        PeerQueues queues = queues(PeerLimits.DEFAULT.withWindow(6));
        List<Boolean> asked = new ArrayList<>();
        for (int psn = 0; psn < 6; psn++) {
            queues.add(to(3, psn));
        }
        for (var next = queues.poll(0); next.isPresent(); next = queues.poll(0)) {
            asked.add(next.get().packet().bth().ackReq());
        }
        assertThat(asked).containsExactly(false, false, true, false, false, true);
    }

    @Test
    void atTheEndPacketsLeaveWhateverTheirPace() {
        PeerQueues queues = queues(slow(1));
        for (int psn = 0; psn < 3; psn++) {
            queues.add(to(3, psn));
        }
        List<Integer> left = new ArrayList<>();
        for (var next = queues.pollUnlimited(); next.isPresent(); next = queues.pollUnlimited()) {
            left.add(next.get().packet().psn());
        }
        assertThat(left).containsExactly(0, 1, 2);
        assertThat(queues.isEmpty()).isTrue();
    }
}
