// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A TCP connection over which two programs tell each other the addresses of their queue pairs. One thread. */
public final class Exchange implements Closeable {
    /** Port of the classic tools. */
    public static final int DEFAULT_PORT = 18_515;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    /** Last word of the client: the server may begin. */
    static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private static final int SRQ_ADDRESSES = 256;

    private final Socket socket;
    private final InputStream in;
    private Duration longestSilence = LONGEST_SILENCE;

    Exchange(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        waitFor(LONGEST_SILENCE);
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

    /** Returns the text before its zero. */
    static String text(byte[] bytes) {
        String all = new String(bytes, StandardCharsets.US_ASCII);
        int end = all.indexOf(0);
        return end < 0 ? all : all.substring(0, end);
    }

    /** Sets how long the other program may be silent. */
    void waitFor(Duration silence) throws IOException {
        longestSilence = silence;
        socket.setSoTimeout((int) silence.toMillis());
    }

    void tell(QpAddress own) throws IOException {
        write(own.encode());
    }

    QpAddress hear() throws IOException {
        return QpAddress.decode(read(QpAddress.BYTES));
    }

    /** Tells the addresses as ibv_srq_pingpong does, which always sends {@value #SRQ_ADDRESSES}. */
    void tellAll(List<QpAddress> own) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(SRQ_ADDRESSES * QpAddress.BYTES);
        own.forEach(each -> all.put(each.encode()));
        for (int i = own.size(); i < SRQ_ADDRESSES; i++) {
            all.put(QpAddress.NOBODY.encode());
        }
        write(all.array());
    }

    /**
     * Hears the addresses of ibv_srq_pingpong.
     *
     * @return at least 1, without those of no queue pair
     */
    List<QpAddress> hearAll() throws IOException {
        List<QpAddress> heard = new ArrayList<>();
        for (int i = 0; i < SRQ_ADDRESSES; i++) {
            QpAddress each = hear();
            if (each.number() != 0) {
                heard.add(each);
            }
        }
        if (heard.isEmpty()) {
            throw new PeerException("it has no queue pairs");
        }
        return heard;
    }

    void tellDone() throws IOException {
        write(DONE);
    }

    /** Says that this end is done; the other one may have closed the connection before. */
    void tellDoneUnlessEnded() {
        try {
            tellDone();
        } catch (IOException ended) {
            // From perftest 6.20 on, the word is not said any more.
        }
    }

    /** Sends nothing any more, and waits until the other program closes the connection. */
    void awaitEnd() throws IOException {
        socket.shutdownOutput();
        readUnlessEnded(1);
    }

    void hearDone() throws IOException {
        read(DONE.length);
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Waits for that many bytes. */
    byte[] read(int bytes) throws IOException {
        return readUnlessEnded(bytes).orElseThrow(() -> closed(0, bytes));
    }

    /** Waits for that many bytes; empty if the other program closes the connection before them. */
    Optional<byte[]> readUnlessEnded(int bytes) throws IOException {
        try {
            byte[] read = in.readNBytes(bytes);
            if (read.length > 0 && read.length < bytes) {
                throw closed(read.length, bytes);
            }
            return read.length == bytes ? Optional.of(read) : Optional.empty();
        } catch (SocketTimeoutException silent) {
            throw new PeerException("it sent nothing over TCP for " + longestSilence.toSeconds() + " s");
        }
    }

    private static PeerException closed(int read, int bytes) {
        return new PeerException("it closed the TCP connection after " + read + " of " + bytes + " bytes");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
