// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchboardTest {
    static final PortAddress A = PortAddress.ofIpv4(0x0A000001);
    static final PortAddress B = PortAddress.ofIpv4(0x0A000002);
    static final Route WAY = new Route(A, B, 0, 64, 0, 0xC000);
    private static final long GIGABIT = 1_000_000_000L;

    static final class Inbox implements Receiver {
        final List<Packet[]> trains = new ArrayList<>();
        final List<Integer> psns = new ArrayList<>();
        int credits;
        int corrupted;

        @Override
        public void corrupted() {
            corrupted++;
        }

        @Override
        public void deliver(Packet[] batch, long[] traceIds) {
            trains.add(batch);
            for (Packet packet : batch) {
                psns.add(packet.psn());
            }
        }

        @Override
        public void credit(int packets) {
            credits += packets;
        }
    }

    private final Inbox atA = new Inbox();
    private final Inbox atB = new Inbox();
    private final Endpoint a = new Endpoint(A, 17, atA);
    private final Endpoint b = new Endpoint(B, 18, atB);
    private final List<FabricEvent> seen = new ArrayList<>();
    private final List<Throwable> complaints = new ArrayList<>();
    private Switchboard fabric = fabric(LinkProperties.IDEAL);

    @BeforeEach
    void start() {
        fabric = fabric(LinkProperties.IDEAL);
    }

    private Switchboard fabric(LinkProperties link) {
        return fabric(link, FabricLimits.DEFAULT);
    }

    private Switchboard fabric(LinkProperties link, FabricLimits limits) {
        Switchboard made = new Switchboard(limits, TraceSink.NONE, complaints::add, new Epoch());
        made.port("a", A, link);
        made.port("b", B, link);
        made.attach(a);
        made.attach(b);
        return made;
    }

    static Packet packet(int psn, int bytes) {
        return packet(psn, bytes, 18);
    }

    static Packet packet(int psn, int bytes, int qp) {
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, bytes, 0xFFFF, qp, false, psn);
        return new Packet(WAY, bth, List.of(), Octets.wrap(new byte[bytes], 0, bytes));
    }

    static Packet[] batch(int count, int bytes) {
        Packet[] batch = new Packet[count];
        for (int i = 0; i < count; i++) {
            batch[i] = packet(i, bytes);
        }
        return batch;
    }

    private void send(long now, Packet... batch) {
        fabric.transmit(a, batch, new long[0], now);
    }

    private List<String> reasons() {
        return seen.stream()
                .filter(FabricEvent.Dropped.class::isInstance)
                .map(e -> ((FabricEvent.Dropped) e).reason())
                .toList();
    }

    @Test
    void anIdealLinkForwardsTheTrainUntouchedInTheSameTurn() {
        Packet[] batch = batch(40, 64);
        send(5, batch);
        assertThat(atB.trains).containsExactly(batch);
        assertThat(fabric.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void latencyAndBandwidthAddUpToTheNanosecond() {
        fabric = fabric(LinkProperties.of(1000, GIGABIT));
        Packet one = packet(0, 64);
        send(100, one, packet(1, 64));
        long serialisation = one.frameBytes() * 8L;
        assertThat(fabric.nextDeadline()).isEqualTo(100 + serialisation);
        fabric.advance(100 + serialisation + 999);
        assertThat(atB.psns).isEmpty();
        fabric.advance(100 + serialisation + 1000);
        assertThat(atB.psns).containsExactly(0);
        fabric.advance(100 + 2 * serialisation + 1000);
        assertThat(atB.psns).containsExactly(0, 1);
    }

    @Test
    void packetsDueTogetherArriveInTrainsOfAtMostSixtyFour() {
        fabric = fabric(LinkProperties.of(10, 0));
        send(0, batch(64, 8));
        send(0, batch(36, 8));
        fabric.advance(10);
        assertThat(atB.trains).extracting(t -> t.length).containsExactly(64, 36);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, GIGABIT})
    void creditIsReturnedInBatchesWhenPacketsHaveLeft(long bandwidth) {
        fabric = fabric(new LinkProperties(0, bandwidth, 9000, 1 << 20));
        for (int i = 0; i < 4; i++) {
            send(0, batch(64, 8));
        }
        if (bandwidth > 0) {
            assertThat(atA.credits).isZero();
            fabric.advance(1_000_000_000L);
        }
        assertThat(atA.credits).isEqualTo(256);
    }

    @Test
    void aPacketAboveTheMtuIsDroppedAndItsCreditReturned() {
        fabric = fabric(new LinkProperties(0, 0, 1500, 1 << 20));
        fabric.tap(seen::add);
        for (int i = 0; i < 128; i++) {
            send(0, packet(i, 1460));
        }
        assertThat(atB.psns).isEmpty();
        assertThat(reasons()).hasSize(128).containsOnly("larger than the link's MTU of 1500 bytes");
        assertThat(atA.credits).isEqualTo(128);
        send(0, packet(99, 1400));
        assertThat(atB.psns).containsExactly(99);
    }

    @Test
    void aFullLinkQueueDropsTheNewest() {
        fabric = fabric(new LinkProperties(0, GIGABIT, 9000, 1000));
        fabric.tap(seen::add);
        send(0, packet(0, 400), packet(1, 400), packet(2, 400));
        assertThat(reasons()).containsExactly("link queue full at 1000 bytes");
        fabric.advance(1_000_000);
        assertThat(atB.psns).containsExactly(0, 1);
    }

    @Test
    void anUnknownAddressAndAnUnknownQueuePairAreDropsWithAReason() {
        fabric.tap(seen::add);
        send(0, packet(1, 8, 99));
        Route nowhere = new Route(A, PortAddress.ofIpv4(0x0A0000FF), 0, 64, 0, 0xC000);
        send(0, packet(2, 8).withRoute(nowhere));
        assertThat(reasons()).containsExactly("no queue pair of that number", "no port of that address");
    }

    @Test
    void packetsInFlightToADestroyedQueuePairAreDropped() {
        fabric = fabric(LinkProperties.of(10, 0));
        fabric.tap(seen::add);
        send(0, packet(1, 8));
        fabric.detach(b);
        fabric.advance(10);
        assertThat(reasons()).containsExactly("the queue pair was destroyed");
        fabric.attach(b);
        send(20, packet(2, 8));
        fabric.advance(30);
        assertThat(atB.psns).containsExactly(2);
    }

    @Test
    void verdictsDropDelayDuplicateAndReplace() {
        fabric.tap(seen::add);
        fabric.intercept(transit -> switch (transit.packet().psn()) {
            case 1 -> new Verdict.Drop("one");
            case 2 -> new Verdict.Delay("two", 500);
            case 3 -> new Verdict.Duplicate("three", 100);
            case 4 -> new Verdict.Replace("four", packet(44, 8));
            default -> Verdict.PASS;
        });
        send(0, batch(6, 8));
        assertThat(atB.psns).containsExactly(0, 3, 44, 5);
        fabric.advance(100);
        fabric.advance(500);
        assertThat(atB.psns).containsExactly(0, 3, 44, 5, 3, 2);
        assertThat(reasons()).containsExactly("dropped by one");
        assertThat(seen.stream().filter(FabricEvent.Disturbed.class::isInstance))
                .hasSize(3);
    }

    @Test
    void aReorderedPacketArrivesBehindTheNextOnesToItsQueuePair() {
        fabric.intercept(transit -> transit.packet().psn() == 0 ? new Verdict.Reorder("late", 2, 1000) : Verdict.PASS);
        send(0, batch(4, 8));
        assertThat(atB.psns).containsExactly(1, 2, 0, 3);
    }

    @Test
    void aReorderedPacketThatIsNotOvertakenArrivesAtItsLimit() {
        fabric.intercept(transit -> transit.packet().psn() == 1 ? new Verdict.Reorder("late", 5, 1000) : Verdict.PASS);
        send(0, batch(3, 8));
        assertThat(atB.psns).containsExactly(0, 2);
        assertThat(fabric.nextDeadline()).isEqualTo(1000);
        fabric.advance(1000);
        assertThat(atB.psns).containsExactly(0, 2, 1);
        assertThat(fabric.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    // rules wire-icrc, wire-icrc-drop
    @ParameterizedTest
    @EnumSource(BitFlip.Where.class)
    void everyBitFlipMakesTheIcrcWrongAndThePacketIsDropped(BitFlip.Where where) {
        fabric.tap(seen::add);
        for (int bit = 0; bit < 400; bit++) {
            BitFlip flip = BitFlip.of(packet(1, 20), where, bit);
            byte[] frame = flip.in(packet(1, 20));
            if (FrameDecoder.decode(frame, LinkLayer.ETHERNET) instanceof Decoded.Frame decoded) {
                assertThat(decoded.frame().icrcOk()).as("bit %d: %s", bit, flip).isFalse();
            }
        }
        fabric.intercept(transit -> new Verdict.Corrupt("noise", BitFlip.of(transit.packet(), where, 77)));
        send(0, packet(1, 20));
        assertThat(atB.psns).isEmpty();
        assertThat(atB.corrupted).isEqualTo(1);
        assertThat(seen.getLast()).isInstanceOf(FabricEvent.Corrupted.class);
    }

    @Test
    void noPacketIsKeptLongerThanTheLifetime() {
        fabric = fabric(LinkProperties.IDEAL, new FabricLimits(Duration.ofNanos(1000), 100));
        fabric.intercept(transit -> new Verdict.Delay("for ever", Long.MAX_VALUE / 2));
        send(0, packet(1, 8));
        fabric.advance(1000);
        assertThat(atB.psns).containsExactly(1);
    }

    @Test
    void packetsInFlightAreBounded() {
        fabric = fabric(LinkProperties.of(10, 0), new FabricLimits(Duration.ofSeconds(1), 3));
        fabric.tap(seen::add);
        send(0, batch(5, 8));
        assertThat(reasons()).hasSize(2).containsOnly("more than 3 packets in flight");
    }

    @Test
    void everyEventNamesItsCause() {
        fabric.tap(seen::add);
        send(0, packet(1, 8));
        assertThat(seen).hasSize(2);
        assertThat(seen.get(1).stamp().causes())
                .containsExactly(seen.get(0).stamp().id());
        fabric.untap(seen::add);
    }

    @Test
    void anEndpointWithoutAPortIsRefused() {
        Endpoint lost = new Endpoint(PortAddress.ofIpv4(1), 5, atA);
        assertThatThrownBy(() -> fabric.attach(lost)).isInstanceOf(IllegalArgumentException.class);
    }

    static final PortAddress C = PortAddress.ofIpv4(0x0A000003);

    @Test
    void anAddressOfTwoPortsBelongsToItsFirstHolderOnly() {
        fabric.addresses(A, List.of(A, B));
        send(0, packet(1, 8));
        assertThat(atB.psns).as("the first holder keeps it").containsExactly(1);
        fabric.addresses(A, List.of(A));
        send(1, packet(2, 8));
        assertThat(atB.psns).containsExactly(1, 2);
        fabric.attach(new Endpoint(B, 77, atB));
        send(2, packet(3, 8, 77));
        assertThat(atB.psns).as("what attaches finds its own port").containsExactly(1, 2, 3);
    }

    @Test
    void anAddressReleasedByItsFirstHolderBelongsToTheNext() {
        Endpoint same = new Endpoint(A, 18, atA);
        fabric.attach(same);
        fabric.addresses(A, List.of(A, B));
        fabric.addresses(B, List.of(C));
        send(0, packet(1, 8));
        assertThat(atB.psns).isEmpty();
        assertThat(atA.psns).containsExactly(1);
        fabric.addresses(B, List.of(C, B));
        send(1, packet(2, 8));
        assertThat(atA.psns).as("an address added again is behind the others").containsExactly(1, 2);
    }

    @Test
    void packetsToOrFromARemovedAddressAreDropped() {
        fabric.tap(seen::add);
        fabric.addresses(B, List.of(C));
        send(0, packet(1, 8));
        fabric.addresses(B, List.of(B, C));
        fabric.addresses(A, List.of(PortAddress.ofIpv4(0x0A000004)));
        send(1, packet(2, 8));
        assertThat(atB.psns).isEmpty();
        assertThat(reasons())
                .containsExactly("no port of that address", "the sender's port does not have the address 10.0.0.1");
    }

    // rule placement-remove
    @Test
    void packetsToARemovedPortAreDropped() {
        fabric.tap(seen::add);
        fabric.removePort(B);
        send(0, packet(1, 8));
        assertThat(reasons()).containsExactly("no port of that address");
        fabric.port("c", B, LinkProperties.IDEAL);
        fabric.attach(new Endpoint(B, 18, atB));
        send(1, packet(2, 8));
        assertThat(atB.psns).containsExactly(2);
    }

    @Test
    void theUnspecifiedAddressBelongsToNoPort() {
        PortAddress none = PortAddress.unspecified(true);
        fabric.tap(seen::add);
        fabric.addresses(A, List.of(A, none));
        fabric.addresses(B, List.of(B, none));
        send(0, packet(1, 8).withRoute(WAY.withSource(none)));
        send(1, packet(2, 8).withRoute(new Route(A, none, 0, 64, 0, 0xC000)));
        assertThat(atB.psns).isEmpty();
        assertThat(reasons())
                .containsExactly(
                        "the packet has no source address: its entry of the port's GID table is not in use",
                        "no port of that address");
    }

    @Test
    void packetsInFlightToARemovedAddressAreDropped() {
        fabric = fabric(LinkProperties.of(10, 0));
        fabric.tap(seen::add);
        send(0, packet(1, 8));
        fabric.addresses(B, List.of(C));
        fabric.advance(10);
        assertThat(atB.psns).isEmpty();
        assertThat(reasons()).containsExactly("the receiver's port no longer has the address 10.0.0.2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRemovedAddressSendsNothingOnTheFastPathAndReturnsCredit(boolean observed) {
        if (observed) {
            fabric.tap(seen::add);
        }
        fabric.addresses(A, List.of(C));
        for (int i = 0; i < 2; i++) {
            send(0, batch(64, 8));
        }
        assertThat(atB.psns).isEmpty();
        assertThat(atA.credits).isEqualTo(128);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10})
    void aPacketAboveTheReceiversMtuIsLostThere(long latency) {
        fabric.port("a", A, new LinkProperties(latency, 0, 9000, 1 << 20));
        fabric.port("b", B, new LinkProperties(0, 0, 1500, 1 << 20));
        send(0, packet(1, 1460));
        fabric.tap(seen::add);
        send(0, packet(2, 1460), packet(3, 1400));
        fabric.advance(10);
        assertThat(atB.psns).containsExactly(3);
        assertThat(reasons()).last().isEqualTo("larger than the receiver's link MTU of 1500 bytes");
        assertThat(seen.stream().filter(FabricEvent.Dropped.class::isInstance))
                .allMatch(e -> e.port().equals("b"));
    }

    @Test
    void aChangedLinkOfTheReceiverAppliesToAKnownRoute() {
        Packet one = packet(1, 1460);
        send(0, one);
        fabric.port("b", B, new LinkProperties(0, 0, 1500, 1 << 20));
        send(1, one);
        fabric.port("b", B, LinkProperties.IDEAL);
        send(2, one);
        assertThat(atB.psns).containsExactly(1, 1);
    }

    @Test
    void aGroupWhoseMembersCannotBeReachedIsADropWithAReason() {
        PortAddress group = PortAddress.ofIpv4(0xE0000001);
        fabric.tap(seen::add);
        Packet toGroup = packet(1, 8, 0xFF_FFFF).withRoute(new Route(A, group, 0, 64, 0, 0xC000));
        fabric.join(group, a, true);
        send(0, toGroup);
        fabric.join(group, b, false);
        fabric.plugged(B, false);
        send(0, toGroup);
        assertThat(reasons()).containsExactly("no other port is attached to that group", "the receiver's port is down");
    }

    @Test
    void aGroupWithOnlyItsSenderIsNotReportedAsEmpty() {
        PortAddress group = PortAddress.ofIpv4(0xE0000001);
        fabric.tap(seen::add);
        Packet toGroup = packet(1, 8, 0xFF_FFFF).withRoute(new Route(A, group, 0, 64, 0, 0xC000));
        send(0, toGroup);
        fabric.join(group, a, true);
        send(1, toGroup);
        assertThat(reasons())
                .containsExactly("no port is attached to that group", "no other port is attached to that group");
    }

    @Test
    void anInterceptorsExceptionIsReportedAndThePacketForwarded() {
        fabric.intercept(transit -> switch (transit.packet().psn()) {
            case 0 -> throw new IllegalStateException("the user's own");
            case 1 -> throw new AssertionError("an assertion");
            case 2 ->
                new Verdict.Replace(
                        "a send with a RETH",
                        new Packet(
                                WAY, transit.packet().bth(), List.of(new ExtendedHeader.Reth(0, 0, 0)), Octets.NONE));
            case 3 -> new Verdict.Delay("back in time", -1);
            case 4 -> new Verdict.Corrupt("far out", new BitFlip(5000, 1));
            case 5 -> new Verdict.Delay("for ever and ever", Long.MAX_VALUE);
            default -> nothing();
        });
        send(0, batch(8, 8));
        assertThat(atB.psns).containsExactly(0, 1, 2, 3, 4, 6, 7);
        assertThat(complaints).as("but for the one that only waits").hasSize(7);
        assertThat(complaints.getFirst()).hasMessage("the user's own");
        assertThat(complaints.get(2)).hasMessageContaining("RC_SEND_ONLY has the headers [], not [Reth");
        fabric.advance(FabricLimits.DEFAULT.maxPacketLifetime().toNanos());
        assertThat(atB.psns).endsWith(5);
    }

    @SuppressWarnings("NullAway") // an interceptor of a user may return null nevertheless
    private static Verdict nothing() {
        return null;
    }

    @Test
    void anExceptionOfATapIsReportedAndAffectsNoOtherTap() {
        fabric.tap(event -> {
            throw new IllegalStateException("the user's own");
        });
        fabric.tap(seen::add);
        send(0, batch(2, 8));
        assertThat(atB.psns).containsExactly(0, 1);
        assertThat(seen).hasSize(4);
        assertThat(complaints).hasSize(4);
    }

    @Test
    void aDestroyedQueuePairLeavesEveryGroup() {
        fabric.tap(seen::add);
        PortAddress first = PortAddress.ofIpv4(0xE0000001);
        PortAddress second = PortAddress.ofIpv4(0xE0000002);
        fabric.join(first, b, false);
        fabric.join(second, b, false);
        fabric.join(second, a, false);
        fabric.detach(b);
        send(0, packet(1, 8, 0xFF_FFFF).withRoute(new Route(A, first, 0, 64, 0, 0xC000)));
        send(0, packet(2, 8, 0xFF_FFFF).withRoute(new Route(A, second, 0, 64, 0, 0xC000)));
        assertThat(reasons()).containsExactly("no port is attached to that group");
        assertThat(atA.psns).containsExactly(2);
        assertThat(fabric.leave(second, b)).isFalse();
        assertThat(fabric.leave(second, a)).isTrue();
        assertThat(fabric.leave(second, a)).isFalse();
    }
}
