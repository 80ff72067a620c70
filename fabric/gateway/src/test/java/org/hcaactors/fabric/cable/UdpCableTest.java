// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.OptionalInt;
import org.hcaactors.fabric.cable.UdpCable.PeerLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpCableTest {
    private static final InetAddress OWN = address("127.0.0.2");
    private static final InetAddress PEER = address("127.0.0.3");

    /** @param text an address, for which no name is looked up */
    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aCableHasThePortOfRoceAndNoPeersAtFirst() {
        UdpCable cable = Cable.udp(OWN);
        assertThat(cable.port()).isEqualTo(4791);
        assertThat(cable.peers()).isEmpty();
        assertThat(cable.mtu()).isEqualTo(OptionalInt.empty());
        assertThat(cable.limits()).isEqualTo(PeerLimits.DEFAULT);
        assertThat(cable).hasToString("UDP 127.0.0.2 port 4791");
    }

    @Test
    void settingsDoNotChangeTheOriginal() {
        UdpCable cable = Cable.udp(OWN);
        PeerLimits slow = new PeerLimits(1000, 2, 3, 4, 5);
        UdpCable other = cable.withPeers(PEER).withPort(5000).withMtu(1500).withLimits(slow);
        assertThat(other.peers()).containsExactly(PEER);
        assertThat(other.port()).isEqualTo(5000);
        assertThat(other.mtu()).isEqualTo(OptionalInt.of(1500));
        assertThat(other.limits()).isEqualTo(slow);
        assertThat(cable.peers()).isEmpty();
        assertThat(cable.port()).isEqualTo(4791);
    }

    @ParameterizedTest
    @CsvSource({
        "::1, 'an address of IPv6'",
        "0.0.0.0, is not the address of one host",
        "224.0.0.1, is not the address of one host"
    })
    void anAddressThatNoAdapterHasIsRefused(String text, String reason) {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> Cable.udp(address(text)))
                .withMessageContaining(reason);
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> Cable.udp(OWN).withPeers(address(text)))
                .withMessageContaining(reason);
    }

    @Test
    void anAddressThatIsNamedTwiceIsRefused() {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> Cable.udp(OWN, PEER, OWN))
                .withMessage("an address is named twice in 127.0.0.2, 127.0.0.3, 127.0.0.2");
    }

    @Test
    void aPeerMayNotBeAnAddressOfTheCable() {
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> Cable.udp(OWN).withPeers(PEER, OWN).checkAllowed())
                .withMessage("127.0.0.2 is both an address of the cable and a peer");
    }

    // rule wire-peers
    @Test
    void anotherInterfaceThanLoopbackMustBeAllowed() {
        UdpCable cable = Cable.udp(OWN, address("192.0.2.1"));
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(cable::checkAllowed)
                .withMessageStartingWith("192.0.2.1 is no loopback address: RoCEv2 trusts every host")
                .withMessageEndingWith("call beyondLoopback()");
        cable.beyondLoopback().checkAllowed();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65536})
    void aPortThatUdpDoesNotHaveIsRefused(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cable.udp(OWN).withPort(port))
                .withMessage("the UDP port is " + port + "; 1 to 65535 is allowed");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 351, 65536})
    void anMtuThatNoPacketFitsIsRefused(int mtu) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cable.udp(OWN).withMtu(mtu))
                .withMessage("the MTU is " + mtu + "; 352 to 65535 is allowed");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1, 1, 1",
        "0, 0, 1, 1, 1",
        "0, 1, -1, 1, 1",
        "0, 1, 1, 0, 1",
        "0, 1, 1, 1, 0",
        "0, 1, 16385, 1, 1"
    })
    void limitsThatAreNotAllowedAreRefused(long bits, int burst, int window, int queued, int requests) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PeerLimits(bits, burst, window, queued, requests))
                .withMessageStartingWith("pace and window must be at least 0, the other limits at least 1");
    }

    @Test
    void oneLimitIsReplacedAtATime() {
        PeerLimits limits = new PeerLimits(1, 2, 3, 4, 5);
        assertThat(limits.withPace(6, 7)).isEqualTo(new PeerLimits(6, 7, 3, 4, 5));
        assertThat(limits.withWindow(6)).isEqualTo(new PeerLimits(1, 2, 6, 4, 5));
        assertThat(limits.withQueue(6)).isEqualTo(new PeerLimits(1, 2, 3, 6, 5));
    }

    @Test
    void everyCounterHasItsOwnNameAndAMeaning() {
        assertThat(Arrays.stream(CableCounter.values()).map(CableCounter::text))
                .doesNotHaveDuplicates()
                .allMatch(text -> text.matches("[rt]x_[a-z_]+"));
        assertThat(CableCounter.values())
                .allSatisfy(each -> assertThat(each.meaning()).isNotBlank());
    }
}
