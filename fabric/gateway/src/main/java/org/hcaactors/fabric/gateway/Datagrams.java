// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Sends datagrams by sockets that do not block. */
final class Datagrams {
    private Datagrams() {}

    /** Sends a datagram; waits while the socket's buffer is full. */
    static void write(DatagramChannel socket, ByteBuffer contents, InetSocketAddress to)
            throws IOException, InterruptedException {
        while (socket.send(contents, to) == 0) {
            awaitWritable(socket);
        }
    }

    private static void awaitWritable(DatagramChannel socket) throws IOException, InterruptedException {
        try (Selector selector = Selector.open()) {
            socket.register(selector, SelectionKey.OP_WRITE);
            selector.select();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
