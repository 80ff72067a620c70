// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hcaactors.cli.gateway.PingPongGame.Introduction;
import org.hcaactors.cli.gateway.PingPongGame.Score;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Arrived;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Gone;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Sent;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Step;

/**
 * The classic example over several queue pairs with one shared receive queue, in the protocol of ibv_srq_pingpong. Each queue pair
 * has one message on its way; rounds count over all of them.
 *
 * @param introduced told both addresses of each queue pair, before the first message
 * @param played told the number of rounds after each
 */
public record SrqPingPongGame(
        Station station, PingPongTerms terms, Consumer<Introduction> introduced, LongConsumer played) {
    /** Queue pairs of the classic program if nothing else is set. */
    public static final int DEFAULT_QUEUE_PAIRS = 16;

    /** Receives for each queue pair: one message is on its way to it, and one may follow before the answer is acknowledged. */
    private static final int RECEIVES_EACH = 2;

    /**
     * Plays the client: sends the same bytes in all rounds, and compares what comes back. The classic server has one buffer for all
     * queue pairs, so that the message that comes back may be one that came on another queue pair meanwhile.
     *
     * @param rounds of all queue pairs together
     * @throws PeerException if the server is silent, breaks off, or sends other bytes back
     */
    public Score client(Exchange exchange, long rounds, int queuePairs) throws IOException, InterruptedException {
        int buffers = (1 + RECEIVES_EACH) * queuePairs;
        try (SrqPingPongEnd end = SrqPingPongEnd.open(station, terms, "client", queuePairs, buffers)) {
            exchange.tellAll(end.addresses());
            List<QpAddress> server = exchange.hearAll();
            if (server.size() != queuePairs) {
                throw new PeerException("it has " + server.size() + " queue pairs; " + queuePairs
                        + " are needed, the same number at both ends");
            }
            connect(end, server);
            for (int buffer = queuePairs; buffer < buffers; buffer++) {
                end.receive(buffer);
            }
            exchange.tellDone();
            return new Client(end, rounds, queuePairs).play();
        }
    }

    private void connect(SrqPingPongEnd end, List<QpAddress> peers) throws PeerException {
        end.connect(peers);
        List<QpAddress> own = end.addresses();
        for (int i = 0; i < peers.size(); i++) {
            introduced.accept(new Introduction(own.get(i), peers.get(i)));
        }
    }

    private static PeerException silent(long rounds) {
        return new PeerException("nothing arrives any more: " + PingPongGame.LONGEST_SILENCE.toSeconds()
                + " s of silence after " + rounds + " rounds");
    }

    /** A client that plays. The message of a queue pair leaves from the buffer of its index. */
    private final class Client {
        private final SrqPingPongEnd end;
        private final long rounds;
        private final int queuePairs;
        private final byte[] message = new byte[terms.bytes()];

        /** Number of the message that each queue pair has on its way, from 1. */
        private final long[] numbers;

        /** Events of each queue pair until its next message. */
        private final int[] pending;

        private long begun;
        private long arrived;
        private long sent;

        Client(SrqPingPongEnd end, long rounds, int queuePairs) {
            this.end = end;
            this.rounds = rounds;
            this.queuePairs = queuePairs;
            numbers = new long[queuePairs];
            pending = new int[queuePairs];
            new Random(message.length).nextBytes(message);
            PingPongGame.stamp(message, 0);
        }

        Score play() throws PeerException, InterruptedException {
            long start = System.nanoTime();
            for (int i = 0; i < queuePairs; i++) {
                end.write(i, message);
                sendUnlessDone(i);
            }
            while (arrived < rounds || sent < rounds) {
                Optional<Step> step = end.next(PingPongGame.LONGEST_SILENCE);
                take(step.orElseThrow(() -> silent(arrived)));
            }
            return new Score(rounds, rounds * message.length, System.nanoTime() - start);
        }

        private void sendUnlessDone(int queuePair) {
            if (begun < rounds) {
                begun++;
                numbers[queuePair] = begun;
                pending[queuePair] = 2;
                end.send(queuePair, queuePair, message.length);
            }
        }

        private void take(Step step) throws PeerException {
            switch (step) {
                case Arrived(var queuePair, var buffer, var bytes) -> {
                    compare(queuePair, buffer, bytes);
                    end.receive(buffer);
                    arrived++;
                    played.accept(arrived);
                    oneLess(queuePair);
                }
                case Sent(var queuePair, var buffer) -> {
                    sent++;
                    oneLess(queuePair);
                }
                case Gone gone ->
                    throw new PeerException("it does not acknowledge any more: a SEND ended with RETRY_EXC_ERR");
            }
        }

        private void oneLess(int queuePair) {
            pending[queuePair]--;
            if (pending[queuePair] == 0) {
                sendUnlessDone(queuePair);
            }
        }

        private void compare(int queuePair, int buffer, int bytes) throws PeerException {
            long number = numbers[queuePair];
            if (bytes != message.length) {
                throw new PeerException("message " + number + ": " + bytes + " bytes came back of " + message.length);
            }
            byte[] came = end.read(buffer, bytes);
            int wrong = Arrays.mismatch(message, came);
            if (wrong >= 0) {
                throw new PeerException("message %d of queue pair %d: byte %d came back as 0x%02x, sent was 0x%02x"
                        .formatted(number, queuePair, wrong, came[wrong], message[wrong]));
            }
        }
    }

    /**
     * Plays the server: sends each message back on its queue pair.
     *
     * @param name of the process that is started for it
     * @param rounds of all queue pairs; 0: until the client is silent for 5 s, or gone
     * @throws PeerException if the client says something else, or is silent too soon
     */
    public Score server(Exchange exchange, String name, long rounds) throws IOException, InterruptedException {
        List<QpAddress> client = exchange.hearAll();
        int buffers = RECEIVES_EACH * client.size();
        try (SrqPingPongEnd end = SrqPingPongEnd.open(station, terms, name, client.size(), buffers)) {
            for (int buffer = 0; buffer < buffers; buffer++) {
                end.receive(buffer);
            }
            connect(end, client);
            exchange.tellAll(end.addresses());
            exchange.hearDone();
            exchange.close();
            return new Server(end, rounds).play();
        }
    }

    /** A server that plays. */
    private final class Server {
        private final SrqPingPongEnd end;
        private final long rounds;
        private final long start = System.nanoTime();
        private long last = start;
        private long bytes;
        private long arrived;
        private long sent;
        private boolean gone;

        Server(SrqPingPongEnd end, long rounds) {
            this.end = end;
            this.rounds = rounds;
        }

        Score play() throws PeerException, InterruptedException {
            Optional<Step> step = end.next(PingPongGame.LONGEST_SILENCE);
            while (step.isPresent() && !isOver()) {
                take(step.get());
                step = isOver() ? step : end.next(longestSilence());
            }
            if (!isOver() && (arrived == 0 || rounds > 0)) {
                throw silent(arrived);
            }
            return new Score(arrived, bytes, last - start);
        }

        private boolean isOver() {
            return gone || rounds > 0 && arrived >= rounds && sent >= rounds;
        }

        private Duration longestSilence() {
            return rounds > 0 ? PingPongGame.LONGEST_SILENCE : PingPongGame.END_OF_CLIENT;
        }

        private void take(Step step) throws PeerException {
            last = System.nanoTime();
            switch (step) {
                case Arrived(var queuePair, var buffer, var length) -> {
                    arrived++;
                    bytes += length;
                    end.send(queuePair, buffer, length);
                    played.accept(arrived);
                }
                case Sent(var queuePair, var buffer) -> {
                    sent++;
                    end.receive(buffer);
                }
                case Gone left -> leave();
            }
        }

        /** A client that has had all of its rounds leaves, even if another answer is on its way. */
        private void leave() throws PeerException {
            if (rounds > 0 && arrived < rounds) {
                throw new PeerException("it does not acknowledge any more: a SEND ended with RETRY_EXC_ERR");
            }
            gone = true;
        }
    }
}
