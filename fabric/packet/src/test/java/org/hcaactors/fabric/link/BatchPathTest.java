// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches that are forwarded as a whole; arrivals do not differ from the slow path. */
class BatchPathTest {
    private static final PortAddress A = SwitchboardTest.A;
    private static final PortAddress B = SwitchboardTest.B;

    private final Inbox atA = new Inbox();
    private final Inbox atB = new Inbox();
    private final Inbox beside = new Inbox();
    private final Endpoint a = new Endpoint(A, 17, atA);
    private final Endpoint b = new Endpoint(B, 18, atB);
    private final Endpoint c = new Endpoint(B, 19, beside);
    private final Switchboard fabric = new Switchboard(FabricLimits.DEFAULT, TraceSink.NONE, thrown -> {}, new Epoch());

    @BeforeEach
    void cable() {
        fabric.port("a", A, LinkProperties.IDEAL);
        fabric.port("b", B, LinkProperties.IDEAL);
        fabric.attach(a);
        fabric.attach(b);
    }

    private void send(long now, Packet... batch) {
        fabric.transmit(a, batch, new long[0], now);
    }

    private static Route way(PortAddress to) {
        return new Route(A, to, 0, 64, 0, 0xC000);
    }

    @Test
    void aTrainFitsIfEveryPacketFits() {
        Packet small = SwitchboardTest.packet(1, 8);
        Packet large = SwitchboardTest.packet(2, 400);
        assertThat(BatchPath.fits(new Packet[] {small, large}, large.ipBytes())).isTrue();
        assertThat(BatchPath.fits(new Packet[] {small, large}, large.ipBytes() - 1))
                .isFalse();
    }

    // rules wire-headers, wire-dc-header
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void noOpcodeHasMoreHeadersThanTheMaximum(Opcode opcode) {
        int headers = 40 + 8 + Bth.LENGTH_BYTES + opcode.extendedBytes() + 3 + 4;
        assertThat(headers).isLessThanOrEqualTo(BatchPath.MAX_HEADERS);
    }

    @Test
    void aTrainIsUniformIfItHasOneRouteToOneQueuePair() {
        Packet one = SwitchboardTest.packet(1, 8);
        assertThat(BatchPath.isOneWay(new Packet[] {one, SwitchboardTest.packet(2, 8)}))
                .isTrue();
        assertThat(BatchPath.isOneWay(new Packet[] {one, SwitchboardTest.packet(2, 8, 19)}))
                .isFalse();
        assertThat(BatchPath.isOneWay(new Packet[] {one, one.withRoute(way(B))}))
                .isFalse();
        assertThat(BatchPath.isOneWay(new Packet[] {SwitchboardTest.packet(1, 8, Switchboard.MULTICAST_QP)}))
                .isFalse();
    }

    @Test
    void packetsAreKeptOnlyOffTheCommonPath() {
        send(0, SwitchboardTest.batch(3, 8));
        assertThat(a.isKept()).isFalse();
        send(0, SwitchboardTest.packet(1, 8), SwitchboardTest.packet(2, 8, 19));
        assertThat(a.isKept()).isTrue();
        assertThat(atB.psns).containsExactly(0, 1, 2, 1);
    }

    @Test
    void aTapKeepsTrainsOffTheCommonPath() {
        List<FabricEvent> seen = new ArrayList<>();
        Tap tap = seen::add;
        fabric.tap(tap);
        fabric.carry(a, SwitchboardTest.batch(2, 8), new long[] {7}, new long[] {8}, 0);
        assertThat(seen).extracting(event -> event.stamp().causes()).startsWith(List.of(7L, 8L), List.of());
        fabric.untap(tap);
        send(0, SwitchboardTest.packet(9, 8));
        assertThat(seen).hasSize(4);
        assertThat(atB.psns).containsExactly(0, 1, 9);
    }

    @Test
    void aCableThatIsPulledForwardsNothing() {
        fabric.plugged(A, false);
        send(0, SwitchboardTest.packet(1, 8));
        fabric.plugged(A, true);
        fabric.plugged(B, false);
        send(0, SwitchboardTest.packet(2, 8));
        fabric.plugged(B, true);
        send(0, SwitchboardTest.packet(3, 8));
        assertThat(atB.psns).containsExactly(3);
    }

    @Test
    void packetsInFlightAreNotOvertakenWhenTheLinkGetsFaster() {
        fabric.port("a", A, LinkProperties.of(10, 0));
        send(0, SwitchboardTest.packet(1, 8));
        fabric.port("a", A, LinkProperties.IDEAL);
        send(10, SwitchboardTest.packet(2, 8));
        fabric.advance(10);
        assertThat(atB.psns).containsExactly(1, 2);
    }

    @Test
    void aKnownRouteAppliesToItsQueuePairAndAddressOnly() {
        fabric.attach(c);
        send(0, SwitchboardTest.packet(1, 8));
        send(0, SwitchboardTest.packet(2, 8, 19));
        send(0, SwitchboardTest.packet(3, 8).withRoute(way(A)));
        send(0, SwitchboardTest.packet(4, 8));
        fabric.detach(b);
        send(0, SwitchboardTest.packet(5, 8));
        assertThat(atB.psns).containsExactly(1, 4);
        assertThat(beside.psns).containsExactly(2);
        assertThat(fabric.endpoints()).isEqualTo(Map.of("a", 1, "b", 1));
    }
}
