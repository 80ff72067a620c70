// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/**
 * A program that receives bare datagrams: it counts them, and sends their number to the sender after each {@link #GROUP}. Some
 * datagrams it sends back as they are. A thread of its own.
 */
final class BareServer implements AutoCloseable {
    /** First byte of a datagram that is counted. */
    static final byte COUNTED = 0;

    /** First byte of one that is sent back. */
    static final byte ECHOED = 1;

    /** First byte of one that asks for the number. */
    static final byte ASKS = 2;

    /** Datagrams that are reported together. */
    static final int GROUP = 64;

    private final DatagramChannel socket;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final ByteBuffer report = ByteBuffer.allocateDirect(Long.BYTES);
    private long received;

    BareServer(Places places) {
        try {
            socket = DatagramChannel.open();
            socket.setOption(StandardSocketOptions.SO_RCVBUF, Places.BUFFER_BYTES);
            socket.bind(places.bareServer());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Thread.ofPlatform().daemon().name("bare-server").start(this::serve);
    }

    private void serve() {
        try {
            while (true) {
                buffer.clear();
                SocketAddress from = socket.receive(buffer);
                if (from == null) {
                    continue;
                }
                switch (buffer.get(0)) {
                    case ECHOED -> socket.send(buffer.flip(), from);
                    case ASKS -> report(from);
                    default -> {
                        if (++received % GROUP == 0) {
                            report(from);
                        }
                    }
                }
            }
        } catch (ClosedChannelException closed) {
            // The program ends.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void report(SocketAddress to) throws IOException {
        report.clear().putLong(received).flip();
        socket.send(report, to);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
