// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.link.Verdict.Forge.Place;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.BitFlip;
import org.hcaactors.fabric.wire.FrameEncoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forged frames that an interceptor adds. */
class ForgeryTest {
    private final Inbox atB = new Inbox();
    private final Endpoint a = new Endpoint(SwitchboardTest.A, 17, new Inbox());
    private final Endpoint b = new Endpoint(SwitchboardTest.B, 18, atB);
    private final List<FabricEvent> seen = new ArrayList<>();
    private final List<PacketInTransit> judged = new ArrayList<>();
    private final List<Throwable> complaints = new ArrayList<>();
    private final Switchboard fabric =
            new Switchboard(FabricLimits.DEFAULT, TraceSink.NONE, complaints::add, new Epoch());

    @BeforeEach
    void cable() {
        fabric.port("a", SwitchboardTest.A, LinkProperties.IDEAL);
        fabric.port("b", SwitchboardTest.B, LinkProperties.IDEAL);
        fabric.attach(a);
        fabric.attach(b);
        fabric.tap(seen::add);
    }

    private void judge(Verdict first) {
        fabric.intercept(transit -> {
            judged.add(transit);
            return transit.packet().psn() == 1 ? first : Verdict.PASS;
        });
    }

    private void send(Packet... batch) {
        fabric.transmit(a, batch, new long[0], 0);
    }

    private static Octets frame(Packet packet) {
        return Octets.copyOf(FrameEncoder.encode(packet));
    }

    private List<String> reasons() {
        return seen.stream()
                .filter(FabricEvent.Dropped.class::isInstance)
                .map(e -> ((FabricEvent.Dropped) e).reason())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"AHEAD, '77 1'", "BEHIND, '1 77'", "INSTEAD, '77'"})
    void aForgedPacketIsSentAheadOfBehindOrInsteadOfTheOriginal(Place place, String psns) {
        judge(new Verdict.Forge("mallory", place, frame(SwitchboardTest.packet(77, 8)), 0));
        send(SwitchboardTest.packet(1, 8));
        assertThat(atB.psns).extracting(String::valueOf).containsExactly(psns.split(" "));
        assertThat(reasons()).isEqualTo(place == Place.INSTEAD ? List.of("dropped by mallory") : List.of());
        assertThat(seen.stream().filter(FabricEvent.Forged.class::isInstance))
                .singleElement()
                .satisfies(event -> {
                    assertThat(((FabricEvent.Forged) event).port()).isEqualTo("a");
                    assertThat(event.stamp().otherCause()).isOne();
                });
    }

    @Test
    void aForgedPacketOfAnUnknownSenderHasTheOriginalsPort() {
        judge(new Verdict.Forge(
                "mallory",
                Place.AHEAD,
                frame(SwitchboardTest.packet(77, 8)
                        .withRoute(new Route(SwitchboardTest.C, SwitchboardTest.B, 0, 64, 0, 0xC000))),
                0));
        send(SwitchboardTest.packet(1, 8));
        judge(new Verdict.Forge(
                "mallory",
                Place.AHEAD,
                frame(SwitchboardTest.packet(78, 8)
                        .withRoute(new Route(SwitchboardTest.B, SwitchboardTest.B, 0, 64, 0, 0xC000))),
                0));
        send(SwitchboardTest.packet(1, 8));
        assertThat(seen.stream()
                        .filter(FabricEvent.Forged.class::isInstance)
                        .map(event -> ((FabricEvent.Forged) event).port()))
                .containsExactly("a", "b");
    }

    @Test
    void forgedNoiseIsDroppedAndDamagedPacketsReachThePortOnly() {
        judge(new Verdict.Forge("mallory", Place.INSTEAD, Octets.copyOf(new byte[60]), 0));
        send(SwitchboardTest.packet(1, 8));
        assertThat(reasons()).hasSize(2).first().asString().startsWith("not RoCEv2");
        byte[] bad = FrameEncoder.encode(SwitchboardTest.packet(77, 8));
        bad[bad.length - 1] ^= 1;
        judge(new Verdict.Forge("mallory", Place.INSTEAD, Octets.copyOf(bad), 0));
        send(SwitchboardTest.packet(1, 8));
        assertThat(atB.psns).isEmpty();
        assertThat(atB.corrupted).isOne();
    }

    @Test
    void anInterceptorGetsTheTargetPortsNameOrAnUnknownAddress() {
        judge(Verdict.PASS);
        send(SwitchboardTest.packet(1, 8));
        send(SwitchboardTest.packet(2, 8).withRoute(new Route(SwitchboardTest.A, SwitchboardTest.C, 0, 64, 0, 0xC000)));
        assertThat(judged).extracting(PacketInTransit::toPort).containsExactly("b", SwitchboardTest.C.toString());
        assertThat(judged).extracting(PacketInTransit::fromPort).containsOnly("a");
    }

    @Test
    void aReorderedPacketWithoutReceiverIsLost() {
        judge(new Verdict.Reorder("late", 1, 1000));
        send(SwitchboardTest.packet(1, 8, 99));
        send(SwitchboardTest.packet(1, 8).withRoute(new Route(SwitchboardTest.A, SwitchboardTest.C, 0, 64, 0, 0xC000)));
        assertThat(reasons()).containsExactly("no queue pair of that number", "no port of that address");
    }

    @Test
    void anUnlimitedDelayEndsWithThePacketsLifetime() {
        judge(new Verdict.Delay("for ever", Long.MAX_VALUE));
        fabric.transmit(a, new Packet[] {SwitchboardTest.packet(1, 8)}, new long[0], 5);
        assertThat(fabric.nextDeadline())
                .isEqualTo(5 + FabricLimits.DEFAULT.maxPacketLifetime().toNanos());
    }

    @Test
    void aFlipBehindTheFramesLastByteIsAMistakeOfTheInterceptors() {
        Packet packet = SwitchboardTest.packet(1, 8);
        BitFlip last = new BitFlip(packet.frameBytes() - 1, 0);
        BitFlip beyond = new BitFlip(packet.frameBytes(), 0);
        judge(new Verdict.Corrupt("noise", last));
        send(packet);
        assertThat(complaints).isEmpty();
        judge(new Verdict.Corrupt("noise", beyond));
        send(packet);
        assertThat(complaints).singleElement().isInstanceOf(IllegalArgumentException.class);
        assertThat(atB.psns).containsExactly(1);
    }
}
