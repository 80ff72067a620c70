// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Measurements of {@code hca perf --via}, whose other end is {@code hca gateway} or the same command. */
class PerfAcrossCableTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path folder;

    private final int udp = FreePorts.udp();

    private RunningCommand gateway(String test, String more) {
        return RunningCommand.of("gateway --local 127.0.0.2 --peer 127.0.0.3 --port " + udp
                + " --for 5m --listen 0 --clients 1 --serve perftest --test " + test + " " + more);
    }

    private CommandRun client(int tcp, String more) {
        return CommandRun.of(
                (more + " --via 127.0.0.3 --peer 127.0.0.2 --port " + udp + " --connect 127.0.0.2:" + tcp).split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "send_bw, -n 300 -s 3000, 'send_bw, 300 messages arrived'",
        "write_bw, -n 300 -s 3000, 'write_bw, the client reports 300 iterations of 3000 bytes, '",
        "read_bw, -n 300 -s 3000, 'read_bw, the client reports 300 iterations of 3000 bytes, '",
        "atomic_bw, -n 300, 'atomic_bw, the client reports 300 iterations of 8 bytes, '"
    })
    void ratesArePrintedAsPerftestPrintsThem(String test, String options, String served) throws InterruptedException {
        RunningCommand gateway = gateway(test, "");
        CommandRun client = client(gateway.port(), "perf " + test + " " + options);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out())
                .contains("perftest 6.06, MTU 4096", "QPN 0x", "BW average[MiB/sec]")
                .containsPattern("\n \\d+ +300 +[\\d.]+ +[\\d.]+ +[\\d.]+ *\n");
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out()).contains("client 1   ended: " + served);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_lat", "write_lat", "read_lat", "atomic_lat"})
    void timesArePrintedAsPerftestPrintsThem(String test) throws InterruptedException {
        RunningCommand gateway = gateway(test, "");
        CommandRun client = client(gateway.port(), "perf " + test + " -n 300");
        assertThat(client.status()).as(client.err()).isZero();
        int times = test.equals("write_lat") ? 299 : 300;
        assertThat(client.out()).contains("t_typical[usec]").containsPattern("\n \\d +" + times + " +[\\d.]+ +");
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out()).contains("client 1   ended: " + test);
    }

    @ParameterizedTest
    @CsvSource({"uc, write_bw", "ud, send_bw", "uc, write_lat", "ud, send_lat"})
    void unreliableTransportsAreMeasured(String transport, String test) throws InterruptedException {
        RunningCommand gateway = gateway(test, "--transport " + transport);
        // So few that none is lost: they have no flow control.
        CommandRun client = client(gateway.port(), "perf " + test + " -n 30 --json -s 2 --transport " + transport);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).contains("\"transport\":\"" + transport + "\"");
        assertThat(gateway.end().status()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_bw -q 3", "read_bw", "write_lat", "atomic_lat"})
    void queuePairsConnectByCommunicationManagement(String line) throws InterruptedException {
        String test = line.split(" ")[0];
        RunningCommand gateway = RunningCommand.of("gateway --local 127.0.0.2 --peer 127.0.0.3 --port " + udp
                + " --for 5m --clients 1 --serve perftest --rdma-cm --test " + test);
        gateway.line("adapter's port 18515");
        CommandRun client = CommandRun.of(("perf " + line + " -n 100 -s 8 -R --via 127.0.0.3 --peer 127.0.0.2 --port "
                        + udp + " --connect 127.0.0.2")
                .replace("-s 8", test.equals("write_lat") ? "-s 2" : "-s 8")
                .split(" "));
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).contains("perftest 6.06, MTU 4096").containsPattern("\n 8 |\n 2 ");
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out()).contains("client 1   ended: " + test);
    }

    @Test
    void aServerThatIsNotThereIsRefusedInOneLine() {
        CommandRun run = CommandRun.of(
                ("perf send_bw -R --via 127.0.0.3 --peer 127.0.0.2 --port " + udp + " --connect 127.0.0.2:7000")
                        .split(" "));
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).startsWith("hca: --connect 127.0.0.2:7000: ").hasLineCount(1);
    }

    @Test
    void severalQueuePairsAreMeasuredTogether() throws Exception {
        RunningCommand gateway = gateway("write_bw", "");
        CommandRun client = client(gateway.port(), "perf write_bw -n 100 -q 5 -s 1000 -m 1024 --json");
        assertThat(client.status()).as(client.err()).isZero();
        JsonNode result = MAPPER.readTree(client.out().lines().toList().getLast());
        assertThat(result.path("event").asText()).isEqualTo("result");
        assertThat(result.path("iterations").asInt()).isEqualTo(500);
        assertThat(result.path("mebibytesPerSecond").asDouble()).isPositive();
        assertThat(gateway.end().out()).contains("MTU 1024").contains("100 iterations of 1000 bytes");
    }

    @Test
    void perfIsTheServerToo() throws Exception {
        RunningCommand server =
                RunningCommand.of("perf read_bw --via 127.0.0.2 --peer 127.0.0.3 --port " + udp + " --listen 0 --json");
        int tcp = MAPPER.readTree(server.line("\"start\"")).path("listen").asInt();
        assertThat(client(tcp, "perf read_bw -n 50 -s 1000").status()).isZero();
        CommandRun end = server.end();
        assertThat(end.status()).as(end.err()).isZero();
        JsonNode result = MAPPER.readTree(end.out().lines().toList().getLast());
        assertThat(result.path("event").asText()).isEqualTo("result");
        assertThat(result.path("iterations").asInt()).isEqualTo(50);
        assertThat(result.path("megabytesPerSecond").asDouble()).isPositive();
    }

    @Test
    void lostPacketsAreSentAgainWhileItMeasures() throws Exception {
        Path plan = Files.writeString(folder.resolve("loss.conf"), "faults = [ { drop { every = 50 } } ]");
        RunningCommand gateway = gateway("atomic_bw", "");
        CommandRun client = client(gateway.port(), "perf atomic_bw -n 200 --faults " + plan);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).containsPattern("fault +drop .*: [1-9]\\d* times");
        assertThat(gateway.end().out()).contains("200 iterations of 8 bytes");
    }

    @Test
    void aMessageLongerThanTheServersIsTold() throws InterruptedException {
        RunningCommand gateway = gateway("send_bw", "-s 4096");
        CommandRun client = client(gateway.port(), "perf send_bw -n 10 -s 4097");
        assertThat(client.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(client.err()).isEqualTo("hca: the other end: a request ended with REM_INV_REQ_ERR\n");
        assertThat(gateway.end().status()).isEqualTo(Hca.NOT_AS_EXPECTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 400 Bad | it sent no version of perftest from 5.70 on",
                "4.5             | it sent no version of perftest from 5.70 on",
                "6.06            | it closed the TCP connection after 0 of 4 bytes"
            })
    void aServerThatIsNoPerftestIsTold(String says, String told) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answer(server, says));
            CommandRun client = client(server.getLocalPort(), "perf send_bw");
            assertThat(client.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
            assertThat(client.err()).isEqualTo("hca: the other end: " + told + "\n");
            assertThat(answered).isCompleted();
        }
    }

    private static void answer(ServerSocket server, String text) {
        try (Socket client = server.accept()) {
            client.getInputStream().readNBytes(16);
            client.getOutputStream().write(Arrays.copyOf(text.getBytes(US_ASCII), 16));
            client.getInputStream().readNBytes(4);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
