// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.HexFormat;
import java.util.OptionalInt;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.cli.gateway.nvme.Capsule;
import org.hcaactors.lab.pair.Side;

/**
 * A host of NVMe over RDMA that sends one command at a time. As Linux's does, it gives each command a key of its own for its data,
 * which the completion must invalidate.
 */
public final class NvmeHost implements AutoCloseable {
    public static final String ADMIN_QUEUE = "0000000020001f00";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int RECEIVES = 32;
    private static final int RESPONSE_BYTES = 16;
    private static final int COMMAND_AT = RECEIVES * RESPONSE_BYTES;
    private static final int DATA_AT = 4096;
    private static final int MOST_DATA = 8192;

    private final Station station;
    private final Side side;
    private final Inbox inbox;
    private final MemoryRegion data;
    private final MemoryWindow window;
    private final Connection connection;

    /** @param status its 16 bits */
    record Response(long result, int command, int status, OptionalInt invalidated) {}

    public NvmeHost(Station station, InetSocketAddress server, String request) {
        this.station = station;
        side = Side.of(station.network(), station.adapter(), "host", DATA_AT + MOST_DATA);
        data = station.network().await(side.domain().register(side.memory(), Access.LOCAL_WRITE, Access.MW_BIND));
        window = station.network().await(side.domain().allocateWindow(WindowType.TYPE_2));
        inbox = new Inbox(station.network().await(side.context().createCq(2 * RECEIVES)));
        QpDescription<RcQueuePair> qp =
                QpDescription.rc().withCapacity(QpCapacity.of(RECEIVES)).withRecvCq(inbox.queue());
        connection = station.network()
                .await(side.context()
                        .connect(
                                server,
                                ConnectionDescription.of(side.domain())
                                        .withQp(qp)
                                        .withTerms(RcConnection.DEFAULT)
                                        .withPrivateData(
                                                ByteBuffer.wrap(HexFormat.of().parseHex(request + "00".repeat(24))))
                                        .withPrepared(this::receiveAll)));
    }

    private void receiveAll(RcQueuePair qp) {
        for (int slot = 0; slot < RECEIVES; slot++) {
            receive(qp, slot);
        }
    }

    private void receive(RcQueuePair qp, int slot) {
        qp.postReceive(Receive.of(slot, side.slice((long) slot * RESPONSE_BYTES, RESPONSE_BYTES)));
    }

    /** Returns the data of the acceptance. */
    public ByteBuffer accepted() {
        return connection.privateData();
    }

    /** Sends a command whose data are these, or become so many, under a new key. */
    Response command(Capsule capsule, byte[] bytes) throws InterruptedException {
        side.memory().write(DATA_AT, bytes);
        long address = data.address() + DATA_AT;
        BindWindow bind = BindWindow.of(
                1,
                window,
                WindowBinding.of(data, address, bytes.length).withAccess(Access.REMOTE_READ, Access.REMOTE_WRITE));
        done(bind);
        return command(capsule.data(address, bytes.length, window.rkey(), true).bytes());
    }

    int key() {
        return window.rkey();
    }

    byte[] data(int bytes) {
        return side.memory().read(DATA_AT, bytes);
    }

    /** Sends a capsule and waits for the response. */
    Response command(byte[] capsule) throws InterruptedException {
        send(capsule);
        WorkCompletion message = next();
        assertThat(message.status()).isEqualTo(Status.SUCCESS);
        assertThat(message.lengthBytes()).isEqualTo(RESPONSE_BYTES);
        ByteBuffer response = ByteBuffer.wrap(side.memory().read(message.workId() * RESPONSE_BYTES, RESPONSE_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        receive(connection.qp(), (int) message.workId());
        return new Response(
                response.getLong(0),
                response.getShort(12) & 0xffff,
                response.getShort(14) & 0xffff,
                message.invalidated());
    }

    void send(byte[] capsule) {
        side.memory().write(COMMAND_AT, capsule);
        done(Send.of(2, side.slice(COMMAND_AT, capsule.length)));
    }

    WorkCompletion next() throws InterruptedException {
        return inbox.next(TIMEOUT).orElseThrow();
    }

    private void done(RcWork work) {
        assertThat(station.network().await(connection.qp().submit(work)).status())
                .isEqualTo(Status.SUCCESS);
    }

    @Override
    public void close() {
        connection.close();
    }
}
