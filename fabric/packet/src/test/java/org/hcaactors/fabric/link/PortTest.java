// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.hcaactors.fabric.link.SwitchboardTest.Inbox;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/** A port's link: acceptance, departure times, MTU. */
class PortTest {
    private static final long BYTES_A_NANO = 8_000_000_000L;

    private final Inbox inbox = new Inbox();
    private final Endpoint end = new Endpoint(SwitchboardTest.B, 18, inbox);

    private Port port(LinkProperties link) {
        Port port = new Port("b", link);
        port.addresses = Set.of(SwitchboardTest.A, SwitchboardTest.B);
        port.endpoints.put(18, end);
        return port;
    }

    @Test
    void anUnpluggedPortSendsAndDeliversNothing() {
        Port port = port(LinkProperties.IDEAL);
        Packet packet = SwitchboardTest.packet(1, 8);
        assertThat(port.whyNotSent(packet)).isEmpty();
        assertThat(port.whyNotDelivered(end, packet)).isEmpty();
        port.up = false;
        assertThat(port.whyNotSent(packet)).contains("the sender's port is down");
        assertThat(port.whyNotDelivered(end, packet)).contains("the receiver's port is down");
    }

    @Test
    void aPacketOfExactlyTheMtuFits() {
        Packet packet = SwitchboardTest.packet(1, 64);
        assertThat(port(new LinkProperties(0, 0, packet.ipBytes(), 1 << 20)).fits(packet))
                .isTrue();
        assertThat(port(new LinkProperties(0, 0, packet.ipBytes() - 1, 1 << 20)).fits(packet))
                .isFalse();
    }

    @Test
    void theQueueFillsToItsLastByteAndDepartedFramesFreeSpace() {
        Packet packet = SwitchboardTest.packet(1, 64);
        int bytes = packet.frameBytes();
        Port port = port(new LinkProperties(0, BYTES_A_NANO, 9000, 2L * bytes));
        assertThat(port.settle(0)).isTrue();
        assertThat(port.nextDeparture()).isEqualTo(Long.MAX_VALUE);
        assertThat(port.depart(100, bytes, end)).isEqualTo(100 + bytes);
        assertThat(port.whyNotSent(packet)).isEmpty();
        assertThat(port.depart(100, bytes, end)).isEqualTo(100 + 2 * bytes);
        assertThat(port.whyNotSent(packet)).contains("link queue full at " + 2 * bytes + " bytes");
        assertThat(port.nextDeparture()).isEqualTo(100 + bytes);
        assertThat(port.settle(100 + bytes - 1)).isFalse();
        assertThat(end.unreportedCredits).isZero();
        assertThat(port.settle(100 + bytes)).isFalse();
        assertThat(end.unreportedCredits).isOne();
        assertThat(port.whyNotSent(packet)).isEmpty();
        assertThat(port.settle(100 + 2 * bytes)).isTrue();
        assertThat(end.unreportedCredits).isEqualTo(2);
    }

    @Test
    void aPacketThatTakesNoTimeLeavesAtOnce() {
        Port port = port(LinkProperties.IDEAL);
        assertThat(port.depart(5, 100, end)).isEqualTo(5);
        assertThat(end.unreportedCredits).isOne();
        assertThat(port.nextDeparture()).isEqualTo(Long.MAX_VALUE);
    }
}
