// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The classic example across a cable, in the protocol of ibv_rc_pingpong, ibv_uc_pingpong and ibv_ud_pingpong. The client sends
 * messages; the server, ours or theirs, sends each one back.
 *
 * @param introduced told both addresses, before the first message
 * @param played told the number of rounds after each
 */
public record PingPongGame(
        Station station, PingPongTerms terms, Consumer<Introduction> introduced, LongConsumer played) {
    /** Bytes at multiples of it are 0, which a classic server started with -c checks. */
    private static final int PAGE_BYTES = 4096;

    /** Time without any message after which a client that names no number of rounds has ended. */
    static final Duration END_OF_CLIENT = Duration.ofSeconds(5);

    static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private static final int OUT = 1;
    private static final int IN = 0;

    /** The addresses of both queue pairs. */
    public record Introduction(QpAddress local, QpAddress remote) {}

    /**
     * Result of a game.
     *
     * @param rounds messages in each direction
     * @param bytes of all messages in one direction
     */
    public record Score(long rounds, long bytes, long nanos) {
        Outcome outcome() {
            double seconds = nanos / 1e9;
            return Outcome.of("%d messages, %d bytes each way in %.3f s".formatted(rounds, bytes, seconds))
                    .with("messages", rounds)
                    .with("bytes", bytes)
                    .with("seconds", seconds);
        }
    }

    /**
     * Plays the client: sends other bytes in each round, and compares what comes back.
     *
     * @throws PeerException if the server is silent, breaks off, or sends other bytes back
     */
    public Score client(Exchange exchange, long rounds) throws IOException, InterruptedException {
        try (PingPongEnd end = PingPongEnd.open(station, terms, "client")) {
            exchange.tell(end.address());
            QpAddress server = exchange.hear();
            end.connect(server);
            introduced.accept(new Introduction(end.address(), server));
            exchange.tellDone();
            long start = System.nanoTime();
            byte[] message = new byte[terms.bytes()];
            new Random(terms.bytes()).nextBytes(message);
            for (long round = 1; round <= rounds; round++) {
                stamp(message, round);
                end.write(OUT, message);
                end.send(OUT, message.length);
                compare(message, end, round);
                if (round < rounds) {
                    end.receive(IN);
                }
                played.accept(round);
            }
            return new Score(rounds, rounds * terms.bytes(), System.nanoTime() - start);
        }
    }

    /** Writes a number over the first bytes, and 0 where a classic server checks it. */
    static void stamp(byte[] message, long round) {
        for (int at = 1; at < Math.min(message.length, 1 + Long.BYTES); at++) {
            message[at] = (byte) (round >>> Byte.SIZE * (at - 1));
        }
        for (int at = 0; at < message.length; at += PAGE_BYTES) {
            message[at] = 0;
        }
    }

    private static void compare(byte[] sent, PingPongEnd end, long round) throws PeerException, InterruptedException {
        int length = orSilent(end.await(LONGEST_SILENCE), round - 1);
        if (length != sent.length) {
            throw new PeerException("round " + round + ": " + length + " bytes came back of " + sent.length);
        }
        byte[] came = end.read(IN, length);
        int wrong = Arrays.mismatch(sent, came);
        if (wrong >= 0) {
            throw new PeerException("round %d: byte %d came back as 0x%02x, sent was 0x%02x"
                    .formatted(round, wrong, came[wrong], sent[wrong]));
        }
    }

    private static int orSilent(OptionalInt length, long rounds) throws PeerException {
        return length.orElseThrow(() -> new PeerException("nothing arrives any more: " + LONGEST_SILENCE.toSeconds()
                + " s of silence after " + rounds + " rounds"));
    }

    /**
     * Plays the server: sends each message back.
     *
     * @param name of the process that is started for it
     * @param rounds their number; 0: until the client is silent for 5 s
     * @throws PeerException if the client says something else, or is silent too soon
     */
    public Score server(Exchange exchange, String name, long rounds) throws IOException, InterruptedException {
        try (PingPongEnd end = PingPongEnd.open(station, terms, name)) {
            QpAddress client = exchange.hear();
            end.connect(client);
            introduced.accept(new Introduction(end.address(), client));
            exchange.tell(end.address());
            exchange.hearDone();
            exchange.close();
            return rounds > 0 ? echo(end, rounds) : echo(end);
        }
    }

    private Score echo(PingPongEnd end, long rounds) throws PeerException, InterruptedException {
        long start = System.nanoTime();
        long bytes = 0;
        for (long round = 1; round <= rounds; round++) {
            int length = orSilent(end.await(LONGEST_SILENCE), round - 1);
            bytes += length;
            sendBack(end, round, length, round < rounds);
        }
        end.awaitSent(LONGEST_SILENCE);
        return new Score(rounds, bytes, System.nanoTime() - start);
    }

    private Score echo(PingPongEnd end) throws PeerException, InterruptedException {
        long start = System.nanoTime();
        long last = start;
        long bytes = 0;
        long round = 0;
        OptionalInt length = OptionalInt.of(orSilent(end.await(LONGEST_SILENCE), 0));
        while (length.isPresent()) {
            round++;
            bytes += length.getAsInt();
            sendBack(end, round, length.getAsInt(), true);
            last = System.nanoTime();
            length = end.await(END_OF_CLIENT);
        }
        return new Score(round, bytes, last - start);
    }

    private void sendBack(PingPongEnd end, long round, int length, boolean another) {
        int arrived = (int) ((round - 1) % 2);
        if (another) {
            end.receive(1 - arrived);
        }
        end.send(arrived, length);
        played.accept(round);
    }
}
