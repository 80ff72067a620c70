// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A TCP connection over which two programs tell each other the addresses of their queue pairs. One thread. */
public final class Exchange implements Closeable {
    /** Port of the classic tools. */
    public static final int DEFAULT_PORT = 18_515;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    /** Last word of the client: the server may begin. */
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final InputStream in;

    Exchange(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) LONGEST_SILENCE.toMillis());
        in = socket.getInputStream();
    }

    /** @throws IOException if nothing listens there */
    public static Exchange connect(InetSocketAddress server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(server, (int) LONGEST_SILENCE.toMillis());
            return new Exchange(socket);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /** Address and port of the program at the other end. */
    static String from(Socket socket) {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getPort();
    }

    void tell(QpAddress own) throws IOException {
        write(own.encode());
    }

    QpAddress hear() throws IOException {
        return QpAddress.decode(read(QpAddress.BYTES));
    }

    void tellDone() throws IOException {
        write(DONE);
    }

    void hearDone() throws IOException {
        read(DONE.length);
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Waits for that many bytes. */
    byte[] read(int bytes) throws IOException {
        byte[] read = orSilent(() -> in.readNBytes(bytes));
        if (read.length < bytes) {
            throw new PeerException("it closed the TCP connection after " + read.length + " of " + bytes + " bytes");
        }
        return read;
    }

    private interface Reading {
        byte[] read() throws IOException;
    }

    private static byte[] orSilent(Reading reading) throws IOException {
        try {
            return reading.read();
        } catch (SocketTimeoutException silent) {
            throw new PeerException("it sent nothing over TCP for " + LONGEST_SILENCE.toSeconds() + " s");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
