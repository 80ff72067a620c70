// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Arrived;
import org.hcaactors.cli.gateway.SrqPingPongEnd.Sent;
import org.hcaactors.lab.pair.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ping-pongs of both ends of ibv_srq_pingpong's protocol, over a cable. */
class SrqPingPongGameTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final PingPongTerms TERMS = new PingPongTerms(Transport.RC, PathMtu.BYTES_1024, 2000);

    private final Stations stations = Stations.open();

    @AfterEach
    void close() {
        stations.close();
    }

    private interface Server {
        void serve(Exchange exchange) throws Exception;
    }

    private interface Client {
        void play(Exchange exchange) throws Exception;
    }

    private void play(Server server, Client client) throws Exception {
        try (TcpService.Port port =
                TcpService.Port.open(new InetSocketAddress(stations.server().address(), 0))) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Exchange exchange = port.next()) {
                    server.serve(exchange);
                } catch (Exception failed) {
                    throw new CompletionException(failed);
                }
            });
            InetSocketAddress at = new InetSocketAddress(
                    stations.server().address(), port.socket().getLocalPort());
            try (Exchange exchange = Exchange.connect(at)) {
                client.play(exchange);
            } finally {
                assertThat(served).succeedsWithin(TIMEOUT);
            }
        }
    }

    private SrqPingPongGame game(Station station) {
        return new SrqPingPongGame(station, TERMS, both -> {}, played -> {});
    }

    @ParameterizedTest
    @CsvSource({"16, 200", "1, 10", "5, 3", "255, 300"})
    void bothEndsOfOursPlayTheRounds(int queuePairs, long rounds) throws Exception {
        play(
                exchange -> {
                    PingPongGame.Score score = game(stations.server()).server(exchange, "server", rounds);
                    assertThat(score.rounds()).isEqualTo(rounds);
                    assertThat(score.bytes()).isEqualTo(2000 * rounds);
                },
                exchange -> assertThat(game(stations.client())
                                .client(exchange, rounds, queuePairs)
                                .rounds())
                        .isEqualTo(rounds));
    }

    @Test
    @Tag("judge")
    void aServerWithoutRoundsEndsWhenTheClientIsGone() throws Exception {
        play(
                exchange -> assertThat(game(stations.server())
                                .server(exchange, "server", 0)
                                .rounds())
                        .isEqualTo(50),
                exchange -> game(stations.client()).client(exchange, 50, 4));
    }

    /** Answers the message of each queue pair with what another queue pair has sent, as a server with one buffer may. */
    private void crossed(Exchange exchange) throws Exception {
        List<QpAddress> client = exchange.hearAll();
        try (SrqPingPongEnd end = SrqPingPongEnd.open(stations.server(), TERMS, "server", client.size(), 4)) {
            for (int buffer = 0; buffer < 4; buffer++) {
                end.receive(buffer);
            }
            end.connect(client);
            exchange.tellAll(end.addresses());
            exchange.hearDone();
            List<Arrived> arrived = new ArrayList<>();
            while (arrived.size() < 2) {
                arrived.add((Arrived) end.next(TIMEOUT).orElseThrow());
            }
            Arrived first = arrived.getFirst();
            Arrived second = arrived.getLast();
            end.send(first.queuePair(), second.buffer(), second.bytes());
            end.send(second.queuePair(), first.buffer(), first.bytes());
            for (int sent = 0; sent < 2; ) {
                sent += end.next(TIMEOUT).orElseThrow() instanceof Sent ? 1 : 0;
            }
        }
    }

    @Test
    void aServerMayAnswerFromOneBufferForAllQueuePairs() throws Exception {
        play(
                this::crossed,
                exchange -> assertThat(
                                game(stations.client()).client(exchange, 2, 2).rounds())
                        .isEqualTo(2));
    }

    /** Sends messages back as ibv_srq_pingpong does, the third one changed. */
    private void echo(Exchange exchange, int change, int bytes) throws Exception {
        List<QpAddress> client = exchange.hearAll();
        try (SrqPingPongEnd end = SrqPingPongEnd.open(stations.server(), TERMS, "server", client.size(), 8)) {
            for (int buffer = 0; buffer < 8; buffer++) {
                end.receive(buffer);
            }
            end.connect(client);
            exchange.tellAll(end.addresses());
            exchange.hearDone();
            for (int arrived = 0; arrived < 3; ) {
                if (end.next(TIMEOUT).orElseThrow() instanceof Arrived(var queuePair, var buffer, var length)) {
                    arrived++;
                    byte[] message = end.read(buffer, length);
                    message[1500] += (byte) (arrived == 3 ? change : 0);
                    end.write(buffer, message);
                    end.send(queuePair, buffer, arrived == 3 ? bytes : length);
                }
            }
            for (int sent = 0; sent == 0; ) {
                sent += end.next(TIMEOUT).orElseThrow() instanceof Sent ? 1 : 0;
            }
        }
    }

    @Test
    void theClientComparesEveryByteThatComesBack() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(
                        exchange -> echo(exchange, 1, 2000),
                        exchange -> game(stations.client()).client(exchange, 20, 2)))
                .withMessageMatching("message \\d+ of queue pair [01]: byte 1500 came back as 0x.., sent was 0x..");
    }

    @Test
    void theClientComparesTheLength() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(
                        exchange -> echo(exchange, 0, 1999),
                        exchange -> game(stations.client()).client(exchange, 20, 2)))
                .withMessageMatching("message \\d+: 1999 bytes came back of 2000");
    }

    @Test
    void theTextIsThatOfTheClassicProgram() throws Exception {
        List<String> texts = new ArrayList<>();
        play(
                exchange -> {
                    texts.add(new String(exchange.read(256 * 52), US_ASCII));
                    exchange.tellAll(Collections.nCopies(
                            3, QpAddress.of(stations.server().adapter().gid(), 0x1A, 7)));
                },
                exchange -> assertThatExceptionOfType(PeerException.class)
                        .isThrownBy(() -> game(stations.client()).client(exchange, 1, 2))
                        .withMessage("it has 3 queue pairs; 2 are needed, the same number at both ends"));
        assertThat(texts.getFirst())
                .matches("(0000:\\p{XDigit}{6}:\\p{XDigit}{6}:0{20}ffff7f000003\0){2}(0000:0{6}:0{6}:0{32}\0){254}");
    }

    @Test
    void aClientWithoutQueuePairsIsRefused() throws Exception {
        play(
                exchange -> assertThatExceptionOfType(PeerException.class)
                        .isThrownBy(() -> game(stations.server()).server(exchange, "server", 1))
                        .withMessage("it has no queue pairs"),
                exchange -> exchange.tellAll(List.of()));
    }
}
