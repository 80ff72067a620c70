// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** TCP port at which JVMs join to run seeds. */
final class SeedPort implements AutoCloseable {
    private static final int BACKLOG = 64;

    private final ServerSocket socket;
    private final String build;
    private final Consumer<JoinedJvm> joined;

    private SeedPort(ServerSocket socket, String build, Consumer<JoinedJvm> joined) {
        this.socket = socket;
        this.build = build;
        this.joined = joined;
    }

    /**
     * Opens the port.
     *
     * @param joined receives each JVM that joined, on a thread of the port
     * @throws IOException if the address cannot be used, or the class path has no class of this project
     */
    static SeedPort open(HostPort address, Consumer<JoinedJvm> joined) throws IOException {
        String build = JoinedJvm.ownBuild();
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(address.host(), address.port()), BACKLOG);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        SeedPort port = new SeedPort(socket, build, joined);
        Thread.ofPlatform().daemon().name("seeds at " + port.address()).start(port::accept);
        return port;
    }

    HostPort address() {
        return new HostPort(socket.getInetAddress().getHostAddress(), socket.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket connected = socket.accept();
                Thread.ofVirtual().start(() -> admit(connected));
            }
        } catch (IOException closed) {
            // No test needs it any longer.
        }
    }

    private void admit(Socket connected) {
        try {
            joined.accept(JoinedJvm.admit(connected, build));
        } catch (IOException refused) {
            System.err.println(connected.getRemoteSocketAddress() + " may not run seeds: " + refused.getMessage());
            try (connected) {
                connected.shutdownOutput();
            } catch (IOException broken) {
                // It has gone already.
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException broken) {
            // It accepts nothing more in any case.
        }
    }
}
