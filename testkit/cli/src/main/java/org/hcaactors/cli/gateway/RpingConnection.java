// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * A client's connection to the server of rping. For each ping the client sends where its data are, the server READs them and says
 * so; then the client sends where it wants them, the server WRITEs them and says so. One thread.
 */
final class RpingConnection implements AutoCloseable {
    /** Address, R_Key and length of a buffer, as both ends send them. */
    static final int INFO_BYTES = 16;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
    private static final int SAID_AT = 0;
    private static final int WORD_AT = INFO_BYTES;
    private static final int DATA_AT = 2 * INFO_BYTES;

    private final RdmaNetwork network;
    private final Side side;
    private final Inbox inbox;
    private final Connection connection;
    private final int bytes;

    /** Buffer of the client. */
    private record Buffer(RemoteAddress at, int bytes) {}

    private RpingConnection(RdmaNetwork network, Side side, Inbox inbox, Connection connection, int bytes) {
        this.network = network;
        this.side = side;
        this.inbox = inbox;
        this.connection = connection;
        this.bytes = bytes;
    }

    /**
     * Accepts a request.
     *
     * @param context that of the listener
     * @param bytes of the largest data of a ping
     */
    static RpingConnection accept(RdmaNetwork network, ConnectionRequest request, DeviceContext context, int bytes) {
        Side side = Side.within(network, context.allocatePd(), DATA_AT + bytes);
        Inbox inbox = new Inbox(network.await(context.createCq(16)));
        QpDescription<RcQueuePair> qp = QpDescription.rc()
                .withCapacity(QpCapacity.of(4).withMaxSge(1).withMaxInlineBytes(0))
                .withRecvCq(inbox.queue());
        ConnectionDescription description =
                ConnectionDescription.of(side.domain()).withQp(qp).withPrepared(made -> receive(made, side));
        try {
            return new RpingConnection(network, side, inbox, network.await(request.accept(description)), bytes);
        } catch (RuntimeException refused) {
            close(side, inbox);
            throw refused;
        }
    }

    private static void receive(RcQueuePair qp, Side side) {
        qp.postReceive(Receive.of(0, side.slice(SAID_AT, INFO_BYTES)));
    }

    /**
     * Serves pings.
     *
     * @param pings their number; 0: until the client disconnects
     * @return their number
     * @throws PeerException if the client says something else, or nothing
     */
    long serve(long pings) throws PeerException, InterruptedException {
        long served = 0;
        while (pings == 0 || served < pings) {
            Optional<Buffer> source = heard();
            if (source.isEmpty()) {
                return served;
            }
            Buffer from = source.get();
            done("READ", RdmaRead.of(1, side.slice(DATA_AT, from.bytes), from.at));
            goOn();
            Buffer to = heard().orElseThrow(() -> new PeerException("it disconnected in the middle of a ping"));
            done("WRITE", RdmaWrite.of(2, side.slice(DATA_AT, to.bytes), to.at));
            served++;
            goOn();
        }
        return served;
    }

    /** Waits for what the client says; empty if it disconnects. */
    private Optional<Buffer> heard() throws PeerException, InterruptedException {
        WorkCompletion message = next();
        if (message.status() == Status.WR_FLUSH_ERR) {
            return Optional.empty();
        }
        if (!message.isSuccess()) {
            throw new PeerException("a receive of " + INFO_BYTES + " bytes ended with " + message.status());
        }
        if (message.lengthBytes() != INFO_BYTES) {
            throw new PeerException("it sent " + message.lengthBytes() + " bytes; rping sends " + INFO_BYTES);
        }
        ByteBuffer said = ByteBuffer.wrap(side.memory().read(SAID_AT, INFO_BYTES));
        long address = said.getLong();
        int rkey = said.getInt();
        int length = said.getInt();
        if (length < 0 || length > bytes) {
            throw new PeerException(
                    "it has data of " + Integer.toUnsignedString(length) + " bytes; at most " + bytes + " are served");
        }
        receive(connection.qp(), side);
        return Optional.of(new Buffer(new RemoteAddress(rkey, address), length));
    }

    /** Tells the client to go on; what the message contains has no meaning. */
    private void goOn() throws PeerException {
        done("SEND", Send.of(3, side.slice(WORD_AT, INFO_BYTES)));
    }

    private void done(String kind, RcWork work) throws PeerException {
        WorkCompletion done = network.await(connection.qp().submit(work), LONGEST_SILENCE);
        if (!done.isSuccess()) {
            throw new PeerException("a " + kind + " ended with " + done.status());
        }
    }

    private WorkCompletion next() throws PeerException, InterruptedException {
        return inbox.next(LONGEST_SILENCE)
                .orElseThrow(() -> new PeerException("it said nothing for " + LONGEST_SILENCE.toSeconds() + " s"));
    }

    @Override
    public void close() {
        connection.close();
        close(side, inbox);
    }

    private static void close(Side side, Inbox inbox) {
        inbox.queue().close();
        side.region().close();
        side.memory().close();
        side.domain().close();
    }

    @Override
    public String toString() {
        return "queue pair 0x%06x".formatted(connection.qp().number());
    }
}
