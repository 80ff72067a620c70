// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.hcaactors.fabric.packet.Route;

/** Loopback addresses at which no RoCEv2 endpoint of this machine is. Any thread. */
public final class FreeAddresses {
    private static final InetAddress NETWORK = of((byte) 127, (byte) 0, (byte) 0, (byte) 0);
    private static final int FIRST = 2;
    private static final int LAST = 254;

    private FreeAddresses() {}

    /**
     * Returns the first of so many free addresses that follow each other in 127.0.0.0/24; empty if there are none. Another run
     * may take them before they are used.
     */
    public static Optional<InetAddress> first(int count) {
        int free = 0;
        for (int host = FIRST; host <= LAST; host++) {
            free = isFree(following(NETWORK, host)) ? free + 1 : 0;
            if (free == count) {
                return Optional.of(following(NETWORK, host - count + 1));
            }
        }
        return Optional.empty();
    }

    private static boolean isFree(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, Route.UDP_DESTINATION_PORT))) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** Returns the address that many behind an IPv4 address; the caller guarantees that only the last part changes. */
    public static InetAddress following(InetAddress first, int count) {
        byte[] bytes = first.getAddress();
        bytes[bytes.length - 1] += (byte) count;
        return of(bytes);
    }

    private static InetAddress of(byte... bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of four bytes", impossible);
        }
    }
}
