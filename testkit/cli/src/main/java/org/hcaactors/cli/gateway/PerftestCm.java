// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;

/**
 * A perftest's talk in SENDs over a connection of its own, as with {@code -R}: each message is a SEND, keys are those of
 * {@link PerftestStruct}.
 */
final class PerftestCm implements PerftestTalk {
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    /** Of the longest message; perftest's have 64 bytes at most. */
    private static final int MESSAGE_BYTES = 256;

    private static final int RECEIVES = 8;
    private static final int OUT_AT = RECEIVES * MESSAGE_BYTES;

    private final Station station;
    private final Side side;
    private final Inbox inbox;
    private final Connection connection;
    private Duration longestSilence = LONGEST_SILENCE;
    private int keyBytes = PerftestStruct.BYTES;

    private interface Connecting {
        Connection with(ConnectionDescription description);
    }

    private PerftestCm(Station station, DeviceContext context, Connecting connecting) {
        this.station = station;
        side = Side.within(station.network(), context.allocatePd(), OUT_AT + MESSAGE_BYTES);
        inbox = new Inbox(station.network().await(context.createCq(2 * RECEIVES)));
        QpDescription<RcQueuePair> qp = QpDescription.rc()
                .withCapacity(QpCapacity.of(RECEIVES).withMaxSge(1).withMaxInlineBytes(0))
                .withRecvCq(inbox.queue());
        try {
            connection = connecting.with(ConnectionDescription.of(side.domain())
                    .withQp(qp)
                    .withTerms(UnconnectedQp.PATIENT)
                    .withPrepared(this::receiveAll));
        } catch (RuntimeException refused) {
            try {
                closeMemory();
            } catch (VerbsException stillConnecting) {
                refused.addSuppressed(stillConnecting);
            }
            throw refused;
        }
    }

    /** Accepts a client. */
    static PerftestCm accept(Station station, DeviceContext context, ConnectionRequest request) {
        return new PerftestCm(
                station, context, description -> Accepted.answered(station.network(), request.accept(description)));
    }

    /** @throws org.hcaactors.api.connection.ConnectionException if no server answers, or it refuses */
    static PerftestCm connect(Station station, DeviceContext context, InetSocketAddress server) {
        return new PerftestCm(
                station, context, description -> station.network().await(context.connect(server, description)));
    }

    private void receiveAll(RcQueuePair qp) {
        for (int i = 0; i < RECEIVES; i++) {
            receive(qp, i);
        }
    }

    private void receive(RcQueuePair qp, int slot) {
        qp.postReceive(Receive.of(slot, side.slice((long) slot * MESSAGE_BYTES, MESSAGE_BYTES)));
    }

    @Override
    public void write(byte[] message) throws PeerException {
        side.memory().write(OUT_AT, message);
        WorkCompletion sent = station.network()
                .await(connection.qp().submit(Send.of(1, side.slice(OUT_AT, message.length))), longestSilence);
        if (!sent.isSuccess()) {
            throw new PeerException("a SEND ended with " + sent.status());
        }
    }

    @Override
    public byte[] read(int bytes) throws PeerException, InterruptedException {
        byte[] message = next().orElseThrow(() -> new PeerException("it disconnected before it said everything"));
        if (message.length != bytes) {
            throw new PeerException("it sent " + message.length + " bytes in place of " + bytes);
        }
        return message;
    }

    @Override
    public Optional<byte[]> next() throws PeerException, InterruptedException {
        WorkCompletion arrived = inbox.next(longestSilence)
                .orElseThrow(() -> new PeerException("it said nothing for " + longestSilence.toSeconds() + " s"));
        if (arrived.status() == Status.WR_FLUSH_ERR) {
            return Optional.empty();
        }
        if (!arrived.isSuccess()) {
            throw new PeerException("a receive of " + MESSAGE_BYTES + " bytes ended with " + arrived.status());
        }
        int slot = (int) arrived.workId();
        byte[] message = side.memory().read((long) slot * MESSAGE_BYTES, (int) arrived.lengthBytes());
        receive(connection.qp(), slot);
        if (isKeys(message)) {
            keyBytes = message.length;
        }
        return Optional.of(message);
    }

    @Override
    public boolean isKeys(byte[] message) {
        return PerftestStruct.isLength(message.length);
    }

    @Override
    public PerftestKeys keys(byte[] message) throws PeerException {
        return PerftestStruct.decode(message);
    }

    @Override
    public byte[] encode(PerftestKeys keys) {
        return PerftestStruct.encode(keys, keyBytes);
    }

    @Override
    public void waitFor(Duration silence) {
        longestSilence = silence;
    }

    /** The end of the connection says it. */
    @Override
    public void tellDone() {
        connection.closeAsync(ByteBuffer.allocate(0));
    }

    @Override
    public void awaitEnd() throws PeerException, InterruptedException {
        connection.closeAsync(ByteBuffer.allocate(0));
        while (next().isPresent()) {
            // What is said now has no meaning.
        }
    }

    @Override
    public void close() {
        connection.close();
        closeMemory();
    }

    private void closeMemory() {
        inbox.queue().close();
        side.region().close();
        side.memory().close();
        side.domain().close();
    }
}
