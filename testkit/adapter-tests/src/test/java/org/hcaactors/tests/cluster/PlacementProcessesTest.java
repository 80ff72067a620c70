// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.hcaactors.placement.AdapterPlacement;
import org.hcaactors.placement.PlacedAdapter;
import org.hcaactors.placement.PlacementException;
import org.hcaactors.tests.cable.Host;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.hcaactors.tests.cable.ReadyProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Adapters placed on three JVMs of the loopback interface, of which the test is one. */
@Tag("nightly")
class PlacementProcessesTest {
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final int BYTES = 4096;

    private final Node client = Node.first("client", PlacementProgram.config());
    private final AdapterPlacement placement = PlacementProgram.start(client);
    private final int port = Host.freePort();
    private final ReadyProcess first = ReadyProcess.start(PlacementProgram.class, "first", port, client.seed());
    private final ReadyProcess second = ReadyProcess.start(PlacementProgram.class, "second", 0, client.seed());

    @AfterEach
    void close() throws InterruptedException {
        first.close();
        second.close();
        client.close();
    }

    private <T> T get(CompletionStage<T> stage) {
        return client.host.network.await(stage, LONGEST);
    }

    private Address here() {
        return AddressFromURIString.parse(client.seed());
    }

    private Address firstNode() {
        return new Address(here().protocol(), here().system(), "127.0.0.1", port);
    }

    private MemoryClient connect(PlacedAdapter adapter) {
        await().atMost(LONGEST)
                .until(() -> client.host
                        .network
                        .locate(adapter.name())
                        .filter(adapter.gid()::equals)
                        .isPresent());
        return MemoryClient.connect(
                client.host, InetSocketAddress.createUnresolved(adapter.name(), MemoryServer.SERVICE));
    }

    // rules placement-move, placement-drain, placement-remove
    @Test
    void anAdapterMovesBetweenProcessesWhenItIsDrained() {
        PlacedAdapter before = get(placement.place("memory", firstNode()));
        MemoryClient memory = connect(before);
        memory.roundTrip(BYTES, 1);
        assertThatExceptionOfType(PlacementException.class)
                .isThrownBy(() -> get(placement.move("memory", here())))
                .withMessageContainingAll("adapter memory", "stays at " + firstNode());
        memory.roundTrip(BYTES, 2);
        get(memory.connection.closeAsync());
        PlacedAdapter after = get(placement.move("memory", here()));
        assertThat(after.node()).isEqualTo(here());
        connect(after).roundTrip(BYTES, 3);
    }

    // rules placement-node, placement-again
    @Test
    void adaptersOfAKilledNodeComeUpAtTheOthers() throws InterruptedException {
        Map<String, PlacedAdapter> placed = placeSix();
        assertThat(placed.values().stream().collect(Collectors.groupingBy(PlacedAdapter::node, Collectors.counting())))
                .hasSize(3)
                .allSatisfy((node, adapters) -> assertThat(adapters).isEqualTo(2));
        first.kill();
        for (PlacedAdapter before : placed.values()) {
            PlacedAdapter after = awaitElsewhere(before.name());
            if (before.node().equals(firstNode())) {
                assertThat(after.gid()).isNotEqualTo(before.gid());
                connect(after).roundTrip(BYTES, 1);
            } else {
                assertThat(after).isEqualTo(before);
            }
        }
    }

    // rules placement-drain, placement-again
    @Test
    void adaptersOfANodeThatLeavesComeUpAtTheOthers() throws IOException, InterruptedException {
        Map<String, PlacedAdapter> placed = placeSix();
        assertThat(first.exit()).isZero();
        for (String name : placed.keySet()) {
            connect(awaitElsewhere(name)).roundTrip(BYTES, 1);
        }
    }

    private Map<String, PlacedAdapter> placeSix() {
        Map<String, PlacedAdapter> placed = new LinkedHashMap<>();
        get(placement.place("a-0", firstNode()));
        IntStream.range(0, 6).forEach(each -> placed.put("a-" + each, get(placement.place("a-" + each))));
        return placed;
    }

    private PlacedAdapter awaitElsewhere(String name) {
        return await().atMost(LONGEST)
                .until(
                        () -> Optional.ofNullable(placement.adapters().get(name)),
                        found -> found.filter(adapter -> !adapter.node().equals(firstNode()))
                                .isPresent())
                .orElseThrow();
    }
}
