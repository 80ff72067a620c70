// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.hcaactors.fabric.cable.CableException;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * The sockets of a UDP cable by their addresses. They are not connected and send "don't fragment": then Linux sends the IPv4
 * identification 0, which the ICRC covers (rule wire-identification).
 */
final class UdpSockets implements AutoCloseable {
    /** The system may allow less. */
    private static final int BUFFER_BYTES = 8 << 20;

    private final Map<PortAddress, DatagramChannel> channels;
    private final int mtuBytes;
    private final int receiveBufferBytes;

    private UdpSockets(Map<PortAddress, DatagramChannel> channels, int mtuBytes, int receiveBufferBytes) {
        this.channels = channels;
        this.mtuBytes = mtuBytes;
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** @throws CableException if the cable is not allowed, or one of its sockets cannot be opened */
    static UdpSockets open(UdpCable cable) {
        cable.checkAllowed();
        Map<PortAddress, DatagramChannel> opened = new LinkedHashMap<>();
        try {
            int mtu = UdpCable.MAX_MTU_BYTES;
            int buffer = BUFFER_BYTES;
            for (InetAddress address : cable.addresses()) {
                mtu = Math.min(mtu, mtuOf(address));
                DatagramChannel socket = open(new InetSocketAddress(address, cable.port()));
                opened.put(Addresses.of(address), socket);
                buffer = Math.min(buffer, socket.getOption(StandardSocketOptions.SO_RCVBUF));
            }
            return new UdpSockets(opened, cable.mtu().orElse(Math.max(mtu, UdpCable.MIN_MTU_BYTES)), buffer);
        } catch (IOException | RuntimeException failed) {
            closeAll(opened);
            throw failed instanceof CableException refused
                    ? refused
                    : new CableException(cable + ": " + failed, failed);
        }
    }

    private static Optional<NetworkInterface> interfaceOf(InetAddress address) throws IOException {
        NetworkInterface of = NetworkInterface.getByInetAddress(address);
        // Linux gives its loopback interface all of 127.0.0.0/8, but names it only for 127.0.0.1.
        return Optional.ofNullable(of).or(() -> address.isLoopbackAddress() ? loopback() : Optional.empty());
    }

    private static int mtuOf(InetAddress address) throws IOException {
        Optional<NetworkInterface> known = interfaceOf(address);
        return known.isPresent() ? known.get().getMTU() : UdpCable.MAX_MTU_BYTES;
    }

    private static Optional<NetworkInterface> loopback() {
        try {
            return Optional.ofNullable(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static DatagramChannel open(InetSocketAddress at) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            option(channel, ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            channel.configureBlocking(false);
            channel.bind(at);
            return channel;
        } catch (BindException refused) {
            channel.close();
            throw new CableException(
                    "UDP " + at.getAddress().getHostAddress() + " port " + at.getPort() + ": " + refused.getMessage()
                            + (interfaceOf(at.getAddress()).isEmpty()
                                    ? "; no network interface of this machine has this address"
                                    : "; another program may have it, or Soft-RoCE of the kernel, which takes port 4791"
                                            + " of all addresses of its network namespace"),
                    refused);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    private static void option(DatagramChannel channel, SocketOption<Boolean> option, boolean value)
            throws IOException {
        if (!channel.supportedOptions().contains(option)) {
            throw new CableException(option.name() + " is not offered by this system, but a peer accepts only packets"
                    + " without an IPv4 identification");
        }
        channel.setOption(option, value);
    }

    /** Returns the MTU of the cable in bytes: the one that is set, or the smallest of the network interfaces. */
    int mtuBytes() {
        return mtuBytes;
    }

    /** Returns the bytes of the smallest receive buffer, of those that the system granted (SO_RCVBUF). */
    int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    Map<PortAddress, DatagramChannel> channels() {
        return channels;
    }

    /** Returns the socket with that address. */
    Optional<DatagramChannel> at(PortAddress address) {
        return Optional.ofNullable(channels.get(address));
    }

    /** Closes the sockets. The system releases the port of one that is registered with a selector when that is closed. */
    @Override
    public void close() {
        closeAll(channels);
    }

    private static void closeAll(Map<PortAddress, DatagramChannel> channels) {
        for (DatagramChannel channel : List.copyOf(channels.values())) {
            try {
                channel.close();
            } catch (IOException ignored) {
                // A closed socket has nothing left to lose.
            }
        }
    }
}
