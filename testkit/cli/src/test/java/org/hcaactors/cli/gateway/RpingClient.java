// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;

/** The client of rping, with the messages of rdma-core's librdmacm/examples/rping.c. */
public final class RpingClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MESSAGE = 16;
    private static final int SOURCE = 64;

    private final Station station;
    private final int bytes;
    private final Side side;
    private final Inbox inbox;
    final Connection connection;

    public RpingClient(Station station, InetSocketAddress server, int bytes) {
        this.station = station;
        this.bytes = bytes;
        side = Side.of(station.network(), station.adapter(), "client", SOURCE + 2L * bytes);
        inbox = new Inbox(station.network().await(side.context().createCq(16)));
        QpDescription<RcQueuePair> qp = QpDescription.rc().withRecvCq(inbox.queue());
        connection = station.network()
                .await(side.context()
                        .connect(
                                server,
                                ConnectionDescription.of(side.domain())
                                        .withQp(qp)
                                        .withPrepared(this::receive)));
    }

    private void receive(RcQueuePair qp) {
        qp.postReceive(Receive.of(1, side.slice(MESSAGE, MESSAGE)));
    }

    /** Tells the server where data are, or are wanted. */
    void tell(long address, int rkey, int length) {
        ByteBuffer message =
                ByteBuffer.allocate(MESSAGE).putLong(address).putInt(rkey).putInt(length);
        say(message.array());
    }

    void say(byte[] message) {
        side.memory().write(0, message);
        assertThat(station.network()
                        .await(connection.qp().submit(Send.of(2, side.slice(0, message.length))))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    int rkey() {
        return side.region().rkey();
    }

    long address() {
        return side.region().address() + SOURCE;
    }

    WorkCompletion next() throws InterruptedException {
        return inbox.next(TIMEOUT).orElseThrow();
    }

    private void awaitGo() throws InterruptedException {
        WorkCompletion go = next();
        assertThat(go.status()).isEqualTo(Status.SUCCESS);
        assertThat(go.kind()).isEqualTo(CompletionKind.RECV);
        assertThat(go.lengthBytes()).isEqualTo(MESSAGE);
        receive(connection.qp());
    }

    /** Sends the data of a ping and compares what comes back. */
    public void ping(int number) throws InterruptedException {
        byte[] data = new byte[bytes];
        Arrays.fill(data, (byte) ('A' + number % 26));
        byte[] start = ("rdma-ping-" + number + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, data, 0, Math.min(start.length, bytes));
        side.memory().write(SOURCE, data);
        tell(address(), rkey(), bytes);
        awaitGo();
        tell(address() + bytes, rkey(), bytes);
        awaitGo();
        assertThat(side.memory().read(SOURCE + bytes, bytes)).isEqualTo(data);
    }

    @Override
    public void close() {
        connection.close();
    }
}
