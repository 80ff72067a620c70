// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.gateway.NvmeHost;
import org.hcaactors.cli.gateway.RpingClient;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.cli.gateway.UcmatoseClient;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.flow.TraceSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ping-pongs of {@code hca gateway} and {@code hca pingpong --via}, over UDP on loopback addresses. */
class GatewayCommandTest {
    private static final String SERVER = "127.0.0.2";
    private static final String CLIENT = "127.0.0.3";

    /** Refuses each byte, as a full disk does. */
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    private final int udp = FreePorts.udp();

    private RunningCommand gateway(String more) {
        return serving("pingpong --listen 0 " + more);
    }

    private RunningCommand serving(String tool) {
        return RunningCommand.of(
                "gateway --local " + SERVER + " --peer " + CLIENT + " --port " + udp + " --for 5m --serve " + tool);
    }

    private CommandRun client(int tcp, String more) {
        return CommandRun.of(("pingpong --via " + CLIENT + " --peer " + SERVER + " --port " + udp + " --connect "
                        + SERVER + ":" + tcp + " " + more)
                .split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "uc", "ud"})
    void aClientPlaysOverEveryTransportOfTheClassicTools(String transport) throws InterruptedException {
        RunningCommand gateway = gateway("--clients 1 -n 100 --transport " + transport);
        CommandRun client = client(gateway.port(), "-n 100 -s 1000 --transport " + transport);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).contains("local  address: QPN 0x", "GID ::ffff:127.0.0.2", "200000 bytes in");
        CommandRun served = gateway.end();
        assertThat(served.status()).as(served.out()).isZero();
        assertThat(served.out())
                .contains(
                        "client 1   QPN 0x", "client 1   ended: 100 messages, 100000 bytes each way in ", "tx_packets ")
                .doesNotContain("rx_icrc_bad");
    }

    @Test
    void queuePairsWithASharedReceiveQueueAreServed() throws InterruptedException {
        RunningCommand gateway = gateway("--clients 1 -n 100 --transport srq");
        CommandRun client = client(gateway.port(), "-n 100 -s 1000 --transport srq -q 5");
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).contains("200000 bytes in");
        assertThat(client.out().lines().filter(line -> line.contains("remote address: QPN 0x")))
                .hasSize(5);
        CommandRun served = gateway.end();
        assertThat(served.status()).as(served.out()).isZero();
        assertThat(served.out()).contains("client 1   ended: 100 messages, 100000 bytes each way in ");
    }

    @Test
    void clientsWithMessagesOfAllLengthsAreServedByOneGateway() throws InterruptedException {
        int[] lengths = {0, 1, 4096, 4097, 300_000};
        RunningCommand gateway = gateway("-m 4096 -n 20 --clients " + lengths.length);
        int tcp = gateway.port();
        for (int length : lengths) {
            CommandRun client = client(tcp, "-m 4096 -n 20 -s " + length);
            assertThat(client.status()).as(client.err()).isZero();
        }
        assertThat(gateway.end().out()).contains("client 5   ended: 20 messages, 6000000 bytes each way");
    }

    @Test
    void aGatewayWithoutRoundsServesUntilTheClientIsSilent() throws InterruptedException {
        RunningCommand gateway = gateway("--clients 1");
        assertThat(client(gateway.port(), "-n 7 -s 10").status()).isZero();
        assertThat(gateway.end().out()).contains("client 1   ended: 7 messages, 70 bytes each way");
    }

    @Test
    void pingpongIsTheServerToo() throws InterruptedException {
        RunningCommand server = RunningCommand.of(
                "pingpong --via " + SERVER + " --peer " + CLIENT + " --port " + udp + " --listen 0 -n 50 -s 5000");
        CommandRun client = client(server.port(), "-n 50 -s 5000 --json");
        assertThat(client.out()).contains("\"bytes\":500000,\"iters\":50,\"virtualTime\":false");
        CommandRun end = server.end();
        assertThat(end.status()).as(end.err()).isZero();
        assertThat(end.out()).contains("500000 bytes in").contains("remote address: QPN 0x");
    }

    @Test
    void aReportHasAllCountersOfTheCableAndThoseOfTheAdapter() throws InterruptedException {
        RunningCommand gateway = gateway("--clients 1 -s 100 -n 5 --report");
        assertThat(client(gateway.port(), "-n 5 -s 101").status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(gateway.end().out())
                .containsPattern("\\nrx_icrc_bad +0  packets")
                .containsPattern("\\ntx_refused +0  packets")
                .containsPattern("\\nresp_local_length_error +1  messages of peers");
    }

    @Test
    void aMessageLongerThanTheBufferEndsBothEnds() throws InterruptedException {
        RunningCommand gateway = gateway("--clients 1 -s 100 -n 5");
        CommandRun client = client(gateway.port(), "-n 5 -s 101");
        assertThat(client.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(client.err()).isEqualTo("hca: the other end: a request ended with REM_INV_REQ_ERR\n");
        CommandRun served = gateway.end();
        assertThat(served.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(served.out()).contains("client 1   failed: it sent a message of more than 100 bytes");
    }

    @Test
    void aCaptureAndARecordedRunInOneFileAreRefused() {
        Path both = folder.resolve("both");
        CommandRun run = gateway("--capture " + both + " --record " + both).end();
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err())
                .startsWith("hca: --capture and --record both name " + both + "; each requires a file of its own")
                .hasLineCount(1);
    }

    /** An end is gone after its last message, and would not repeat a lost acknowledgement: so the faults strike before. */
    @Test
    void faultsStrikeInBothDirectionsAndRcRepairsThem() throws Exception {
        Path plan = folder.resolve("faults.conf");
        Files.writeString(plan, """
                faults = [
                  { drop { from = hca, nth = 4 } }, { drop { from = cable, nth = 9 } }
                  { delay { by = 1ms, from = cable, every = 5 } }, { corrupt { where = PAYLOAD, from = hca, nth = 11 } }
                ]
                """);
        RunningCommand gateway = gateway("--clients 1 -n 12 --fault-seed 3 --faults " + plan);
        CommandRun client = client(gateway.port(), "-n 12 -s 3000");
        assertThat(client.status()).as(client.err()).isZero();
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out())
                .containsPattern("\nfault      drop .*hca.*: [1-9]\\d* times\n")
                .containsPattern("\nfault      drop .*cable.*: [1-9]\\d* times\n")
                .containsPattern("\nfault      delay .*: [1-9]\\d* times\n")
                .containsPattern("\nfault      corrupt .*: [1-9]\\d* times\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "faults = [ { kill { at = 0, adapter = hca, process = a } } ] | requires a world",
                "faults = [ { drip { every = 2 } } ] | drip",
                "nothing = 1 | faults: is missing"
            })
    void aPlanWithOtherFaultsIsRefusedInOneLine(String text, String told) throws IOException {
        Path plan = folder.resolve("faults.conf");
        Files.writeString(plan, text);
        CommandRun run = gateway("--faults " + plan).end();
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).startsWith("hca: " + plan).contains(told).hasLineCount(1);
    }

    @Test
    void aCaptureHasThePacketsOfTheCable() throws Exception {
        Path file = folder.resolve("cable.pcapng");
        RunningCommand gateway = gateway("--clients 1 -n 3 --capture " + file);
        assertThat(client(gateway.port(), "-n 3 -s 2000").status()).isZero();
        assertThat(gateway.end().status()).isZero();
        CommandRun dissected = CommandRun.of("dissect", file.toString());
        assertThat(dissected.status()).as(dissected.err()).isZero();
        // In each direction 3 messages of 2 packets, and as many acknowledgements.
        assertThat(dissected.out().lines().filter(line -> line.contains("SEND_FIRST")))
                .hasSize(6);
        assertThat(dissected.out().lines().filter(line -> line.contains("SEND_LAST")))
                .hasSize(6);
        assertThat(dissected.out().lines().filter(line -> line.contains("RC ACK")))
                .hasSize(6);
        assertThat(dissected.out())
                .contains("cable in  127.0.0.3 > 127.0.0.2", "cable out  127.0.0.2 > 127.0.0.3")
                .doesNotContainIgnoringCase("bad icrc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--capture", "--record"})
    void aFileThatCannotBeWrittenIsRefusedBeforeTheServiceBegins(String option) {
        Path file = folder.resolve("nowhere/cable");
        CommandRun run = gateway(option + " " + file).end();
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err())
                .startsWith("hca: cannot write to " + file + ": its folder does not exist ")
                .hasLineCount(1);
        assertThat(run.out()).isBlank();
    }

    @Test
    void aFullDiskIsToldWithTheNameOfTheFile() throws InterruptedException {
        assumeThat(FULL).exists();
        RunningCommand gateway = gateway("--clients 1 -n 1 --capture " + FULL);
        assertThat(client(gateway.port(), "-n 1 -s 10").status()).isZero();
        CommandRun run = gateway.end();
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).startsWith("hca: the capture: No space left").hasLineCount(1);
    }

    @Test
    void aCaptureIsWholeAlsoIfTheRecordedRunCannotBeWritten() throws InterruptedException {
        assumeThat(FULL).exists();
        Path capture = folder.resolve("cable.pcapng");
        RunningCommand gateway = gateway("--clients 1 -n 1 --record " + FULL + " --capture " + capture);
        assertThat(client(gateway.port(), "-n 1 -s 10").status()).isZero();
        CommandRun run = gateway.end();
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err()).startsWith("hca: cannot write to " + FULL + ": No space left");
        assertThat(CommandRun.of("dissect", capture.toString()).out()).contains("RC SEND_ONLY", "RC ACK");
    }

    /** The client's message that it is ready is lost three times, and the server repeats its reply each 4.3 s. */
    @Test
    @Tag("nightly")
    void aClientWhoseReadinessIsLateIsServed() throws Exception {
        Path plan = folder.resolve("faults.conf");
        Files.writeString(plan, "faults = [ { drop { cm = [RTU], from = cable, first = 3 } } ]");
        RunningCommand gateway = serving("rping --listen 7200 --clients 1 --faults " + plan);
        gateway.line("serving    rping, messages of at most 1048576 bytes, adapter's port 7200");
        try (Station station = client();
                RpingClient client = new RpingClient(station, new InetSocketAddress(SERVER, 7200), 100)) {
            gateway.line("client 1   connected: queue pair 0x");
            client.ping(1);
        }
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out())
                .contains("client 1   ended: 1 pings", "fault      drop the first 3 RTU from cable: 3 times");
    }

    @Test
    void rpingClientsConnectToTheAdaptersPort() throws Exception {
        RunningCommand gateway = serving("rping --listen 7200 --clients 1");
        gateway.line("serving    rping, messages of at most 1048576 bytes, adapter's port 7200");
        try (Station station = client();
                RpingClient client = new RpingClient(station, new InetSocketAddress(SERVER, 7200), 100)) {
            client.ping(1);
            client.ping(2);
        }
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out())
                .contains(
                        "client 1   from 127.0.0.3:",
                        "client 1   connected: queue pair 0x",
                        "client 1   ended: 2 pings");
    }

    @Test
    void ucmatoseClientsConnectToTheAdaptersPort() throws Exception {
        RunningCommand gateway = serving("ucmatose --clients 1 -n 3 -s 50");
        gateway.line("serving    ucmatose, messages of at most 50 bytes, adapter's port 7471");
        try (Station station = client();
                UcmatoseClient client = new UcmatoseClient(station, new InetSocketAddress(SERVER, 7471), 3, 50)) {
            client.receiveAll();
            client.sendAll();
            client.awaitDisconnection();
        }
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out()).contains("client 1   ended: 3 messages of 50 bytes each way");
    }

    @Test
    void hostsOfNvmeConnectToTheAdaptersPort() throws Exception {
        RunningCommand gateway = serving("nvme-probe --clients 1");
        gateway.line("serving    NVMe discovery, messages of at most 8192 bytes, adapter's port 4420");
        try (Station station = client();
                NvmeHost host = new NvmeHost(station, new InetSocketAddress(SERVER, 4420), NvmeHost.ADMIN_QUEUE)) {
            assertThat(host.accepted().get(2)).isEqualTo((byte) 32);
        }
        CommandRun end = gateway.end();
        assertThat(end.status()).as(end.out()).isZero();
        assertThat(end.out()).contains("client 1   ended: 0 commands, 0 READs, 0 WRITEs, 0 SENDs with invalidate");
    }

    private Station client() throws UnknownHostException {
        UdpCable cable = Cable.udp(InetAddress.getByName(CLIENT))
                .withPeers(InetAddress.getByName(SERVER))
                .withPort(udp);
        return Station.open(cable, Profile.SOFT_ROCE, TraceSink.NONE);
    }

    private static byte[] words(String text) {
        return Arrays.copyOf(text.getBytes(US_ASCII), 52);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1 | it sent no address of a queue pair",
                "0000:000011:0a1b2c:00000000000000000000000000000000 | it named no GID",
                "0000:000011:0a1b2c:00000000000000000000ffff7f000009 | is that of no peer of the cable; there are 127.0.0.3"
            })
    void aStrangeClientIsRefusedAndTheNextOneServed(String said, String told) throws Exception {
        RunningCommand gateway = gateway("--clients 2 -n 3");
        int tcp = gateway.port();
        try (Socket strange = new Socket(SERVER, tcp)) {
            strange.getOutputStream().write(words(said));
            assertThat(gateway.line("client 1   failed: ")).contains(told);
            assertThat(strange.getInputStream().read())
                    .as("the end of the stream")
                    .isEqualTo(-1);
        }
        assertThat(client(tcp, "-n 3").status()).isZero();
        CommandRun end = gateway.end();
        assertThat(end.status()).isEqualTo(Hca.NOT_AS_EXPECTED);
        assertThat(end.out()).contains("client 2   ended: 3 messages");
    }

    @Test
    void aClientThatHangsUpIsTold() throws Exception {
        RunningCommand gateway = gateway("--clients 1");
        try (Socket client = new Socket(SERVER, gateway.port())) {
            client.getOutputStream().write(new byte[20]);
        }
        assertThat(gateway.end().out())
                .contains("client 1   failed: it closed the TCP connection after 20 of 52 bytes");
    }

    @Test
    void aTakenUdpPortIsRefusedInOneLine() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(SERVER, udp))) {
            CommandRun run = gateway("").end();
            assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
            assertThat(run.err())
                    .startsWith("hca: UDP 127.0.0.2 port " + taken.getLocalPort() + ": ")
                    .hasLineCount(1);
        }
    }

    @Test
    void aTakenTcpPortIsRefusedInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(SERVER, 0));
            CommandRun run =
                    serving("pingpong --listen " + taken.getLocalPort()).end();
            assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
            assertThat(run.err())
                    .startsWith("hca: TCP 127.0.0.2 port " + taken.getLocalPort() + ": ")
                    .hasLineCount(1);
        }
    }

    @Test
    void aClientWithoutAServerIsRefusedInOneLine() throws IOException {
        int nobody;
        try (ServerSocket closed = new ServerSocket()) {
            closed.bind(new InetSocketAddress(SERVER, 0));
            nobody = closed.getLocalPort();
        }
        CommandRun run = client(nobody, "");
        assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
        assertThat(run.err())
                .startsWith("hca: --connect 127.0.0.2:" + nobody + ": ")
                .hasLineCount(1);
    }
}
