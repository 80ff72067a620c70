// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.UdpCable;

/**
 * Loopback addresses of both JVMs, and their ports.
 *
 * @param cablePort UDP port of both ends of the cable
 * @param barePort UDP port of the program that receives bare datagrams
 */
record Places(int cablePort, int barePort) {
    /** Bytes that a bare socket requests for its buffers, as many as a cable. */
    static final int BUFFER_BYTES = 8 << 20;

    /** Chooses ports that are free now. */
    static Places free() {
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(0));
                DatagramSocket other = new DatagramSocket(new InetSocketAddress(0))) {
            return new Places(one.getLocalPort(), other.getLocalPort());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static Places of(String[] arguments) {
        return new Places(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    List<String> arguments() {
        return List.of(Integer.toString(cablePort), Integer.toString(barePort));
    }

    static InetAddress client() {
        return loopback(2);
    }

    static InetAddress server() {
        return loopback(3);
    }

    private static InetAddress loopback(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    InetSocketAddress bareServer() {
        return new InetSocketAddress(server(), barePort);
    }

    UdpCable cable(InetAddress own, InetAddress peer) {
        return Cable.udp(own).withPeers(peer).withPort(cablePort);
    }
}
