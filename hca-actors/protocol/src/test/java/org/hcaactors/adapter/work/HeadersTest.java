// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Test;

/** Headers of one path. */
class HeadersTest {
    private final Side side = new Side("x", 0x11, 1, Profile.CONNECTX_5, false);

    private Headers to(int peer, int flowLabel) {
        return to(peer, flowLabel, TransportClass.RC);
    }

    private Headers to(int peer, int flowLabel, TransportClass transport) {
        QpSettings settings = new QpSettings(0x11, 1, false);
        settings.destinationQp = peer;
        GlobalRoute path = GlobalRoute.to(new Gid(side.port.high(), side.port.low()))
                .withFlowLabel(flowLabel)
                .withTrafficClass(32);
        return Headers.ofConnection(settings, side.local, path, true, transport);
    }

    private static Packet packet(Headers headers) {
        return headers.packet(Operation.SEND_ONLY, 7, true, false, List.of(), Octets.NONE);
    }

    // rule wire-source-port
    @Test
    void theFlowLabelIsThePathsOrThatOfTheTwoQueuePairs() {
        assertThat(packet(to(0x22, 0x1234)).route().flowLabel()).isEqualTo(0x1234);
        assertThat(packet(to(0x22, 0x1234)).route().udpSourcePort()).isEqualTo(Route.udpSourcePort(0x1234));
        assertThat(packet(to(0x22, 0)).route().flowLabel()).isEqualTo(Route.flowLabel(0x11, 0x22));
        assertThat(Route.flowLabel(0x11, 0x22)).isEqualTo(Route.flowLabel(0x22, 0x11));
    }

    // rules wire-route, wire-mig-req
    @Test
    void everyPacketHasThePathsFields() {
        Packet packet = packet(to(0x22, 0));
        assertThat(packet.route().trafficClass()).isEqualTo(32);
        assertThat(packet.route().hopLimit()).isEqualTo(64);
        assertThat(packet.bth().destQp()).isEqualTo(0x22);
        assertThat(packet.bth().migReq()).isTrue();
    }

    @Test
    void leadingHeadersOfAPathPrecedeThoseOfTheOperation() {
        ExtendedHeader first = new ExtendedHeader.Deth(7, 0, 0x11);
        ExtendedHeader own = new ExtendedHeader.Immediate(5);
        Headers led = to(0x22, 0, TransportClass.UD).withLeading(List.of(first));
        assertThat(packet(led).extended()).containsExactly(first);
        assertThat(led.packet(Operation.SEND_ONLY_IMM, 7, true, false, List.of(own), Octets.NONE)
                        .extended())
                .containsExactly(first, own);
        assertThat(packet(led).route()).isEqualTo(packet(to(0x22, 0)).route());
        assertThat(led.withLeading(List.of())).isSameAs(led);
    }

    // rule qp-source-by-index
    @Test
    void theSourceIsLookedUpForEachPacket() {
        Headers headers = to(0x22, 0);
        assertThat(packet(headers).route().source()).isEqualTo(side.port);
        Gid other = Gid.ofIpv4(10, 0, 0, 77);
        side.local.change(port -> port.withGidTable(List.of(other)));
        assertThat(packet(headers).route().source()).isEqualTo(new PortAddress(other.high(), other.low()));
        assertThat(packet(headers).route().source())
                .isSameAs(packet(headers).route().source());
    }

    /** Datagrams have headers of their own, and still share one route object. */
    @Test
    void aRouteStaysTheSameObjectWhileItsAddressIsTheSame() {
        DatagramPath path =
                DatagramPath.of(AddressVector.to(new Gid(side.port.high(), side.port.low())), 1, side.local);
        Route before = datagram(path).route();
        side.local.change(port -> port.withActive(false));
        side.local.change(port -> port.withActive(true));
        assertThat(datagram(path).route()).isSameAs(before);
        List<Gid> table = side.local.attributes().gidTable();
        side.local.change(port -> port.withGidTable(List.of(Gid.ofIpv4(10, 0, 0, 77))));
        assertThat(datagram(path).route()).isNotEqualTo(before);
        side.local.change(port -> port.withGidTable(table));
        assertThat(datagram(path).route()).isSameAs(before);
    }

    private Packet datagram(DatagramPath path) {
        return packet(Headers.ofDatagram(new QpSettings(0x11, 1, false), path, 0x22, 1, false));
    }
}
