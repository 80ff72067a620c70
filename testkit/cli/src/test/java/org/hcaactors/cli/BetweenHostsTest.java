// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.cli.between.Between;
import org.hcaactors.cli.between.BetweenAddresses;
import org.hcaactors.cli.gateway.Clients;
import org.hcaactors.cli.gateway.ConnectionService;
import org.hcaactors.cli.gateway.RpingClient;
import org.hcaactors.cli.gateway.Station;
import org.hcaactors.fabric.cable.Cable;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.PacketFaults;
import org.hcaactors.lab.pair.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hca gateway --between}: host a at 127.0.0.3 and host b at 127.0.0.4, which take 127.0.0.5 and 127.0.0.6 for each other.
 */
class BetweenHostsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String A = "--via 127.0.0.3 --peer 127.0.0.5";
    private static final String B = "--via 127.0.0.4 --peer 127.0.0.6";
    private static final String LOSS = "faults = [ { drop { probability = 0.01 } },"
            + " { corrupt { where = PAYLOAD, from = a, every = 50 } }, { corrupt { where = HEADER, from = b, every = 60 } } ]";

    /** Nothing at the end: a server leaves after its last round, whatever became of its last acknowledgement. */
    private static final String FIRST_LOSSES = "faults = [ { drop { nth = 20 } }, { drop { nth = 47 } },"
            + " { corrupt { where = PAYLOAD, from = a, nth = 30 } }, { corrupt { where = HEADER, from = b, nth = 40 } } ]";

    @TempDir
    private Path folder;

    private final int udp = FreePorts.udp();

    /** Starts the gateway for a server of host b that listens at that TCP port. */
    private RunningCommand between(int tcp, String more) throws InterruptedException {
        RunningCommand gateway = RunningCommand.of("gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6"
                + " --for 5m --clients 1 --port " + udp + " --forward " + tcp + more);
        gateway.line("forward    TCP port " + tcp);
        return gateway;
    }

    private Between between() throws IOException {
        BetweenAddresses addresses = new BetweenAddresses(loopback(3), loopback(4), loopback(5), loopback(6));
        return Between.open(
                addresses, udp, OptionalInt.empty(), new PacketFaults(FaultPlan.parse(LOSS), 7), Optional.empty());
    }

    private static InetAddress loopback(int last) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private Path plan() throws IOException {
        return Files.writeString(folder.resolve("faults.conf"), FIRST_LOSSES);
    }

    private RunningCommand server(String command) {
        return RunningCommand.of(command + " " + B + " --port " + udp + " --listen 0");
    }

    private CommandRun client(String command, int tcp) {
        return CommandRun.of((command + " " + A + " --port " + udp + " --connect 127.0.0.5:" + tcp).split(" "));
    }

    @Test
    void aPingPongPassesWithLossAndCorruptionInBothDirections() throws Exception {
        RunningCommand server = server("pingpong -n 60 -s 3000");
        int tcp = server.port();
        RunningCommand gateway = between(tcp, " --fault-seed 5 --faults " + plan());
        CommandRun client = client("pingpong -n 60 -s 3000", tcp);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(client.out()).contains("remote address: QPN 0x", "GID ::ffff:127.0.0.5", "360000 bytes in");
        assertThat(server.end().out()).contains("GID ::ffff:127.0.0.6");
        assertThat(gateway.end().out())
                .containsPattern("client 1   ended: 57 bytes to 127.0.0.4 port " + tcp + ", 52 bytes back")
                .containsPattern("fault      drop .*: [1-9]\\d* times")
                .containsPattern("fault      corrupt .*from a.*: [1-9]\\d* times")
                .containsPattern("\na_rx_packets +[1-9]")
                .containsPattern("\nb_tx_packets +[1-9]")
                .doesNotContain("a_rx_icrc_bad", "rx_strangers");
    }

    @Test
    void measurementsOfPerftestPassToo() throws Exception {
        RunningCommand server = server("perf write_bw");
        int tcp = server.port();
        Path capture = folder.resolve("between.pcapng");
        RunningCommand gateway = between(tcp, " --capture " + capture);
        CommandRun client = client("perf write_bw -n 100 -s 1000 -q 2", tcp);
        assertThat(client.status()).as(client.err()).isZero();
        assertThat(server.end().out()).contains("the client reports 100 iterations of 1000 bytes");
        assertThat(gateway.end().status()).isZero();
        CommandRun dissected = CommandRun.of("dissect", capture.toString());
        assertThat(dissected.status()).as(dissected.err()).isZero();
        assertThat(dissected.out())
                .contains("a in  127.0.0.6 > 127.0.0.4", "b out  127.0.0.6 > 127.0.0.4", "RC WRITE_ONLY")
                .doesNotContainIgnoringCase("bad icrc");
    }

    private Station station(int own, int gatewayAddress) throws IOException {
        return Station.open(
                Cable.udp(loopback(own)).withPeers(loopback(gatewayAddress)).withPort(udp),
                Profile.SOFT_ROCE,
                TraceSink.NONE);
    }

    @Test
    void connectionsOfCommunicationManagementPass() throws Exception {
        try (Between between = between();
                Station a = station(3, 5);
                Station b = station(4, 6);
                Clients clients = new Clients(event -> {}, 1);
                ConnectionService server = ConnectionService.rping(b.network(), b.adapter(), 7174, clients, 4096, 0)) {
            try (RpingClient client = new RpingClient(a, new InetSocketAddress("127.0.0.5", server.port()), 1000)) {
                for (int i = 0; i < 20; i++) {
                    client.ping(i);
                }
            }
            clients.await(TIMEOUT);
            assertThat(clients.missing()).isFalse();
            assertThat(between.counters().byName())
                    .hasEntrySatisfying(
                            "a_rx_cm_translated", count -> assertThat(count).isPositive());
        }
    }

    @Test
    void atomicsAreExecutedExactlyOnceDespiteTheFaults() throws Exception {
        try (Between between = between();
                Station a = station(3, 5);
                Station b = station(4, 6)) {
            Side side = Side.of(b.network(), b.adapter(), "server", 64);
            var listener = b.network().await(side.context().listen(7175, 4));
            var accepted =
                    listener.next().thenCompose(request -> request.accept(ConnectionDescription.of(side.domain())));
            Side own = Side.of(a.network(), a.adapter(), "client", 64);
            Connection connection = a.network()
                    .await(
                            own.context()
                                    .connect(
                                            new InetSocketAddress("127.0.0.5", 7175),
                                            ConnectionDescription.of(own.domain())),
                            TIMEOUT);
            for (long before = 0; before < 150; before++) {
                assertThat(a.network()
                                .await(
                                        connection.qp().submit(FetchAdd.of(1, own.slice(0, 8), side.remote(0), 1)),
                                        TIMEOUT)
                                .status())
                        .isEqualTo(Status.SUCCESS);
                assertThat(own.memory().readLong(0)).isEqualTo(before);
            }
            assertThat(side.memory().readLong(0)).isEqualTo(150);
            assertThat(accepted).isNotNull();
            assertThat(between.packets()).isGreaterThan(300);
        }
    }

    @Test
    void startAndCountersAreObjectsOfOneLine() {
        int tcp = FreePorts.udp();
        CommandRun run =
                CommandRun.of(("gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --for 1s --json"
                                + " --port " + udp + " --forward " + tcp)
                        .split(" "));
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("{\"event\":\"start\",\"between\":[\"127.0.0.3\",\"127.0.0.4\"],\"local\":[\"127.0.0.5\","
                        + "\"127.0.0.6\"],\"port\":" + udp + ",\"mtuBytes\":65535,\"forward\":[" + tcp + "]}\n")
                .contains("{\"event\":\"counters\",\"between\":{\"a_rx_packets\":0,\"a_rx_cm_translated\":0,")
                .hasLineCount(2);
    }

    @Test
    void aTakenPortIsRefusedInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, loopback(6))) {
            CommandRun run = CommandRun.of(("gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --port "
                            + udp + " --forward " + taken.getLocalPort())
                    .split(" "));
            assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
            assertThat(run.err())
                    .startsWith("hca: TCP 127.0.0.6 port " + taken.getLocalPort() + ": ")
                    .hasLineCount(1);
        }
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(loopback(5), udp))) {
            CommandRun run = CommandRun.of(
                    ("gateway --between 127.0.0.3 127.0.0.4 --local 127.0.0.5 127.0.0.6 --port " + taken.getLocalPort())
                            .split(" "));
            assertThat(run.status()).isEqualTo(Hca.BAD_INPUT);
            assertThat(run.err())
                    .startsWith("hca: UDP 127.0.0.5 port " + udp + ": ")
                    .hasLineCount(1);
        }
    }
}
