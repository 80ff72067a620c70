// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A way to a TCP port of the loopback interface that can be cut or closed for a time. It leads to a node whose address it is: what other nodes send
 * to that one passes it, and what that one sends does not.
 */
final class TcpRelay implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int LONGEST_HOLD_SECONDS = 60;

    private final ServerSocket entrance;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;
    private volatile CountDownLatch passes = new CountDownLatch(0);

    private TcpRelay(ServerSocket entrance, int target) {
        this.entrance = entrance;
        this.target = target;
    }

    /** @param target the port where the node listens */
    static TcpRelay to(int target) {
        try {
            TcpRelay relay = new TcpRelay(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
            Thread.ofVirtual().start(relay::accept);
            return relay;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns the port of the node's address. */
    int port() {
        return entrance.getLocalPort();
    }

    /** Breaks all connections, and takes none until {@link #heal}. */
    void cut() {
        isCut = true;
        open.forEach(TcpRelay::close);
    }

    void heal() {
        isCut = false;
    }

    /** Keeps what comes, until {@link #release}. */
    void hold() {
        passes = new CountDownLatch(1);
    }

    void release() {
        passes.countDown();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket from = entrance.accept();
                if (isCut) {
                    close(from);
                } else {
                    relay(from);
                }
            } catch (IOException refusedOrClosed) {
                // The node listens later, or the test is over.
            }
        }
    }

    private void relay(Socket from) throws IOException {
        open.add(from);
        try {
            Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(to);
            Thread.ofVirtual().start(() -> copy(from, to));
            Thread.ofVirtual().start(() -> copy(to, from));
        } catch (IOException refused) {
            close(from);
            throw refused;
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (!passes.await(LONGEST_HOLD_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
                out.write(chunk, 0, read);
            }
        } catch (IOException | InterruptedException broken) {
            // Both ends learn it.
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // It is closed.
        }
    }

    @Override
    public void close() {
        release();
        try {
            entrance.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        open.forEach(TcpRelay::close);
    }
}
