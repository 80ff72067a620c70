// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;

/**
 * A client's connection to the server of rping. For each ping the client sends where its data are, the server READs them and says
 * so; then the client sends where it wants them, the server WRITEs them and says so. One thread.
 */
final class RpingConnection implements AutoCloseable {
    /** Address, R_Key and length of a buffer, as both ends send them. */
    static final int INFO_BYTES = 16;

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
    private static final int RECEIVES = 4;
    private static final int WORD_AT = RECEIVES * INFO_BYTES;
    private static final int DATA_AT = WORD_AT + INFO_BYTES;

    private final Accepted client;
    private final int bytes;

    /** Buffer of the client. */
    private record Buffer(RemoteAddress at, int bytes) {}

    private RpingConnection(Accepted client, int bytes) {
        this.client = client;
        this.bytes = bytes;
    }

    /**
     * Accepts a request.
     *
     * @param context that of the listener
     * @param bytes of the largest data of a ping
     */
    static RpingConnection accept(RdmaNetwork network, ConnectionRequest request, DeviceContext context, int bytes) {
        Accepted client = Accepted.accept(
                network,
                context,
                request,
                new Accepted.Slots(RECEIVES, INFO_BYTES),
                INFO_BYTES + bytes,
                ByteBuffer.allocate(0));
        return new RpingConnection(client, bytes);
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
            done("READ", RdmaRead.of(1, client.side().slice(DATA_AT, from.bytes), from.at));
            goOn();
            Buffer to = heard().orElseThrow(() -> new PeerException("it disconnected in the middle of a ping"));
            done("WRITE", RdmaWrite.of(2, client.side().slice(DATA_AT, to.bytes), to.at));
            served++;
            goOn();
        }
        return served;
    }

    /** Waits for what the client says; empty if it disconnects. */
    private Optional<Buffer> heard() throws PeerException, InterruptedException {
        Optional<WorkCompletion> next = client.next(LONGEST_SILENCE);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        WorkCompletion message = next.get();
        if (message.lengthBytes() != INFO_BYTES) {
            throw new PeerException("it sent " + message.lengthBytes() + " bytes; rping sends " + INFO_BYTES);
        }
        ByteBuffer said = ByteBuffer.wrap(client.bytes(message));
        long address = said.getLong();
        int rkey = said.getInt();
        int length = said.getInt();
        if (length < 0 || length > bytes) {
            throw new PeerException(
                    "it has data of " + Integer.toUnsignedString(length) + " bytes; at most " + bytes + " are served");
        }
        client.receiveAgain(message);
        return Optional.of(new Buffer(new RemoteAddress(rkey, address), length));
    }

    /** Tells the client to go on; what the message contains has no meaning. */
    private void goOn() throws PeerException {
        done("SEND", Send.of(3, client.side().slice(WORD_AT, INFO_BYTES)));
    }

    private void done(String kind, RcWork work) throws PeerException {
        client.done(kind, List.of(work), LONGEST_SILENCE);
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return client.toString();
    }
}
