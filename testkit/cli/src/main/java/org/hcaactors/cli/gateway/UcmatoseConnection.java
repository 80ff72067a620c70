// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;

/**
 * A client's connection to the server of ucmatose: the server sends its messages, the client then sends as many, and the server
 * disconnects. The program has one buffer, in which it receives and from which it sends: what comes back is the server's last
 * message, so all of them are the same here. One thread.
 */
final class UcmatoseConnection implements AutoCloseable {
    /** The program first makes all its connections. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private final Accepted client;
    private final UcmatoseTerms terms;

    private UcmatoseConnection(Accepted client, UcmatoseTerms terms) {
        this.client = client;
        this.terms = terms;
    }

    /**
     * Accepts a request.
     *
     * @param context that of the listener
     */
    static UcmatoseConnection accept(
            RdmaNetwork network, ConnectionRequest request, DeviceContext context, UcmatoseTerms terms) {
        Accepted.Slots slots = new Accepted.Slots(terms.messages(), terms.bytes());
        Accepted client = Accepted.accept(network, context, request, slots, terms.bytes(), ByteBuffer.allocate(0));
        return new UcmatoseConnection(client, terms);
    }

    /**
     * Sends the messages, and compares those that come back.
     *
     * @throws PeerException if the client sends others, or not all
     */
    void serve() throws PeerException, InterruptedException {
        byte[] message = new byte[terms.bytes()];
        ThreadLocalRandom.current().nextBytes(message);
        send(message);
        for (int received = 0; received < terms.messages(); received++) {
            int before = received;
            WorkCompletion next = client.next(LONGEST_SILENCE)
                    .orElseThrow(() -> new PeerException(
                            "it disconnected after " + before + " of " + terms.messages() + " messages"));
            compare(message, client.bytes(next), received + 1);
        }
    }

    private void send(byte[] message) throws PeerException {
        int at = client.slots().end();
        client.side().memory().write(at, message);
        List<Send> sends = IntStream.range(0, terms.messages())
                .mapToObj(number -> Send.of(number, client.side().slice(at, message.length)))
                .toList();
        client.done("SEND", sends, LONGEST_SILENCE);
    }

    private static void compare(byte[] sent, byte[] back, int number) throws PeerException {
        if (sent.length != back.length) {
            throw new PeerException(
                    "its message " + number + " has " + back.length + " bytes in place of " + sent.length);
        }
        int differs = Arrays.mismatch(sent, back);
        if (differs >= 0) {
            throw new PeerException("its message " + number + " differs from byte " + differs + " on");
        }
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
