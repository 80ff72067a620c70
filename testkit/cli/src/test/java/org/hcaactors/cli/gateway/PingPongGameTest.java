// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.lab.pair.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client of a ping-pong with servers that do something else, each of them with the bytes of the classic protocol. */
class PingPongGameTest {
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

    /** Plays the client, for 3 rounds, with a server that is a program of its own. */
    private PingPongGame.Score play(Server server) throws Exception {
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
                return new PingPongGame(stations.client(), TERMS, both -> {}, played -> {}).client(exchange, 3);
            } finally {
                assertThat(served).succeedsWithin(TIMEOUT);
            }
        }
    }

    /** Sends each message back as ibv_rc_pingpong does, after a change to some. */
    private void echo(Exchange exchange, int wrongRound, int bytes) throws Exception {
        try (PingPongEnd end = PingPongEnd.open(stations.server(), TERMS, "server")) {
            byte[] theirs = exchange.read(52);
            assertThat(new String(theirs, US_ASCII)).matches("0000:\\p{XDigit}{6}:\\p{XDigit}{6}:0{20}ffff7f000003\0");
            end.connect(QpAddress.decode(theirs));
            exchange.tell(end.address());
            assertThat(exchange.read(5)).isEqualTo("done\0".getBytes(US_ASCII));
            for (int round = 1; round <= wrongRound; round++) {
                int length = end.await(TIMEOUT).orElseThrow();
                byte[] message = end.read(0, length);
                message[1999] += (byte) (round == wrongRound ? 1 : 0);
                end.write(1, message);
                end.receive(0);
                end.send(1, round == wrongRound ? bytes : length);
            }
            end.awaitSent(TIMEOUT);
        }
    }

    @Test
    void theClientComparesEveryByteThatComesBack() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(exchange -> echo(exchange, 3, 2000)))
                .withMessageMatching("round 3: byte 1999 came back as 0x.., sent was 0x..");
    }

    @Test
    void theClientComparesTheLength() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(exchange -> echo(exchange, 2, 1999)))
                .withMessage("round 2: 1999 bytes came back of 2000");
    }

    @Test
    void aServerOfAnotherProtocolIsRefused() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(exchange -> exchange.write(new byte[52])))
                .withMessageStartingWith("it sent no address of a queue pair");
    }

    @Test
    void aServerThatHangsUpIsTold() {
        assertThatExceptionOfType(PeerException.class)
                .isThrownBy(() -> play(exchange -> exchange.read(52)))
                .withMessage("it closed the TCP connection after 0 of 52 bytes");
    }

    @Test
    void bothEndsOfOursCountTheSame() throws Exception {
        CompletableFuture<PingPongGame.Score> server = new CompletableFuture<>();
        PingPongGame.Score client = play(exchange -> server.complete(
                new PingPongGame(stations.server(), TERMS, both -> {}, played -> {}).server(exchange, "server", 3)));
        assertThat(server).succeedsWithin(TIMEOUT).satisfies(score -> {
            assertThat(score.rounds()).isEqualTo(client.rounds()).isEqualTo(3);
            assertThat(score.bytes()).isEqualTo(client.bytes()).isEqualTo(6000);
        });
    }
}
