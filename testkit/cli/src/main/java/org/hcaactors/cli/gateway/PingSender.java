// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * The client of an {@link RpingConnection}, with the messages of rdma-core's librdmacm/examples/rping.c: the server READs the data of
 * each ping, and WRITEs them back. One thread.
 */
public final class PingSender implements AutoCloseable {
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
    private static final int GO_AT = RpingConnection.INFO_BYTES;
    private static final int DATA_AT = 2 * RpingConnection.INFO_BYTES;
    private static final int LETTERS = 26;

    private final RdmaNetwork network;
    private final int bytes;
    private final Side side;
    private final Inbox inbox;
    private final Connection connection;

    private PingSender(RdmaNetwork network, int bytes, Side side, Inbox inbox, Connection connection) {
        this.network = network;
        this.bytes = bytes;
        this.side = side;
        this.inbox = inbox;
        this.connection = connection;
    }

    /**
     * Connects to a server.
     *
     * @param server an address, or the name of an adapter, and the port
     * @param bytes of a ping
     * @throws org.hcaactors.api.connection.ConnectionException if no server answers there
     */
    public static PingSender connect(RdmaNetwork network, Adapter adapter, InetSocketAddress server, int bytes) {
        Side side = Side.of(network, adapter, "ping", DATA_AT + 2L * bytes);
        DeviceContext context = side.context();
        try {
            Inbox inbox = new Inbox(network.await(context.createCq(16)));
            ConnectionDescription description = ConnectionDescription.of(side.domain())
                    .withQp(QpDescription.rc().withRecvCq(inbox.queue()))
                    .withTerms(RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096))
                    .withPrepared(qp -> receive(qp, side));
            return new PingSender(network, bytes, side, inbox, network.await(context.connect(server, description)));
        } catch (RuntimeException refused) {
            close(side);
            throw refused;
        }
    }

    private static void receive(RcQueuePair qp, Side side) {
        qp.postReceive(Receive.of(1, side.slice(GO_AT, RpingConnection.INFO_BYTES)));
    }

    /**
     * Sends a ping and compares what comes back.
     *
     * @throws PeerException if it is not what was sent, or the server says something else, or nothing
     */
    public void ping(long number) throws PeerException, InterruptedException {
        byte[] data = new byte[bytes];
        Arrays.fill(data, (byte) ('A' + number % LETTERS));
        byte[] start = ("rdma-ping-" + number + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, data, 0, Math.min(start.length, bytes));
        side.memory().write(DATA_AT, data);
        tell(DATA_AT);
        tell(DATA_AT + (long) bytes);
        if (!Arrays.equals(side.memory().read(DATA_AT + (long) bytes, bytes), data)) {
            throw new PeerException("other bytes came back than those of ping " + number);
        }
    }

    /** Tells where data are, or are wanted, and waits until the server says that it is done. */
    private void tell(long offset) throws PeerException, InterruptedException {
        byte[] said = ByteBuffer.allocate(RpingConnection.INFO_BYTES)
                .putLong(side.region().address() + offset)
                .putInt(side.region().rkey())
                .putInt(bytes)
                .array();
        side.memory().write(0, said);
        WorkCompletion sent =
                network.await(connection.qp().submit(Send.of(2, side.slice(0, said.length))), LONGEST_SILENCE);
        check("SEND", sent);
        check(
                "receive",
                inbox.next(LONGEST_SILENCE)
                        .orElseThrow(
                                () -> new PeerException("it said nothing for " + LONGEST_SILENCE.toSeconds() + " s")));
        receive(connection.qp(), side);
    }

    private static void check(String kind, WorkCompletion completion) throws PeerException {
        if (!completion.isSuccess()) {
            throw new PeerException("a " + kind + " ended with " + completion.status());
        }
    }

    @Override
    public void close() {
        connection.close();
        close(side);
    }

    private static void close(Side side) {
        side.context().close();
        side.memory().close();
    }
}
