// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server of perftest's programs with a client of ours, over a cable. */
class PerftestServerTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int BYTES = 3000;

    private final Stations stations = Stations.open();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        stations.close();
    }

    private interface Play {
        void with(ScriptedPerftest client) throws IOException;
    }

    private interface Visit {
        void at(InetSocketAddress server) throws IOException;
    }

    /** Starts a server and one client. Returns the last line, which tells what became of it. */
    private String visited(PerftestTool tool, Transport transport, int bytes, Visit visit) throws Exception {
        InetSocketAddress any = new InetSocketAddress(stations.server().address(), 0);
        try (Clients clients = new Clients(event -> lines.add(event.line()), 1);
                TcpService service = TcpService.perftest(
                        any, clients, stations.server(), new PerftestTerms(tool, transport, bytes))) {
            visit.at(at(any, service));
            clients.await(TIMEOUT);
        }
        return lines.getLast();
    }

    private String played(PerftestTool tool, Transport transport, int bytes, Play play) throws Exception {
        return visited(tool, transport, bytes, server -> {
            try (ScriptedPerftest client = new ScriptedPerftest(stations.client(), server, transport)) {
                play.with(client);
            }
        });
    }

    @Test
    void writtenBytesAreReadBack() throws Exception {
        String end = played(PerftestTool.WRITE_BW, Transport.RC, BYTES, client -> {
            byte[] random = new byte[BYTES];
            new Random(1).nextBytes(random);
            client.side.memory().write(0, random);
            assertThat(client.run(RdmaWrite.of(1, client.side.slice(0, BYTES), client.memory)
                            .withSignaled()))
                    .isEqualTo(Status.SUCCESS);
            assertThat(client.run(RdmaRead.of(2, client.side.slice(ScriptedPerftest.AREA, BYTES), client.memory)
                            .withSignaled()))
                    .isEqualTo(Status.SUCCESS);
            assertThat(client.side.memory().read(ScriptedPerftest.AREA, BYTES)).isEqualTo(random);
            client.report(BYTES, 1, 7.5);
        });
        assertThat(end)
                .isEqualTo("client 1   ended: write_bw, the client reports 1 iterations of 3000 bytes, 7.50 MB/s");
        assertThat(lines).contains("client 1   perftest 6.06, MTU 1024");
    }

    @Test
    void atomicsAreExecutedOnce() throws Exception {
        String end = played(PerftestTool.ATOMIC_BW, Transport.RC, 8, client -> {
            for (long before = 0; before < 100; before++) {
                assertThat(client.run(FetchAdd.of(1, client.side.slice(0, 8), client.memory, 1)
                                .withSignaled()))
                        .isEqualTo(Status.SUCCESS);
                assertThat(client.side.memory().readLong(0)).isEqualTo(before);
            }
            client.report(8, 100, 1);
        });
        assertThat(end).startsWith("client 1   ended: atomic_bw, the client reports 100 iterations of 8 bytes");
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"RC", "UC", "UD"})
    void messagesAreCountedOverEveryTransport(Transport transport) throws Exception {
        // More than the server's receives; unreliable ones must all find a place in the buffers of the system.
        int messages = transport == Transport.RC ? 600 : 100;
        String end = played(PerftestTool.SEND_BW, transport, 1000, client -> {
            client.shake();
            for (int i = 0; i < messages; i++) {
                assertThat(client.run(Send.of(i, client.side.slice(0, 1000)).withSignaled()))
                        .isEqualTo(Status.SUCCESS);
            }
            await().untilAsserted(
                            () -> assertThat(stations.server().cableCounters().get("rx_packets"))
                                    .isGreaterThanOrEqualTo(messages));
            client.done();
        });
        assertThat(end).isEqualTo("client 1   ended: send_bw, " + messages + " messages arrived");
    }

    @Test
    void eachMessageOfALatencyTestIsAnswered() throws Exception {
        String end = played(PerftestTool.SEND_LAT, Transport.RC, 100, client -> {
            client.shake();
            for (int i = 0; i < 50; i++) {
                client.end.postReceive(Receive.of(7, client.side.slice(ScriptedPerftest.AREA, 100)));
                client.end.post(Send.of(i, client.side.slice(0, 1 + i)).withSignaled());
                assertThat(List.of(client.next(), client.next()))
                        .allMatch(WorkCompletion::isSuccess)
                        .filteredOn(each -> each.kind() == CompletionKind.RECV)
                        .extracting(WorkCompletion::lengthBytes)
                        .containsExactly(1L + i);
            }
            client.done();
        });
        assertThat(end).isEqualTo("client 1   ended: send_lat, 50 messages arrived");
    }

    private static void awaitNumber(ScriptedPerftest client, byte number) {
        await().pollInterval(Duration.ofNanos(100_000))
                .until(() -> client.side.memory().read(ScriptedPerftest.AREA + 1, 1)[0] == number);
    }

    @Test
    void theServerWritesFirstAndThenInTurns() throws Exception {
        String end = played(PerftestTool.WRITE_LAT, Transport.RC, 2, client -> {
            client.shake();
            client.shake();
            assertThat(client.side.memory().read(ScriptedPerftest.AREA + 1, 1)).containsExactly(0);
            client.shake();
            for (int i = 1; i <= 300; i++) {
                byte number = (byte) i;
                awaitNumber(client, number);
                client.side.memory().write(1, new byte[] {number});
                assertThat(client.run(RdmaWrite.of(1, client.side.slice(0, 2), client.memory)
                                .withSignaled()))
                        .isEqualTo(Status.SUCCESS);
            }
            awaitNumber(client, (byte) 301);
            client.done();
        });
        assertThat(end).isEqualTo("client 1   ended: write_lat, 300 messages arrived");
    }

    @Test
    void theEndOfTheServiceStopsAClientThatIsServed() throws Exception {
        InetSocketAddress any = new InetSocketAddress(stations.server().address(), 0);
        PerftestTerms terms = new PerftestTerms(PerftestTool.READ_BW, Transport.RC, BYTES);
        try (Clients clients = new Clients(event -> lines.add(event.line()), 1);
                TcpService service = TcpService.perftest(any, clients, stations.server(), terms);
                ScriptedPerftest client = new ScriptedPerftest(stations.client(), at(any, service), Transport.RC)) {
            client.shake();
            clients.close();
        }
        assertThat(lines).last().isEqualTo("client 1   stopped: the service ends");
    }

    private static InetSocketAddress at(InetSocketAddress any, TcpService service) {
        String place = service.place();
        return new InetSocketAddress(any.getAddress(), Integer.parseInt(place.substring(place.lastIndexOf(' ') + 1)));
    }

    @Test
    void everyCommonPointInTimeHasTheSameKeys() throws Exception {
        played(PerftestTool.READ_BW, Transport.RC, BYTES, client -> {
            PerftestKeys first = client.shake();
            assertThat(client.shake()).isEqualTo(first);
            assertThat(first.memory()).isEqualTo(client.memory);
            client.done();
        });
        assertThat(lines).filteredOn(line -> line.contains("QPN")).hasSize(1);
    }

    @Test
    void aWriteBeyondTheMemoryIsRefused() throws Exception {
        String end = played(
                PerftestTool.WRITE_BW,
                Transport.RC,
                BYTES,
                client -> assertThat(
                                client.run(RdmaWrite.of(1, client.side.slice(0, BYTES), client.memory.plus(1 << 16))
                                        .withSignaled()))
                        .isEqualTo(Status.REM_ACCESS_ERR));
        assertThat(end).isEqualTo("client 1   ended: write_bw");
    }

    private String said(byte[]... parts) throws Exception {
        return visited(PerftestTool.SEND_BW, Transport.RC, BYTES, server -> {
            try (Exchange exchange = Exchange.connect(server)) {
                for (byte[] part : parts) {
                    exchange.write(part);
                    exchange.readUnlessEnded(part.length);
                }
            }
        });
    }

    private static byte[] version(String text) {
        return Arrays.copyOf(text.getBytes(US_ASCII), 16);
    }

    @Test
    void anOldVersionIsRefused() throws Exception {
        assertThat(said(version("5.69"))).isEqualTo("client 1   failed: it sent no version of perftest from 5.70 on");
        assertThat(said(version("GET /"))).isEqualTo("client 1   failed: it sent no version of perftest from 5.70 on");
    }

    @Test
    void hugePagesAreRefused() throws Exception {
        assertThat(said(version("6.06"), ByteBuffer.allocate(4).putInt(-1).array()))
                .isEqualTo("client 1   failed: its pages have -1 bytes; 1 to 2097152 are allowed");
    }

    @Test
    void aWrongMtuIsRefused() throws Exception {
        byte[] size = ByteBuffer.allocate(4).putInt(64).array();
        assertThat(said(version("6.06"), size, size, new byte[] {'9', 0}))
                .isEqualTo("client 1   failed: it sent no MTU");
    }

    @Test
    void keysOfAStrangerAreRefused() throws Exception {
        byte[] size = ByteBuffer.allocate(4).putInt(64).array();
        String keys =
                "0000:0010:00001a:0a1b2c:00001234:00007f0012345000:00:00:00:00:00:00:00:00:00:00:ff:ff:7f:00:00:09:00000000:";
        assertThat(said(version("6.06"), size, size, new byte[] {'3', 0}, Arrays.copyOf(keys.getBytes(US_ASCII), 108)))
                .isEqualTo(
                        "client 1   failed: its GID ::ffff:127.0.0.9 is that of no peer of the cable; there are 127.0.0.3");
    }
}
