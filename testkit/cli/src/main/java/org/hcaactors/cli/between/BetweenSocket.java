// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.UdpCable;

/** Sockets of a gateway between two hosts. As those of a cable they are not connected and send "don't fragment". */
final class BetweenSocket {
    /** The system may allow less. */
    private static final int BUFFER_BYTES = 8 << 20;

    private BetweenSocket() {}

    /** @throws CableException if the socket cannot be opened */
    static DatagramChannel open(InetSocketAddress at) {
        try {
            DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
                channel.configureBlocking(false);
                channel.bind(at);
                return channel;
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        } catch (IOException | UnsupportedOperationException failed) {
            throw new CableException(
                    "UDP " + at.getAddress().getHostAddress() + " port " + at.getPort() + ": " + failed.getMessage(),
                    failed);
        }
    }

    /** Returns the MTU of the interface with that address. */
    static int mtuOf(InetAddress address) {
        try {
            Optional<NetworkInterface> of = Optional.ofNullable(NetworkInterface.getByInetAddress(address));
            // Linux gives its loopback interface all of 127.0.0.0/8, but names it only for 127.0.0.1.
            Optional<NetworkInterface> known = of.isEmpty() && address.isLoopbackAddress()
                    ? Optional.ofNullable(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()))
                    : of;
            return known.isPresent() ? known.get().getMTU() : UdpCable.MAX_MTU_BYTES;
        } catch (IOException unknown) {
            return UdpCable.MAX_MTU_BYTES;
        }
    }
}
