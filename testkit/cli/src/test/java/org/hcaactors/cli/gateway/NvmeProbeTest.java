// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.cli.gateway.nvme.Capsule;
import org.hcaactors.cli.gateway.nvme.DiscoveryData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that asks the gateway's discovery controller over a cable. */
class NvmeProbeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int CC = 0x14;
    private static final int ENABLED = 0x0046_0001;

    private final Stations stations = Stations.open();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        stations.close();
    }

    private interface Asked {
        void by(NvmeHost host) throws InterruptedException;
    }

    private NvmeHost host(String data) {
        return new NvmeHost(
                stations.client(),
                new InetSocketAddress(stations.server().address(), ConnectionService.NVME_PORT),
                data);
    }

    /** Serves one host; the last line tells what became of it. */
    private String served(Asked asked) throws InterruptedException {
        try (Clients clients = new Clients(event -> lines.add(event.line()), 1);
                ConnectionService service =
                        ConnectionService.nvmeProbe(stations.server(), ConnectionService.NVME_PORT, clients)) {
            try (NvmeHost host = host(NvmeHost.ADMIN_QUEUE)) {
                asked.by(host);
            }
            clients.await(TIMEOUT);
            assertThat(service.place()).isEqualTo("adapter's port 4420");
        }
        return lines.getLast();
    }

    private static void connect(NvmeHost host) throws InterruptedException {
        NvmeHost.Response connected =
                host.command(Capsule.connect(1), Capsule.connectData(0xffff, DiscoveryData.SUBSYSTEM));
        assertThat(connected).isEqualTo(new NvmeHost.Response(1, 1, 0, OptionalInt.of(host.key())));
        assertThat(host.command(Capsule.set(2, CC, ENABLED).bytes()).status()).isZero();
    }

    @Test
    void aHostConnectsIdentifiesAndReadsTheLog() throws InterruptedException {
        String end = served(host -> {
            assertThat(host.accepted().order(ByteOrder.LITTLE_ENDIAN).getShort(2))
                    .isEqualTo((short) 32);
            connect(host);
            assertThat(host.command(Capsule.identify(3), new byte[4096]).invalidated())
                    .hasValue(host.key());
            assertThat(host.data(4096)[111]).as("kind of controller").isEqualTo((byte) 2);
            assertThat(host.command(Capsule.log(4, 2048, 0), new byte[2048]).status())
                    .isZero();
            String log = new String(host.data(2048), StandardCharsets.US_ASCII);
            assertThat(log).contains("127.0.0.2", "4420", DiscoveryData.SUBSYSTEM);
            host.send(Capsule.admin(0x0c, 5).bytes());
            assertThat(host.command(Capsule.admin(0x18, 6).bytes()).command()).isEqualTo(6);
        });
        assertThat(end).isEqualTo("client 1   ended: 6 commands, 1 READs, 2 WRITEs, 3 SENDs with invalidate");
    }

    @Test
    void anotherSubsystemIsRefusedWithoutAnEndOfTheConnection() throws InterruptedException {
        String end = served(host -> {
            NvmeHost.Response refused =
                    host.command(Capsule.connect(1), Capsule.connectData(0xffff, "nqn.2014-08.org:other"));
            assertThat(refused.status()).isEqualTo(0x8304);
            assertThat(refused.invalidated()).hasValue(host.key());
            connect(host);
        });
        assertThat(end).contains("ended: 3 commands, 2 READs");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4095, 4097, 1 << 20})
    void dataOfAnotherLengthAreRefusedAndTheNextCommandServed(int length) throws InterruptedException {
        String end = served(host -> {
            connect(host);
            byte[] wrong = Capsule.identify(3).data(0, length, 0, false).bytes();
            assertThat(host.command(wrong).status()).isEqualTo(0x801e);
            assertThat(host.command(Capsule.identify(4), new byte[4096]).status())
                    .isZero();
        });
        assertThat(end).contains("ended: 4 commands, 1 READs, 1 WRITEs");
    }

    @Test
    void badCapsulesAreRefusedAndTheNextCommandServed() throws InterruptedException {
        String end = served(host -> {
            connect(host);
            assertThat(host.command(Arrays.copyOf(Capsule.identify(3).bytes(), 20)))
                    .isEqualTo(new NvmeHost.Response(0, 3, 0x8004, OptionalInt.empty()));
            assertThat(host.command(Capsule.admin(0xc0, 4).bytes()).status()).isEqualTo(0x8002);
            byte[] inCapsule = Capsule.identify(5).data(0, 4096, 0, false).bytes();
            inCapsule[39] = 1;
            assertThat(host.command(inCapsule).status()).isEqualTo(0x8022);
            assertThat(host.command(Capsule.identify(6), new byte[4096]).status())
                    .isZero();
        });
        assertThat(end).contains("ended: 6 commands");
    }

    @Test
    void aCapsuleWithoutAnIdEndsTheConnection() throws InterruptedException {
        String end = served(host -> {
            host.send(new byte[3]);
            assertThat(host.next().status()).isEqualTo(Status.WR_FLUSH_ERR);
        });
        assertThat(end).isEqualTo("client 1   failed: its capsule has 3 bytes; a command has 64");
    }

    @Test
    void aWrongKeyEndsTheConnection() throws InterruptedException {
        String end = served(host -> {
            host.send(Capsule.connect(1).data(0, 1024, host.key() + 1, true).bytes());
            assertThat(host.next().status()).isEqualTo(Status.WR_FLUSH_ERR);
        });
        assertThat(end).isEqualTo("client 1   failed: a READ ended with REM_ACCESS_ERR");
    }

    @ParameterizedTest
    @CsvSource({
        "0100000020001f00, 00000200, its data have a format other than 0",
        "0000010020001f00, 00000300, it asks for another queue than the admin queue"
    })
    void aRequestForAnotherQueueIsRejectedWithTheReason(String data, String reason, String told)
            throws InterruptedException {
        try (Clients clients = new Clients(event -> lines.add(event.line()), 1);
                ConnectionService service =
                        ConnectionService.nvmeProbe(stations.server(), ConnectionService.NVME_PORT, clients)) {
            assertThatExceptionOfType(ConnectionException.class)
                    .as(service.place())
                    .isThrownBy(() -> host(data))
                    .satisfies(rejected -> {
                        byte[] why = new byte[4];
                        rejected.privateData().get(why);
                        assertThat(HexFormat.of().formatHex(why)).isEqualTo(reason);
                    });
            clients.await(TIMEOUT);
        }
        assertThat(lines).contains("client 1   failed: " + told);
    }
}
