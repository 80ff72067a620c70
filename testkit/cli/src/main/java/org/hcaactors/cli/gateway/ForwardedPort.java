// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A TCP port whose connections are passed on to another host, while a filter may change what is said. Each connection is a client
 * of {@link Clients}. Any thread.
 */
public final class ForwardedPort implements AutoCloseable {
    private static final int PIECE_BYTES = 16 * 1024;

    /** Time after which a filter gives out what it has held back. */
    private static final Duration LONGEST_HOLD = Duration.ofMillis(20);

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

    private final TcpService.Port port;
    private final InetSocketAddress to;
    private final Filters filters;

    /** A change to what is said in one direction of a connection. */
    public interface Filter {
        /** Takes a piece of any length; returns what can be sent on. */
        byte[] take(byte[] piece, int length);

        /** True if bytes are held back. */
        boolean holds();

        /** Returns what is held back. */
        byte[] rest();
    }

    /** Makes the filters of each connection. */
    public record Filters(Supplier<Filter> toServer, Supplier<Filter> toClient) {}

    private ForwardedPort(TcpService.Port port, InetSocketAddress to, Filters filters) {
        this.port = port;
        this.to = to;
        this.filters = filters;
    }

    /**
     * Begins to accept connections.
     *
     * @param at the port; port 0: any that is free
     * @param to server of the connections
     * @throws IOException if another program has the port
     */
    public static ForwardedPort open(InetSocketAddress at, InetSocketAddress to, Clients clients, Filters filters)
            throws IOException {
        ForwardedPort forwarded = new ForwardedPort(TcpService.Port.open(at), to, filters);
        Thread.ofVirtual().name("forward").start(() -> forwarded.accept(clients));
        return forwarded;
    }

    /** Returns the number of the port. */
    public int number() {
        return port.socket().getLocalPort();
    }

    private void accept(Clients clients) {
        try {
            while (!port.socket().isClosed()) {
                Socket client = port.socket().accept();
                InetSocketAddress from = new InetSocketAddress(client.getInetAddress(), client.getPort());
                if (!clients.begin(from, (name, lines) -> passOn(client))) {
                    client.close();
                }
            }
        } catch (IOException failed) {
            if (!port.socket().isClosed()) {
                clients.tell(new ClientEvent.NoFurther(String.valueOf(failed.getMessage())));
            }
        }
    }

    private Outcome passOn(Socket client) throws IOException, InterruptedException {
        try (client;
                Socket server = new Socket()) {
            server.connect(to, (int) LONGEST_CONNECT.toMillis());
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            CountDownLatch ends = new CountDownLatch(2);
            Pump there = new Pump(client, server, filters.toServer().get(), ends);
            Pump back = new Pump(server, client, filters.toClient().get(), ends);
            Thread.ofVirtual().name("forward-there").start(there);
            Thread.ofVirtual().name("forward-back").start(back);
            ends.await();
            return Outcome.of("%d bytes to %s port %d, %d bytes back"
                            .formatted(there.bytes(), to.getAddress().getHostAddress(), to.getPort(), back.bytes()))
                    .with("bytesToServer", there.bytes())
                    .with("bytesToClient", back.bytes());
        }
    }

    /** One direction of a connection. */
    private static final class Pump implements Runnable {
        private final Socket from;
        private final Socket to;
        private final Filter filter;
        private final CountDownLatch ends;
        private final AtomicLong bytes = new AtomicLong();

        Pump(Socket from, Socket to, Filter filter, CountDownLatch ends) {
            this.from = from;
            this.to = to;
            this.filter = filter;
            this.ends = ends;
        }

        @Override
        public void run() {
            try {
                pump(from.getInputStream(), to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException reset) {
                // Perftest's programs close with bytes that they have not read, after both said everything.
                close(from);
                close(to);
            } finally {
                ends.countDown();
            }
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException ignored) {
                // Nothing is sent on it any more.
            }
        }

        private void pump(InputStream in, OutputStream out) throws IOException {
            byte[] piece = new byte[PIECE_BYTES];
            int length = 0;
            while (length >= 0) {
                from.setSoTimeout(filter.holds() ? (int) LONGEST_HOLD.toMillis() : 0);
                try {
                    length = in.read(piece);
                    send(length < 0 ? filter.rest() : filter.take(piece, length), out);
                } catch (SocketTimeoutException nothingFollows) {
                    send(filter.rest(), out);
                }
            }
        }

        private void send(byte[] said, OutputStream out) throws IOException {
            out.write(said);
            bytes.addAndGet(said.length);
        }

        long bytes() {
            return bytes.get();
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
