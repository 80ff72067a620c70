// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramesCableTest {
    private static final InetAddress OWN = address("10.9.0.1");
    private static final InetAddress OWN6 = address("fd00::1");
    private static final InetAddress PEER = address("10.9.0.2");

    private final FramesCable cable = Cable.frames(socket("127.0.0.1", 7000), socket("127.0.0.1", 7001));

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static InetSocketAddress socket(String address, int port) {
        return new InetSocketAddress(address(address), port);
    }

    @Test
    void aCableHasTheSettingsThatWereMade() {
        PeerLimits limits = PeerLimits.DEFAULT.withQueue(7);
        FramesCable made =
                cable.withAdapter(OWN, OWN6).withPeers(PEER).withMtu(4200).withLimits(limits);
        made.checkAllowed();
        assertThat(made.addresses()).containsExactly(OWN);
        assertThat(made.adapters().getFirst().addresses()).containsExactly(OWN, OWN6);
        assertThat(made.adapters().getFirst().mac()).hasToString("02:00:0a:09:00:01");
        assertThat(made.peers()).containsExactly(PEER);
        assertThat(made.mtuBytes()).isEqualTo(4200);
        assertThat(made.limits()).isEqualTo(limits);
        assertThat(made)
                .hasToString("frames on UDP 127.0.0.1 port 7000 to 127.0.0.1 port 7001, adapters 10.9.0.1,"
                        + " fd00:0:0:0:0:0:0:1");
        assertThat(cable.mtuBytes()).isEqualTo(1500);
    }

    @Test
    void theScopeOfALinkLocalAddressIsLeftOut() {
        InetAddress scoped = address("fe80::1%1");
        assertThat(cable.withPeers(scoped).peers()).containsExactly(address("fe80::1"));
        assertThat(cable.withAdapter(scoped).addresses().getFirst().getHostAddress())
                .isEqualTo("fe80:0:0:0:0:0:0:1");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 7000, 127.0.0.1, 7000, can't be both ends",
        "127.0.0.1, 0, 127.0.0.1, 7001, has no port",
        "0.0.0.0, 7000, 127.0.0.1, 7001, not the address of one host",
        "127.0.0.1, 7000, ::1, 7001, must be IPv4 or both IPv6"
    })
    void wrongEndsAreRefused(String local, int port, String remote, int other, String reason) {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> Cable.frames(socket(local, port), socket(remote, other)))
                .withMessageContaining(reason);
    }

    @Test
    void anEndWithoutAddressIsRefused() {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() ->
                        Cable.frames(InetSocketAddress.createUnresolved("guest", 7000), socket("127.0.0.1", 7001)))
                .withMessageContaining("no host has that name");
    }

    @Test
    void addressesThatNoAdapterHasAreRefused() {
        for (String wrong : new String[] {"0.0.0.0", "239.1.2.3", "ff02::1", "::"}) {
            assertThatExceptionOfType(CableException.class).isThrownBy(() -> cable.withAdapter(address(wrong)));
            assertThatExceptionOfType(CableException.class).isThrownBy(() -> cable.withPeers(address(wrong)));
        }
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> cable.withAdapter(MacAddress.parse("33:33:00:00:00:01"), OWN))
                .withMessageContaining("not the MAC address of one host");
    }

    @Test
    void addressesThatAreNamedTwiceAreRefused() {
        assertThatExceptionOfType(CableException.class).isThrownBy(() -> cable.withPeers(PEER, PEER));
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> cable.withAdapter(OWN).withAdapter(MacAddress.parse("02:00:00:00:00:07"), OWN6, OWN));
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> cable.withAdapter(OWN).withAdapter(MacAddress.of(OWN), OWN6))
                .withMessage("two adapters have the MAC address 02:00:0a:09:00:01");
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> cable.withAdapter(OWN).withPeers(OWN).checkAllowed())
                .withMessage("10.9.0.1 is both an address of the cable and a peer");
    }

    @Test
    void anMtuOutOfRangeIsRefused() {
        for (int bytes : new int[] {FramesCable.MIN_MTU_BYTES - 1, FramesCable.MAX_MTU_BYTES + 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> cable.withMtu(bytes));
        }
    }

    // rule wire-peers
    @Test
    void anotherInterfaceThanLoopbackIsRefused() {
        FramesCable outside = Cable.frames(socket("127.0.0.1", 7000), socket("192.0.2.1", 7001));
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(outside::checkAllowed)
                .withMessageStartingWith("192.0.2.1 is no loopback address");
        outside.beyondLoopback().checkAllowed();
    }

    @Test
    void macAddressesAreReadAndWritten() {
        assertThat(MacAddress.parse("52:54:00:AB:cd:ef")).hasToString("52:54:00:ab:cd:ef");
        assertThat(MacAddress.of(OWN6)).hasToString("02:00:00:00:00:01");
        for (String wrong : new String[] {"", "52:54:00:12:34", "52-54-00-12-34-56", "52:54:00:12:34:5g"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> MacAddress.parse(wrong));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new MacAddress(1L << 48));
        assertThat(MacAddress.BROADCAST.isGroup()).isTrue();
        assertThat(new MacAddress(0).isOfOneHost()).isFalse();
    }
}
