// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;

/** A connection of ucmatose's client, whose one buffer is for all messages, as in rdma-core's librdmacm/examples/cmatose.c. */
public final class UcmatoseClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int SEVERAL = 4;

    private final Station station;
    private final int messages;
    private final int bytes;
    private final Side side;
    private final Inbox inbox;
    private final Connection connection;

    public UcmatoseClient(Station station, InetSocketAddress server, int messages, int bytes) {
        this.station = station;
        this.messages = messages;
        this.bytes = bytes;
        side = Side.of(station.network(), station.adapter(), "client", bytes);
        inbox = new Inbox(station.network().await(side.context().createCq(messages + 1)));
        QpDescription<RcQueuePair> qp = QpDescription.rc()
                .withCapacity(QpCapacity.of(Math.max(SEVERAL, messages)))
                .withRecvCq(inbox.queue());
        connection = station.network()
                .await(side.context()
                        .connect(
                                server,
                                ConnectionDescription.of(side.domain())
                                        .withQp(qp)
                                        // As the program, which sets neither.
                                        .withTerms(RcConnection.DEFAULT
                                                .withRdAtomic(1)
                                                .withRnrRetry(0))
                                        .withPrepared(this::receive)));
    }

    private void receive(RcQueuePair qp) {
        for (int i = 0; i < messages; i++) {
            qp.postReceive(Receive.of(i, side.slice(0, bytes)));
        }
    }

    public void receiveAll() throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            WorkCompletion message = inbox.next(TIMEOUT).orElseThrow();
            assertThat(message.status()).isEqualTo(Status.SUCCESS);
            assertThat(message.lengthBytes()).isLessThanOrEqualTo(bytes);
        }
    }

    public void sendAll() {
        send(messages);
    }

    /** Sends that many, and waits until they are completed, with whatever status. */
    void send(int number) {
        IntStream.range(0, number)
                .mapToObj(i -> connection.qp().submit(Send.of(i, side.slice(0, bytes))))
                .toList()
                .forEach(sent -> station.network().await(sent, TIMEOUT));
    }

    /** Changes a byte of the buffer. */
    void change(int at) {
        side.memory().write(at, new byte[] {(byte) (side.memory().read(at, 1)[0] + 1)});
    }

    public void awaitDisconnection() {
        connection
                .ended()
                .toCompletableFuture()
                .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        connection.closeAsync(ByteBuffer.allocate(0));
    }
}
