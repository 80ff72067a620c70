// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;

/** Ports that no socket of this machine has now. */
public final class FreePorts {
    private FreePorts() {}

    public static int tcp() {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    public static int udp() {
        try (DatagramSocket any = new DatagramSocket(new InetSocketAddress(0))) {
            return any.getLocalPort();
        } catch (SocketException failed) {
            throw new AssertionError(failed);
        }
    }
}
