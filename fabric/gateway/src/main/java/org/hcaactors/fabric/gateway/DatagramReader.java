// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.hcaactors.fabric.packet.PortAddress;

/** Decides which datagrams of a cable's sockets enter the fabric, and reads their packets. Not thread-safe. */
interface DatagramReader {
    /** True if the datagram may be read; a refused one is counted. Costs no copy of it. */
    boolean accepts(InetSocketAddress from, int bytes);

    /**
     * Reads a datagram that was accepted.
     *
     * @param to address of the socket
     * @param contents not written any more
     */
    Received read(InetSocketAddress from, PortAddress to, byte[] contents, long now) throws ClosedChannelException;
}
