// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.BitFlip;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The border of a fabric: packets to and from addresses that no port has. */
class BorderTest {
    private static final PortAddress A = SwitchboardTest.A;
    private static final PortAddress B = SwitchboardTest.B;
    private static final PortAddress FAR = PortAddress.ofIpv4(0x7F000009);
    private static final PortAddress GROUP = PortAddress.ofIpv4(0xE0000001);
    private static final Route OUT = new Route(A, FAR, 0, 64, 0, 0xC000);
    private static final Route IN = new Route(FAR, B, 0, 64, 0, 4791);
    private static final LinkProperties NARROW = new LinkProperties(0, 0, 200, Long.MAX_VALUE);

    private static final class Outside implements Receiver {
        final List<Packet> left = new ArrayList<>();
        final List<Octets> damaged = new ArrayList<>();
        final List<Endpoint> senders = new ArrayList<>();
        int credits;
        boolean keepsCredits;

        @Override
        public int leave(Endpoint from, Packet[] batch, long[] traceIds) {
            senders.add(from);
            deliver(batch, traceIds);
            return keepsCredits ? batch.length : 0;
        }

        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            left.addAll(List.of(batch));
        }

        @Override
        public void corrupted() {
            throw new AssertionError("a border takes the frame");
        }

        @Override
        public void damaged(Packet packet, Octets frame) {
            damaged.add(frame);
        }

        @Override
        public void credit(int packets) {
            credits += packets;
        }
    }

    private final SwitchboardTest.Inbox atA = new SwitchboardTest.Inbox();
    private final SwitchboardTest.Inbox atB = new SwitchboardTest.Inbox();
    private final Outside outside = new Outside();
    private final Endpoint a = new Endpoint(A, 17, atA);
    private final Endpoint b = new Endpoint(B, 18, atB);
    private final Endpoint border = Endpoint.border(outside);
    private final List<FabricEvent> events = new ArrayList<>();
    private final Tap tap = events::add;
    private final Switchboard fabric = new Switchboard(
            FabricLimits.DEFAULT,
            TraceSink.NONE,
            thrown -> {
                throw new AssertionError(thrown);
            },
            new Epoch());

    @BeforeEach
    void plug() {
        fabric.port("a", A, LinkProperties.IDEAL);
        fabric.port("b", B, LinkProperties.IDEAL);
        fabric.attach(a);
        fabric.attach(b);
        fabric.border("wire", border, LinkProperties.IDEAL);
    }

    private static Packet packet(Route route, int qp, int bytes) {
        return SwitchboardTest.packet(1, bytes, qp).withRoute(route);
    }

    private void send(Endpoint from, Packet... batch) {
        from.batchQueued();
        fabric.transmit(from, batch, Switchboard.UNTRACED, 0);
    }

    private List<String> reasons() {
        return events.stream()
                .filter(FabricEvent.Dropped.class::isInstance)
                .map(event -> ((FabricEvent.Dropped) event).reason())
                .toList();
    }

    @Test
    void packetsToUnknownAddressesLeaveWhateverTheirQueuePair() {
        Packet first = packet(OUT, 18, 8);
        Packet second = packet(OUT, 0xABCDEF, 8);
        send(a, first);
        send(a, second);
        assertThat(outside.left).containsExactly(first, second);
        assertThat(atB.psns).isEmpty();
    }

    @Test
    void packetsToAPortInsideDoNotLeave() {
        send(a, packet(SwitchboardTest.WAY, 18, 8));
        send(a, packet(SwitchboardTest.WAY, 99, 8));
        assertThat(atB.psns).hasSize(1);
        assertThat(outside.left).isEmpty();
    }

    @Test
    void packetsOfAnAddressOutsideReachTheirQueuePair() {
        send(border, packet(IN, 18, 8));
        assertThat(atB.psns).containsExactly(1);
    }

    @Test
    void aPacketFromOutsideDoesNotLeaveAgain() {
        fabric.tap(tap);
        send(border, packet(new Route(FAR, PortAddress.ofIpv4(0x7F000008), 0, 64, 0, 4791), 18, 8));
        assertThat(outside.left).isEmpty();
        assertThat(reasons()).containsExactly("no port of that address");
    }

    @Test
    void aPacketFromOutsideMayNotHaveAnAddressInside() {
        send(border, packet(SwitchboardTest.WAY, 18, 8));
        fabric.tap(tap);
        send(border, packet(SwitchboardTest.WAY, 18, 8));
        assertThat(atB.psns).isEmpty();
        assertThat(reasons()).containsExactly("from outside, but with the address of a");
    }

    @Test
    void aPacketWithoutSourceDoesNotEnter() {
        Route nowhere = new Route(PortAddress.unspecified(true), B, 0, 64, 0, 4791);
        fabric.tap(tap);
        send(border, packet(nowhere, 18, 8));
        send(a, packet(new Route(A, PortAddress.unspecified(true), 0, 64, 0, 4791), 18, 8));
        assertThat(atB.psns).isEmpty();
        assertThat(outside.left).isEmpty();
        assertThat(reasons()).hasSize(2);
    }

    @Test
    void aMulticastAddressIsNotOutside() {
        fabric.tap(tap);
        send(a, packet(new Route(A, GROUP, 0, 64, 0, 0xC000), 18, 8));
        send(a, packet(new Route(A, GROUP, 0, 64, 0, 0xC000), Switchboard.MULTICAST_QP, 8));
        assertThat(outside.left).isEmpty();
        assertThat(reasons()).containsExactly("no port of that address", "no port is attached to that group");
    }

    // rule wire-groups
    @Test
    void aBorderThatGroupsCrossIsInAllOfThem() {
        fabric.groupsLeave(border);
        fabric.join(GROUP, b, false);
        Packet leaving = packet(new Route(A, GROUP, 0, 64, 0, 0xC000), Switchboard.MULTICAST_QP, 8);
        send(a, leaving);
        assertThat(outside.left).containsExactly(leaving);
        assertThat(atB.psns).hasSize(1);
        send(border, packet(new Route(FAR, GROUP, 0, 64, 0, 4791), Switchboard.MULTICAST_QP, 8));
        assertThat(outside.left).hasSize(1);
        assertThat(atB.psns).hasSize(2);
        fabric.detach(border);
        send(a, leaving);
        assertThat(outside.left).hasSize(1);
    }

    @Test
    void theMtuBoundsPacketsInBothDirections() {
        fabric.border("wire", border, NARROW);
        fabric.tap(tap);
        send(a, packet(OUT, 18, 400));
        send(border, packet(IN, 18, 400));
        assertThat(outside.left).isEmpty();
        assertThat(atB.psns).isEmpty();
        assertThat(reasons())
                .containsExactly(
                        "larger than the receiver's link MTU of 200 bytes", "larger than the link's MTU of 200 bytes");
    }

    @Test
    void theMtuBoundsForwardedBatchesToo() {
        fabric.border("wire", border, NARROW);
        send(a, packet(OUT, 18, 8));
        send(a, packet(OUT, 18, 400));
        send(border, packet(IN, 18, 8));
        send(border, packet(IN, 18, 400));
        assertThat(outside.left).hasSize(1);
        assertThat(atB.psns).hasSize(1);
    }

    // rule wire-icrc-drop
    @Test
    void aDamagedPacketLeavesDamaged() {
        BitFlip flip = new BitFlip(60, 3);
        fabric.intercept(transit -> new Verdict.Corrupt("noise", flip));
        fabric.tap(tap);
        Packet packet = packet(OUT, 18, 64);
        send(a, packet);
        assertThat(outside.damaged).containsExactly(Octets.copyOf(flip.in(packet)));
        assertThat(outside.left).isEmpty();
        assertThat(events).last().isInstanceOf(FabricEvent.Corrupted.class);
    }

    // rule wire-icrc-drop
    @Test
    void aPacketThatCameInDamagedIsDroppedAtItsQueuePair() {
        Packet packet = packet(IN, 18, 64);
        Octets frame = Octets.copyOf(new BitFlip(60, 3).in(packet));
        fabric.tap(tap);
        fabric.enterDamaged(border, packet, frame, 0);
        assertThat(atB.corrupted).isEqualTo(1);
        assertThat(atB.psns).isEmpty();
        assertThat(events)
                .first()
                .isInstanceOfSatisfying(
                        FabricEvent.Forged.class,
                        came -> assertThat(came.frame())
                                .as("an observer sees what came in")
                                .isEqualTo(frame));
        assertThat(events).last().isInstanceOf(FabricEvent.Corrupted.class);
    }

    @Test
    void aDamagedPacketToNoQueuePairIsDropped() {
        Packet packet = packet(IN, 99, 64);
        fabric.tap(tap);
        fabric.enterDamaged(border, packet, Octets.copyOf(new BitFlip(60, 3).in(packet)), 0);
        assertThat(atB.corrupted).isZero();
        assertThat(reasons()).containsExactly("no queue pair of that number");
    }

    @Test
    void everyPacketThatCameInReturnsACredit() {
        int half = Endpoint.INITIAL_CREDITS / 2;
        for (int i = 0; i < half - 1; i++) {
            send(border, packet(IN, i % 2 == 0 ? 18 : 99, 8));
        }
        assertThat(outside.credits).isZero();
        Packet packet = packet(IN, 18, 8);
        fabric.enterDamaged(border, packet, Octets.copyOf(new BitFlip(60, 3).in(packet)), 0);
        assertThat(outside.credits).isEqualTo(half);
    }

    private static Packet[] many(int count) {
        return Stream.generate(() -> packet(OUT, 18, 8)).limit(count).toArray(Packet[]::new);
    }

    // rule wire-back-pressure
    @Test
    void aBorderKeepsTheCreditsOfWhatItForwards() {
        outside.keepsCredits = true;
        for (int i = 0; i < 4; i++) {
            send(a, many(64));
        }
        assertThat(atA.credits).isZero();
        a.left(63);
        assertThat(atA.credits).isZero();
        a.left(1);
        assertThat(atA.credits).isEqualTo(64);
    }

    // rule wire-back-pressure
    @Test
    void aBorderKeepsTheCreditsOfTheDirectPath() {
        send(a, packet(OUT, 18, 8));
        assertThat(a.sendDirect(many(3))).isZero();
        outside.keepsCredits = true;
        assertThat(a.sendDirect(many(3))).isEqualTo(3);
    }

    // rule wire-back-pressure
    @Test
    void aBorderTakesBackCreditsOfPacketsThatWereCarried() {
        fabric.tap(tap);
        outside.keepsCredits = true;
        send(a, many(64));
        assertThat(atA.credits).isEqualTo(-64);
        send(a, many(64));
        assertThat(atA.credits).as("128 returned by the port, 128 kept").isZero();
        a.left(128);
        assertThat(atA.credits).isEqualTo(128);
    }

    // rule wire-back-pressure
    @Test
    void carriedPacketsOfTwoSendersLeaveApart() {
        Endpoint other = new Endpoint(A, 19, atA);
        fabric.attach(other);
        fabric.intercept(transit -> new Verdict.Delay("slow", 10));
        send(a, many(2));
        send(other, many(2));
        fabric.advance(10);
        assertThat(outside.left).hasSize(4);
        assertThat(outside.senders).containsExactly(a, other);
    }

    @Test
    void packetsThatLeaveAreKept() {
        assertThat(a.isKept()).isFalse();
        send(a, packet(OUT, 18, 8));
        assertThat(a.isKept()).isTrue();
    }

    @Test
    void aDirectPathLeadsOutAndIsClosedByANewPort() {
        send(a, packet(OUT, 18, 8));
        assertThat(a.sendDirect(new Packet[] {packet(OUT, 18, 8)})).isZero();
        fabric.port("far", FAR, LinkProperties.IDEAL);
        assertThat(a.sendDirect(new Packet[] {packet(OUT, 18, 8)})).isEqualTo(Endpoint.NOT_SENT);
        send(a, packet(OUT, 18, 8));
        assertThat(outside.left).hasSize(2);
    }

    @Test
    void aPacketThatDidNotLeaveIsTraced() {
        fabric.tap(tap);
        fabric.notSent(packet(OUT, 18, 8), "the queue of the wire is full", 7, 5);
        assertThat(reasons()).containsExactly("the queue of the wire is full");
        assertThat(events.getFirst().port()).isEqualTo("wire");
        assertThat(events.getFirst().stamp().causes()).contains(7L);
    }

    @Test
    void withoutABorderUnknownAddressesAreLost() {
        fabric.detach(border);
        fabric.tap(tap);
        send(a, packet(OUT, 18, 8));
        assertThat(outside.left).isEmpty();
        assertThat(reasons()).containsExactly("no port of that address");
    }

    @Test
    void interceptorsJudgePacketsInBothDirections() {
        List<String> ways = new ArrayList<>();
        fabric.intercept(transit -> {
            ways.add(transit.fromPort() + " to " + transit.toPort());
            return Verdict.PASS;
        });
        send(a, packet(OUT, 18, 8));
        send(border, packet(IN, 18, 8));
        assertThat(ways).containsExactly("a to wire", "wire to b");
    }
}
