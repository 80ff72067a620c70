// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.link.PacketsInFlight.Arrival;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets in flight: order of arrival, overtaking, and batches. */
class PacketsInFlightTest {
    private final PacketsInFlight flights = new PacketsInFlight();
    private final Endpoint end = new Endpoint(SwitchboardTest.B, 18, new Inbox());
    private final Endpoint other = new Endpoint(SwitchboardTest.B, 19, new Inbox());
    private final Port port = new Port("b", new LinkProperties(0, 0, 200, 1 << 20));

    @BeforeEach
    void attach() {
        port.addresses = Set.of(SwitchboardTest.B);
        port.endpoints.put(18, end);
    }

    private void add(int psn, long at) {
        flights.add(at, port, other, end, SwitchboardTest.packet(psn, 8), 0, Arrival.WHOLE);
    }

    private void hold(int psn, long latest, int behind) {
        flights.hold(latest, behind, port, other, end, SwitchboardTest.packet(psn, 8), 0);
    }

    private List<Integer> due(long now) {
        List<Integer> psns = new ArrayList<>();
        while (flights.isDue(now)) {
            psns.add(flights.remove().packet().psn());
        }
        return psns;
    }

    @Test
    void packetsDueTogetherArriveInSendingOrder() {
        assertThat(flights.isEmpty()).isTrue();
        add(1, 20);
        add(2, 10);
        hold(3, 10, 9);
        add(4, 10);
        assertThat(flights.isEmpty()).isFalse();
        assertThat(due(9)).isEmpty();
        assertThat(due(20)).containsExactly(2, 3, 4, 1);
        assertThat(flights.isEmpty()).isTrue();
    }

    @Test
    void aDeliveredHeldPacketIsNotDeliveredAgain() {
        hold(1, 10, 1);
        assertThat(due(10)).containsExactly(1);
        add(2, 20);
        assertThat(due(1000)).containsExactly(2);
    }

    @Test
    void aHeldPacketIsDeliveredBehindItsNumberOfOthers() {
        hold(1, 1000, 2);
        add(2, 10);
        assertThat(due(10)).containsExactly(2);
        add(3, 20);
        assertThat(due(20)).containsExactly(3, 1);
    }

    @Test
    void onlyPacketsToTheSameEndpointOvertake() {
        hold(1, 1000, 1);
        flights.add(10, port, end, other, SwitchboardTest.packet(2, 8), 0, Arrival.WHOLE);
        assertThat(due(999)).containsExactly(2);
    }

    @Test
    void aTrainContinuesWithDueWholeFittingPacketsToItsEndpoint() {
        Packet first = SwitchboardTest.packet(1, 8);
        PacketsInFlight.Flight before = new PacketsInFlight.Flight(10, 0, port, other, end, first, 0, Arrival.WHOLE);
        assertThat(flights.continues(before, 10)).isFalse();
        add(2, 10);
        assertThat(flights.continues(before, 9)).isFalse();
        assertThat(flights.continues(before, 10)).isTrue();
        flights.remove();
        flights.add(10, port, other, end, SwitchboardTest.packet(3, 400), 0, Arrival.WHOLE);
        assertThat(flights.continues(before, 10)).as("larger than the MTU").isFalse();
        flights.remove();
        flights.add(10, port, end, other, SwitchboardTest.packet(4, 8), 0, Arrival.WHOLE);
        assertThat(flights.continues(before, 10)).as("to another").isFalse();
        flights.remove();
        flights.add(10, port, other, end, first, 0, new Arrival.Damaged(first.payload(), "noise", Optional.empty()));
        assertThat(flights.continues(before, 10)).as("damaged").isFalse();
    }

    @Test
    void aTrainEndsBeforeAnUndeliverablePacketOfAnotherRoute() {
        Packet first = SwitchboardTest.packet(1, 8);
        PacketsInFlight.Flight before = new PacketsInFlight.Flight(10, 0, port, other, end, first, 0, Arrival.WHOLE);
        Packet elsewhere = first.withRoute(
                new org.hcaactors.fabric.packet.Route(SwitchboardTest.A, SwitchboardTest.C, 0, 64, 0, 0xC000));
        flights.add(10, port, other, end, elsewhere, 0, Arrival.WHOLE);
        assertThat(flights.continues(before, 10)).isFalse();
        port.addresses = Set.of(SwitchboardTest.B, SwitchboardTest.C);
        assertThat(flights.continues(before, 10)).isTrue();
    }
}
