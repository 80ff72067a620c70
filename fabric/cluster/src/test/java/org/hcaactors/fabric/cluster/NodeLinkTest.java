// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

/** Packets to and from another node (rules cluster-hello, cluster-window). */
class NodeLinkTest {
    private static final long SELF = 7;

    private final NodeLink link = new NodeLink();

    private void add(int packets, int bytes) {
        for (int i = 0; i < packets; i++) {
            assertThat(link.add(Packets.outgoing(i, bytes), 0)).isTrue();
        }
    }

    // rule cluster-hello
    @Test
    void packetsWaitForTheWelcome() {
        add(3, 64);
        assertThat(link.nextTrain(SELF)).isEmpty();
        link.welcome(100);
        assertThat(link.nextTrain(SELF).orElseThrow().packets()).hasSize(3);
        assertThat(link.nextTrain(SELF)).isEmpty();
    }

    @Test
    void noMorePacketsLeaveThanTheWindowHolds() {
        link.welcome(10);
        add(25, 64);
        assertThat(link.nextTrain(SELF).orElseThrow().count()).isEqualTo(10);
        assertThat(link.nextTrain(SELF)).isEmpty();
        link.granted(4);
        NodeMessage.Train next = link.nextTrain(SELF).orElseThrow();
        assertThat(next.first()).isEqualTo(10);
        assertThat(next.count()).isEqualTo(4);
    }

    // rule cluster-train
    @Test
    void aTrainFitsIntoAFrameOfArtery() {
        link.welcome(1000);
        add(100, 4096);
        NodeMessage.Train train = link.nextTrain(SELF).orElseThrow();
        assertThat(train.packets().stream().mapToInt(TrainCodec::boundBytes).sum())
                .isLessThanOrEqualTo(NodeLink.MAX_TRAIN_BYTES);
        assertThat(train.count()).isGreaterThan(20);
    }

    @Test
    void moreThanTheLimitDoNotWait() {
        add(NodeLink.MAX_WAITING, 0);
        assertThat(link.add(Packets.outgoing(0, 0), 0)).isFalse();
        assertThat(link.removeWaiting()).hasSize(NodeLink.MAX_WAITING);
        assertThat(link.add(Packets.outgoing(0, 0), 0)).isTrue();
    }

    @Test
    void aPacketThatWaitsTooLongIsTakenBack() {
        link.add(Packets.outgoing(1, 0), 0);
        link.add(Packets.outgoing(2, 0), 500);
        assertThat(link.removeLate(NodeLink.MAX_WAIT_NANOS + 1)).hasSize(1);
        assertThat(link.removeLate(NodeLink.MAX_WAIT_NANOS + 501)).hasSize(1);
    }

    // rule wire-back-pressure
    @Test
    void aSenderGetsItsCreditsBackWhenItsPacketsLeave() {
        Sender sender = new Sender();
        sender.outgoing(64).forEach(packet -> link.add(packet, 0));
        assertThat(sender.credits()).isZero();
        link.welcome(100);
        link.nextTrain(SELF);
        assertThat(sender.credits()).isEqualTo(64);
    }

    @Test
    void aSilentLinkProbesUntilAllIsConsumed() {
        link.welcome(10);
        add(2, 64);
        link.nextTrain(SELF);
        assertThat(link.probe(SELF)).isEmpty();
        assertThat(link.probe(SELF)).contains(new NodeMessage.Probe(SELF, 2));
        link.granted(2);
        assertThat(link.probe(SELF)).isEmpty();
    }

    @Test
    void packetsEnterInBatchesOfOneQueuePair() {
        Carried other = new Carried(Packets.send(Packets.WAY, 0x12, 9, 64), Optional.empty());
        Carried damaged = new Carried(Packets.send(Packets.WAY, 0x11, 10, 64), Optional.of(Octets.copyOf((byte) 1)));
        List<Carried> packets = List.of(Packets.carried(0), Packets.carried(1), other, damaged, Packets.carried(2));
        assertThat(link.arrived(new NodeMessage.Train(1, 0, packets))).isZero();
        assertThat(link.pollArrived(256)).hasSize(2);
        assertThat(link.pollArrived(256)).containsExactly(other);
        assertThat(link.pollArrived(256)).containsExactly(damaged);
        assertThat(link.pollArrived(256)).hasSize(1);
        assertThat(link.hasArrived()).isFalse();
    }

    @Test
    void whatTheFabricTakesIsGrantedInSteps() {
        link.arrived(new NodeMessage.Train(1, 0, Packets.carried(0, NodeLink.WINDOW)));
        assertThat(link.grant(SELF)).isEmpty();
        long granted = 0;
        while (link.hasArrived()) {
            link.pollArrived(64);
            granted = link.grant(SELF).map(NodeMessage.Grant::consumed).orElse(granted);
        }
        assertThat(granted).isEqualTo(NodeLink.WINDOW);
    }

    @Test
    void packetsThatCouldNotBeReadAreConsumed() {
        link.arrived(new NodeMessage.Train(1, 0, Packets.carried(0, 2), 5));
        link.pollArrived(64);
        assertThat(link.grantNow(SELF).consumed()).isEqualTo(5);
    }
}
