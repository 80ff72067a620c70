// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.connection.ConnectionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server of rping with a client of ours, over a cable. */
class RpingServiceTest {
    private static final int MAX_BYTES = 1 << 17;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Stations stations = Stations.open();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        stations.close();
    }

    private InetSocketAddress server() {
        return new InetSocketAddress(stations.server().address(), ConnectionService.RPING_PORT);
    }

    private RpingClient client(int bytes) {
        return new RpingClient(stations.client(), server(), bytes);
    }

    private Clients clients(int number) {
        return new Clients(event -> lines.add(event.line()), number);
    }

    private ConnectionService serve(Clients clients, long pings) {
        return ConnectionService.rping(
                stations.server().network(),
                stations.server().adapter(),
                ConnectionService.RPING_PORT,
                clients,
                MAX_BYTES,
                pings);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 64, 1025, MAX_BYTES})
    void theServerReadsThePingAndWritesItBack(int bytes) throws InterruptedException {
        try (Clients clients = clients(1);
                ConnectionService server = serve(clients, 0)) {
            try (RpingClient client = client(bytes)) {
                for (int number = 0; number < 10; number++) {
                    client.ping(number);
                }
            }
            clients.await(TIMEOUT);
            assertThat(clients.missing()).as("%s", lines).isFalse();
            assertThat(server.place()).isEqualTo("adapter's port 7174");
        }
        assertThat(lines).last().isEqualTo("client 1   ended: 10 pings");
    }

    @Test
    void theServerEndsAfterTheNumberOfPings() throws InterruptedException {
        try (Clients clients = clients(1);
                ConnectionService server = serve(clients, 3);
                RpingClient client = client(64)) {
            for (int number = 0; number < 3; number++) {
                client.ping(number);
            }
            client.connection
                    .ended()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
            clients.await(TIMEOUT);
            assertThat(server.place()).isNotEmpty();
        }
        assertThat(lines).last().isEqualTo("client 1   ended: 3 pings");
    }

    @Test
    void clientsAreServedAtTheSameTime() throws InterruptedException {
        try (Clients clients = clients(2);
                ConnectionService server = serve(clients, 0)) {
            try (RpingClient one = client(100);
                    RpingClient other = client(200)) {
                for (int number = 0; number < 5; number++) {
                    one.ping(number);
                    other.ping(number);
                }
            }
            clients.await(TIMEOUT);
            assertThat(clients.missing()).as("%s of %s", lines, server.place()).isFalse();
        }
    }

    private interface Said {
        void by(RpingClient client) throws InterruptedException;
    }

    /** A client that says something else is disconnected and told of; the next one is served. */
    private void refused(Said said, String told) throws InterruptedException {
        try (Clients clients = clients(2);
                ConnectionService server = serve(clients, 0)) {
            try (RpingClient strange = client(64)) {
                said.by(strange);
                assertThat(strange.next().status()).isEqualTo(Status.WR_FLUSH_ERR);
            }
            try (RpingClient client = client(64)) {
                client.ping(1);
            }
            clients.await(TIMEOUT);
            assertThat(clients.missing()).as(server.place()).isTrue();
        }
        assertThat(lines).contains("client 1   failed: " + told, "client 2   ended: 1 pings");
    }

    @Test
    void aMessageOfAnotherLengthIsRefused() throws InterruptedException {
        refused(client -> client.say(new byte[15]), "it sent 15 bytes; rping sends 16");
    }

    @Test
    void moreDataThanAllowedAreRefused() throws InterruptedException {
        refused(
                client -> client.tell(client.address(), client.rkey(), MAX_BYTES + 1),
                "it has data of 131073 bytes; at most 131072 are served");
        lines.clear();
        refused(
                client -> client.tell(client.address(), client.rkey(), -1),
                "it has data of 4294967295 bytes; at most 131072 are served");
    }

    @Test
    void aWrongKeyEndsTheConnection() throws InterruptedException {
        refused(client -> client.tell(client.address(), client.rkey() + 1, 64), "a READ ended with REM_ACCESS_ERR");
    }

    @Test
    void aClientThatLeavesInTheMiddleOfAPingIsTold() throws InterruptedException {
        try (Clients clients = clients(1);
                ConnectionService server = serve(clients, 0)) {
            try (RpingClient client = client(64)) {
                client.tell(client.address(), client.rkey(), 64);
                assertThat(client.next().status()).as(server.place()).isEqualTo(Status.SUCCESS);
            }
            clients.await(TIMEOUT);
        }
        assertThat(lines).contains("client 1   failed: it disconnected in the middle of a ping");
    }

    @Test
    void afterItsEndTheServerAcceptsNobody() {
        serve(clients(0), 0).close();
        assertThatExceptionOfType(ConnectionException.class)
                .isThrownBy(() -> client(64))
                .withMessageContaining("nothing listens");
    }
}
