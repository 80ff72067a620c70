// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.UdpCable;
import org.junit.jupiter.api.Test;

class UdpSocketsTest {
    private static int freePort() throws IOException {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        }
    }

    private static UdpCable cable(int port) {
        return Cable.udp(Packets.loopback(2), Packets.loopback(4)).withPort(port);
    }

    // rule wire-identification
    @Test
    void aSocketIsNotConnectedAndSendsDontFragment() throws IOException {
        try (UdpSockets sockets = UdpSockets.open(cable(freePort()))) {
            DatagramChannel socket = sockets.at(Packets.port(2)).orElseThrow();
            assertThat(socket.getOption(ExtendedSocketOptions.IP_DONTFRAGMENT)).isTrue();
            assertThat(socket.isConnected()).isFalse();
        }
    }

    @Test
    void eachAddressHasASocketOnThePort() throws IOException {
        int port = freePort();
        try (UdpSockets sockets = UdpSockets.open(cable(port))) {
            assertThat(sockets.channels()).containsOnlyKeys(Packets.port(2), Packets.port(4));
            assertThat(sockets.at(Packets.port(4)).orElseThrow().getLocalAddress())
                    .isEqualTo(new InetSocketAddress(Packets.loopback(4), port));
            assertThat(sockets.at(Packets.port(3))).isEqualTo(Optional.empty());
        }
    }

    @Test
    void thePortIsFreeAfterClosing() throws IOException {
        int port = freePort();
        UdpSockets.open(cable(port)).close();
        UdpSockets.open(cable(port)).close();
        assertThat(new DatagramSocket(new InetSocketAddress(Packets.loopback(2), port)))
                .satisfies(DatagramSocket::close);
    }

    @Test
    void aPortThatIsTakenIsRefusedInOneLine() throws IOException {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(Packets.loopback(4), 0))) {
            int port = other.getLocalPort();
            assertThatExceptionOfType(CableException.class)
                    .isThrownBy(() -> UdpSockets.open(cable(port)))
                    .withMessageStartingWith("UDP 127.0.0.4 port " + port + ": ")
                    .withMessageContaining("another program may have it, or Soft-RoCE of the kernel")
                    .withMessageNotContaining("\n");
            // The first socket was closed again.
            new DatagramSocket(new InetSocketAddress(Packets.loopback(2), port)).close();
        }
    }

    @Test
    void anAddressOfAnotherHostIsRefused() throws IOException {
        UdpCable cable = Cable.udp(InetAddress.getByName("192.0.2.1"))
                .withPort(freePort())
                .beyondLoopback();
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> UdpSockets.open(cable))
                .withMessageStartingWith("UDP 192.0.2.1 port ")
                .withMessageEndingWith("; no network interface of this machine has this address");
    }

    // rule wire-peers
    @Test
    void anotherInterfaceThanLoopbackIsRefusedBeforeASocketOpens() throws IOException {
        UdpCable cable = Cable.udp(InetAddress.getByName("192.0.2.1")).withPort(freePort());
        assertThatExceptionOfType(CableException.class)
                .isThrownBy(() -> UdpSockets.open(cable))
                .withMessageContaining("no loopback address");
    }

    @Test
    void theMtuIsTheOneThatIsSet() throws IOException {
        try (UdpSockets sockets = UdpSockets.open(cable(freePort()).withMtu(1500))) {
            assertThat(sockets.mtuBytes()).isEqualTo(1500);
        }
    }

    // rule wire-port-mtu
    @Test
    void loopbackHasRoomForTheLargestPathMtu() throws IOException {
        try (UdpSockets sockets = UdpSockets.open(cable(freePort()))) {
            assertThat(sockets.mtuBytes()).isBetween(4200, UdpCable.MAX_MTU_BYTES);
        }
    }
}
