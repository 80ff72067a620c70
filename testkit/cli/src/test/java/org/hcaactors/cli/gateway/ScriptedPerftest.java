// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.Transport;

/** A client of perftest's server: the exchange over TCP, message by message, and one queue pair. */
final class ScriptedPerftest implements AutoCloseable {
    static final int AREA = 1 << 16;

    private final Station station;
    private final Exchange exchange;
    private final Inbox inbox;
    private final UnconnectedQp qp;
    final Side side;
    final RemoteAddress memory;
    final End end;

    ScriptedPerftest(Station station, InetSocketAddress server, Transport transport) throws IOException {
        this.station = station;
        exchange = Exchange.connect(server);
        assertThat(swap(Arrays.copyOf("6.06".getBytes(US_ASCII), 16))).startsWith("6.06".getBytes(US_ASCII));
        assertThat(swap(ByteBuffer.allocate(4).putInt(4096).array())).isEqualTo(new byte[] {0, 0, 16, 0});
        swap(ByteBuffer.allocate(4).putInt(64).array());
        assertThat(swap(new byte[] {'3', 0})).isEqualTo(new byte[] {'5', 0});
        side = Side.of(station.network(), station.adapter(), "client", 2L * AREA);
        inbox = new Inbox(station.network().await(side.context().createCq(1024)));
        QpCapacity capacity = QpCapacity.of(128).withMaxSge(1);
        qp = UnconnectedQp.create(
                station.network(), side, transport, RcConnection.DEFAULT.mtu(), inbox.queue(), capacity);
        PerftestKeys theirs = shake();
        end = qp.connecting().to(theirs.address(), RcConnection.DEFAULT.rdAtomic());
        memory = theirs.memory();
    }

    /** Sends that many bytes, and returns as many of the server's. */
    byte[] swap(byte[] bytes) throws IOException {
        exchange.write(bytes);
        return exchange.read(bytes.length);
    }

    /** A common point in time, as perftest makes it. */
    PerftestKeys shake() throws IOException {
        PerftestKeys own = new PerftestKeys(
                16, QpAddress.of(station.adapter().gid(), qp.qp().number(), qp.firstPsn()), side.remote(AREA));
        return PerftestKeys.decode(swap(own.encode()));
    }

    Status run(WorkRequest work) {
        end.post(work);
        return next().status();
    }

    WorkCompletion next() {
        try {
            return inbox.next(Duration.ofSeconds(30)).orElseThrow();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** Reports as a bandwidth test does, and closes. */
    void report(long size, long iterations, double average) throws IOException {
        shake();
        swap(ByteBuffer.allocate(8).putLong(size).array());
        swap(ByteBuffer.allocate(8).putLong(iterations).array());
        swap(ByteBuffer.allocate(8).putDouble(average * 2).array());
        swap(ByteBuffer.allocate(8).putDouble(average).array());
        swap(ByteBuffer.allocate(8).putDouble(0.5).array());
        done();
    }

    void done() throws IOException {
        shake();
        exchange.tellDone();
        assertThat(exchange.readUnlessEnded(1)).as("bytes after the end").isEqualTo(Optional.empty());
    }

    @Override
    public void close() throws IOException {
        exchange.close();
    }
}
