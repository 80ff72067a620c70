// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A TCP port where classic tools introduce themselves; each client is served on a thread of its own. */
public final class TcpService implements GatewayService {
    private final Port port;

    /** Serves a client of the port. */
    interface Served {
        Outcome serve(Exchange exchange, String name, Consumer<String> lines) throws IOException, InterruptedException;
    }

    private TcpService(Port port) {
        this.port = port;
    }

    /** A TCP port where one client after the other introduces itself. */
    public record Port(ServerSocket socket) implements AutoCloseable {
        /** @throws IOException if another program has the port; the message says which one */
        public static Port open(InetSocketAddress at) throws IOException {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(at);
                return new Port(socket);
            } catch (IOException taken) {
                socket.close();
                throw new IOException(
                        "TCP " + at.getAddress().getHostAddress() + " port " + at.getPort() + ": " + taken.getMessage(),
                        taken);
            }
        }

        /** Waits for the next client. */
        public Exchange next() throws IOException {
            return new Exchange(socket.accept());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        /** Returns address and port. */
        @Override
        public String toString() {
            return socket.getInetAddress().getHostAddress() + " port " + socket.getLocalPort();
        }
    }

    /**
     * Serves ping-pongs.
     *
     * @param at port 0: any that is free
     * @param rounds of each client; 0: until it is silent for 5 s
     * @throws IOException if another program has the port
     */
    public static TcpService pingPong(
            InetSocketAddress at, Clients clients, Station station, PingPongTerms terms, long rounds)
            throws IOException {
        return start(
                at,
                clients,
                (exchange, name, lines) -> new PingPongGame(
                                station,
                                terms,
                                both -> lines.accept(both.remote().toString()),
                                played -> {})
                        .server(exchange, name, rounds)
                        .outcome());
    }

    /**
     * Serves ping-pongs over several queue pairs with a shared receive queue.
     *
     * @param at port 0: any that is free
     * @param rounds of all queue pairs of a client together; 0: until it is silent for 5 s, or gone
     * @throws IOException if another program has the port
     */
    public static TcpService srqPingPong(
            InetSocketAddress at, Clients clients, Station station, PingPongTerms terms, long rounds)
            throws IOException {
        return start(
                at,
                clients,
                (exchange, name, lines) -> new SrqPingPongGame(
                                station,
                                terms,
                                both -> lines.accept(both.remote().toString()),
                                played -> {})
                        .server(exchange, name, rounds)
                        .outcome());
    }

    /**
     * Serves a perftest program.
     *
     * @param at port 0: any that is free
     * @throws IOException if another program has the port
     */
    public static TcpService perftest(InetSocketAddress at, Clients clients, Station station, PerftestTerms terms)
            throws IOException {
        return start(at, clients, (exchange, name, lines) -> {
            try (PerftestServer server = PerftestServer.overTcp(station, terms, exchange, name)) {
                return server.serve(lines);
            }
        });
    }

    static TcpService start(InetSocketAddress at, Clients clients, Served served) throws IOException {
        TcpService service = new TcpService(Port.open(at));
        Thread.ofVirtual().name("accept").start(() -> service.accept(clients, served));
        return service;
    }

    private void accept(Clients clients, Served served) {
        try {
            while (!port.socket().isClosed()) {
                Socket client = port.socket().accept();
                InetSocketAddress from = new InetSocketAddress(client.getInetAddress(), client.getPort());
                if (!clients.begin(from, (name, lines) -> serve(client, served, name, lines))) {
                    client.close();
                }
            }
        } catch (IOException failed) {
            if (!port.socket().isClosed()) {
                clients.tell(new ClientEvent.NoFurther(String.valueOf(failed.getMessage())));
            }
        }
    }

    private static Outcome serve(Socket client, Served served, String name, Consumer<String> lines)
            throws IOException, InterruptedException {
        try (client;
                Exchange exchange = new Exchange(client)) {
            return served.serve(exchange, name, lines);
        }
    }

    @Override
    public String place() {
        return "TCP " + port;
    }

    @Override
    public int port() {
        return port.socket().getLocalPort();
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
