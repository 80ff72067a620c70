// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramDecoder;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.DecodedDatagram;
import org.hcaactors.fabric.wire.IcrcCheck;
import org.hcaactors.fabric.wire.UdpPorts;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketFaults;
import org.junit.jupiter.api.Test;

/** The way of packets between host a at 127.0.0.3, which sends to 127.0.0.5, and host b at 127.0.0.4, which sends to 127.0.0.6. */
class BetweenFabricTest {
    private static final int PORT = 4791;
    private static final BetweenAddresses ADDRESSES =
            new BetweenAddresses(loopback(3), loopback(4), loopback(5), loopback(6));

    private final BetweenCounters counters = new BetweenCounters();
    private final List<HostSide> receivers = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private final BetweenFabric fabric = new BetweenFabric(ADDRESSES, PORT, 1500, counters, this::send, thrown -> {
        throw new AssertionError(thrown);
    });

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void send(HostSide to, ByteBuffer datagram) {
        byte[] contents = new byte[datagram.remaining()];
        datagram.get(contents);
        receivers.add(to);
        sent.add(contents);
    }

    private static Route route(int from, int to) {
        return new Route(PortAddress.ofIpv4(0x7F00_0000 | from), PortAddress.ofIpv4(0x7F00_0000 | to), 0, 64, 0, PORT);
    }

    private static Packet packet(int from, int to, int psn) {
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, 100, Bth.DEFAULT_PKEY, 0x11, false, psn);
        return new Packet(route(from, to), bth, List.of(), Octets.wrap(new byte[100], 0, 100));
    }

    private static byte[] contents(Packet packet) {
        ByteBuffer out = ByteBuffer.allocate(DatagramEncoder.lengthBytes(packet));
        DatagramEncoder.encode(packet, new UdpPorts(PORT, PORT), out);
        return out.array();
    }

    private void arrive(HostSide side, byte[] contents, long now) {
        InetSocketAddress from = new InetSocketAddress(ADDRESSES.host(side), PORT);
        assertThat(fabric.accepts(side, from, contents.length)).isTrue();
        fabric.arrived(side, from, contents, now);
    }

    private static DecodedDatagram.Whole read(byte[] contents, int from, int to) {
        return (DecodedDatagram.Whole) DatagramDecoder.decode(contents, route(from, to), new UdpPorts(PORT, PORT));
    }

    @Test
    void aPacketLeavesWithTheOtherAddressesAndTheirIcrc() {
        arrive(HostSide.A, contents(packet(3, 5, 1)), 0);
        arrive(HostSide.B, contents(packet(4, 6, 2)), 0);
        assertThat(receivers).containsExactly(HostSide.B, HostSide.A);
        assertThat(read(sent.get(0), 6, 4))
                .isEqualTo(new DecodedDatagram.Whole(packet(6, 4, 1), new IcrcCheck.Verified()));
        assertThat(read(sent.get(1), 5, 3))
                .isEqualTo(new DecodedDatagram.Whole(packet(5, 3, 2), new IcrcCheck.Verified()));
        assertThat(counters.of(HostSide.A, BetweenCounter.RECEIVED)).isEqualTo(1);
    }

    @Test
    void aDamagedPacketLeavesWithTheSameDamage() {
        byte[] damaged = contents(packet(3, 5, 1));
        damaged[40] ^= 4;
        arrive(HostSide.A, damaged, 0);
        assertThat(read(sent.getFirst(), 6, 4).icrc()).isInstanceOf(IcrcCheck.Bad.class);
        assertThat(sent.getFirst()[40]).isEqualTo(damaged[40]);
        assertThat(counters.of(HostSide.A, BetweenCounter.ICRC_BAD)).isEqualTo(1);
    }

    private static Interceptor faults(String plan) {
        return new PacketFaults(FaultPlan.parse("faults = [ " + plan + " ]"), 1);
    }

    @Test
    void aPlanNamesTheHostsAAndB() {
        fabric.intercept(faults("{ drop { from = a, nth = 2 } }, { drop { to = a, first = 2 } }"));
        for (int psn = 0; psn < 3; psn++) {
            arrive(HostSide.A, contents(packet(3, 5, psn)), psn);
            arrive(HostSide.B, contents(packet(4, 6, psn)), psn);
        }
        assertThat(receivers).containsExactly(HostSide.B, HostSide.B, HostSide.A);
        assertThat(sent).extracting(each -> each[11] & 0xFF).containsExactly(0, 2, 2);
    }

    @Test
    void aDelayedPacketLeavesWhenItIsDue() {
        fabric.intercept(faults("{ delay { by = 2ms, from = a } }"));
        arrive(HostSide.A, contents(packet(3, 5, 1)), 1000);
        assertThat(sent).isEmpty();
        assertThat(fabric.nextDeadline()).isEqualTo(2_001_000);
        fabric.advance(2_000_999);
        assertThat(sent).isEmpty();
        fabric.advance(2_001_000);
        assertThat(sent).hasSize(1);
        assertThat(fabric.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aCorruptedPacketLeavesWithAWrongIcrc() {
        fabric.intercept(faults("{ corrupt { where = PAYLOAD } }"));
        arrive(HostSide.B, contents(packet(4, 6, 1)), 0);
        assertThat(read(sent.getFirst(), 5, 3).icrc()).isInstanceOf(IcrcCheck.Bad.class);
    }

    @Test
    void observersSeeBothHosts() {
        List<String> seen = new ArrayList<>();
        fabric.tap(event -> {
            switch (event) {
                case FabricEvent.Sent sentFrom -> seen.add("from " + event.port());
                case FabricEvent.Delivered delivered -> seen.add("to " + event.port());
                default -> {}
            }
        });
        arrive(HostSide.A, contents(packet(3, 5, 1)), 0);
        arrive(HostSide.B, contents(packet(4, 6, 2)), 0);
        assertThat(seen).containsExactly("from a", "to b", "from b", "to a");
    }

    @Test
    void strangersAndLongDatagramsAreNotRead() {
        assertThat(fabric.accepts(HostSide.A, new InetSocketAddress(loopback(4), PORT), 100))
                .isFalse();
        assertThat(fabric.accepts(HostSide.A, new InetSocketAddress(loopback(3), PORT), 1473))
                .isFalse();
        arrive(HostSide.A, new byte[10], 0);
        assertThat(counters.byName())
                .containsEntry("a_rx_strangers", 1L)
                .containsEntry("a_rx_too_long", 1L)
                .containsEntry("a_rx_malformed", 1L)
                .containsEntry("b_rx_strangers", 0L);
        assertThat(sent).isEmpty();
    }
}
