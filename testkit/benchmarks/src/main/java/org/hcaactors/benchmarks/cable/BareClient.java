// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Sends bare datagrams to a {@link BareServer}, with as little flow control as keeps the losses below one of a hundred: a limit
 * of those that were not reported.
 */
final class BareClient implements AutoCloseable {
    /** After this time without a report datagrams count as lost. */
    private static final long SILENCE_MILLIS = 100;

    private final DatagramChannel socket;
    private final Selector selector;
    private final InetSocketAddress to;
    private final ByteBuffer report = ByteBuffer.allocateDirect(Long.BYTES);
    private long received;

    BareClient(Places places) {
        to = places.bareServer();
        try {
            socket = DatagramChannel.open().bind(new InetSocketAddress(Places.client(), 0));
            socket.setOption(StandardSocketOptions.SO_SNDBUF, Places.BUFFER_BYTES);
            socket.configureBlocking(false);
            selector = Selector.open();
            socket.register(selector, SelectionKey.OP_READ);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Sends datagrams.
     *
     * @param datagrams a multiple of {@link BareServer#GROUP}
     * @param window datagrams under way
     * @return the number of those that arrived
     */
    long send(long datagrams, int bytes, int window) {
        ByteBuffer message = ByteBuffer.allocateDirect(bytes);
        try {
            long before = ask();
            long lost = 0;
            for (long sent = 0; sent < datagrams; sent += BareServer.GROUP) {
                while (sent + BareServer.GROUP - lost - (received - before) > window) {
                    if (!takeReport()) {
                        lost = sent - (ask() - before);
                    }
                }
                for (int i = 0; i < BareServer.GROUP; i++) {
                    socket.send(message.clear(), to);
                }
            }
            while (received - before < datagrams - lost && takeReport()) {
                // The last ones are still under way.
            }
            return received - before;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Sends a datagram and waits until it came back, so many times. */
    void pingPong(long times, int bytes) {
        ByteBuffer message = ByteBuffer.allocateDirect(bytes);
        try (DatagramChannel blocking = DatagramChannel.open().bind(new InetSocketAddress(Places.client(), 0))) {
            for (long i = 0; i < times; i++) {
                blocking.send(message.clear().put(0, BareServer.ECHOED), to);
                blocking.receive(message.clear());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private long ask() throws IOException {
        do {
            socket.send(ByteBuffer.allocate(1).put(0, BareServer.ASKS), to);
        } while (!takeReport());
        return received;
    }

    /** Waits for a report, and takes all that came; false if none comes in time. */
    private boolean takeReport() throws IOException {
        int taken = takeReports();
        if (taken == 0) {
            selector.select(SILENCE_MILLIS);
            selector.selectedKeys().clear();
            taken = takeReports();
        }
        return taken > 0;
    }

    private int takeReports() throws IOException {
        int taken = 0;
        while (socket.receive(report.clear()) != null) {
            received = report.getLong(0);
            taken++;
        }
        return taken;
    }

    @Override
    public void close() {
        try {
            selector.close();
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
