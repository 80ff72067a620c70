// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server of ucmatose with a client of ours, over a cable. */
class UcmatoseServiceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stations stations = Stations.open();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        stations.close();
    }

    private interface Played {
        void with(InetSocketAddress server) throws InterruptedException;
    }

    /** Serves that many clients, and returns whether all ended well. */
    private boolean served(int number, UcmatoseTerms terms, Played clients) throws InterruptedException {
        try (Clients all = new Clients(event -> lines.add(event.line()), number);
                ConnectionService service =
                        ConnectionService.ucmatose(stations.server(), ConnectionService.UCMATOSE_PORT, all, terms)) {
            clients.with(new InetSocketAddress(stations.server().address(), service.port()));
            all.await(TIMEOUT);
            return !all.missing();
        }
    }

    private UcmatoseClient client(InetSocketAddress server, int messages, int bytes) {
        return new UcmatoseClient(stations.client(), server, messages, bytes);
    }

    @ParameterizedTest
    @CsvSource({"10, 100", "1, 1", "3, 4096", "1024, 16"})
    void aClientReturnsTheMessages(int messages, int bytes) throws InterruptedException {
        assertThat(served(1, new UcmatoseTerms(messages, bytes), server -> {
                    try (UcmatoseClient client = client(server, messages, bytes)) {
                        client.receiveAll();
                        client.sendAll();
                        client.awaitDisconnection();
                    }
                }))
                .as("%s", lines)
                .isTrue();
        assertThat(lines)
                .last()
                .isEqualTo("client 1   ended: %d messages of %d bytes each way".formatted(messages, bytes));
    }

    @Test
    void aClientMakesSeveralConnectionsBeforeItReceives() throws InterruptedException {
        assertThat(served(4, new UcmatoseTerms(10, 100), server -> {
                    List<UcmatoseClient> clients = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        clients.add(client(server, 10, 100));
                    }
                    for (UcmatoseClient each : clients) {
                        each.receiveAll();
                    }
                    clients.forEach(UcmatoseClient::sendAll);
                    for (UcmatoseClient each : clients) {
                        each.awaitDisconnection();
                        each.close();
                    }
                }))
                .as("%s", lines)
                .isTrue();
    }

    private void refused(UcmatoseTerms terms, Played clients, String told) throws InterruptedException {
        assertThat(served(1, terms, clients)).isFalse();
        assertThat(lines).contains("client 1   failed: " + told);
    }

    @Test
    void aClientThatSendsSomethingElseFails() throws InterruptedException {
        refused(
                new UcmatoseTerms(2, 10),
                server -> {
                    try (UcmatoseClient client = client(server, 2, 10)) {
                        client.receiveAll();
                        client.change(7);
                        client.sendAll();
                        client.awaitDisconnection();
                    }
                },
                "its message 1 differs from byte 7 on");
    }

    @Test
    void aClientWithShorterMessagesFails() throws InterruptedException {
        refused(
                new UcmatoseTerms(1, 10),
                server -> {
                    try (UcmatoseClient client = client(server, 1, 9)) {
                        client.awaitDisconnection();
                    }
                },
                "a SEND ended with REM_INV_REQ_ERR");
    }

    @Test
    void aClientWithLongerMessagesFails() throws InterruptedException {
        refused(
                new UcmatoseTerms(1, 10),
                server -> {
                    try (UcmatoseClient client = client(server, 1, 11)) {
                        client.receiveAll();
                        client.sendAll();
                        client.awaitDisconnection();
                    }
                },
                "a receive of 10 bytes ended with LOC_LEN_ERR");
    }

    @Test
    void aClientWithFewerMessagesFails() throws InterruptedException {
        refused(
                new UcmatoseTerms(2, 10),
                server -> {
                    try (UcmatoseClient client = client(server, 2, 10)) {
                        client.receiveAll();
                        client.send(1);
                    }
                },
                "it disconnected after 1 of 2 messages");
    }
}
