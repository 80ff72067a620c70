// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.exec;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Loopback addresses at which no RoCEv2 endpoint of this machine is. Any thread. */
public final class FreeAddresses {
    private static final int ROCE_V2 = 4791;
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
            free = isFree(address(host)) ? free + 1 : 0;
            if (free == count) {
                return Optional.of(address(host - count + 1));
            }
        }
        return Optional.empty();
    }

    private static boolean isFree(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, ROCE_V2))) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static InetAddress address(int host) {
        try {
            return Inet4Address.getByAddress(new byte[] {127, 0, 0, (byte) host});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of four bytes", impossible);
        }
    }
}
