// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.typed.Cluster;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.placement.AdapterPlacement;
import org.hcaactors.placement.PlacedAdapter;
import org.hcaactors.placement.PlacedProgram;
import org.hcaactors.placement.PlacementException;
import org.hcaactors.placement.PlacementSettings;
import org.hcaactors.tests.cable.MemoryClient;
import org.hcaactors.tests.cable.MemoryServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Adapters placed on two nodes of one JVM; all tests use the same two, as they take seconds to begin. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("judge")
class PlacementTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final PlacementSettings SETTINGS =
            PlacementSettings.of(Profile.CONNECTX_5).withDrainTime(Duration.ofMillis(500));

    private final Node left = Node.first("left");
    private final Node right = left.join("right");
    private final AdapterPlacement placement = start(left);
    private final AdapterPlacement there = start(right);

    private static AdapterPlacement start(Node node) {
        PlacedMemory memory = new PlacedMemory(node.host.network);
        PlacedProgram program = adapter -> switch (adapter.name().split("-")[0]) {
            case "broken" -> throw new IllegalStateException("no disk");
            case "careless" -> careless(node, adapter);
            case "endless" -> () -> new CompletableFuture<>();
            default -> memory.start(adapter);
        };
        return AdapterPlacement.start(node.system, node.host.network, program, SETTINGS);
    }

    /** Leaves its queue pair to others. */
    private static PlacedProgram.Running careless(Node node, Adapter adapter) {
        node.host.network.await(adapter.process("app").open().allocatePd().createQp(QpDescription.rc()));
        return () -> CompletableFuture.completedStage(null);
    }

    @AfterAll
    void close() {
        left.close();
        right.close();
    }

    private <T> T get(CompletionStage<T> stage) {
        return left.host.network.await(stage, LONGEST);
    }

    private static Address address(Node node) {
        return Cluster.get(node.system).selfMember().address();
    }

    private Address other(Address node) {
        return node.equals(address(left)) ? address(right) : address(left);
    }

    private MemoryClient connect(String adapter, Gid gid) {
        await().atMost(LONGEST)
                .until(() ->
                        left.host.network.locate(adapter).filter(gid::equals).isPresent());
        return MemoryClient.connect(left.host, InetSocketAddress.createUnresolved(adapter, MemoryServer.SERVICE));
    }

    private static void assertRefused(PlacementException.Reason reason, Runnable call, String... words) {
        assertThatExceptionOfType(PlacementException.class)
                .isThrownBy(call::run)
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(reason))
                .withMessageContainingAll(words);
    }

    // rule placement-node
    @Test
    void theCallerChoosesTheNode() {
        PlacedAdapter placed = get(placement.place("chosen", address(right)));
        assertThat(placed.node()).isEqualTo(address(right));
        assertThat(right.host.network.adapter("chosen").map(Adapter::gid)).contains(placed.gid());
        assertThat(left.host.network.adapter("chosen")).isEmpty();
        assertThat(get(there.place("chosen"))).isEqualTo(placed);
        assertRefused(
                PlacementException.Reason.ELSEWHERE,
                () -> get(placement.place("chosen", address(left))),
                "adapter chosen is at " + address(right));
    }

    // rules placement-move, placement-drain, placement-remove
    @Test
    void aDrainedAdapterMovesAndItsProgramStartsAnew() {
        PlacedAdapter before = get(placement.place("memory"));
        MemoryClient client = connect("memory", before.gid());
        client.roundTrip(4096, 1);
        CompletionStage<PlacedAdapter> moved = placement.move("memory", other(before.node()));
        get(client.connection.closeAsync());
        PlacedAdapter after = get(moved);
        assertThat(after.node()).isEqualTo(other(before.node()));
        assertThat(after.gid()).isNotEqualTo(before.gid());
        connect("memory", after.gid()).roundTrip(4096, 2);
    }

    // rules placement-move, placement-remove
    @Test
    void anAdapterWithAQueuePairIsNotMoved() {
        PlacedAdapter placed = get(placement.place("careless"));
        assertRefused(
                PlacementException.Reason.QUEUE_PAIRS,
                () -> get(placement.move("careless", other(placed.node()))),
                "adapter careless has 1 queue pair",
                "it stays at " + placed.node());
        assertThat(get(placement.place("careless"))).isEqualTo(placed);
    }

    // rule placement-drain
    @Test
    void aProgramThatDoesNotEndStays() {
        PlacedAdapter placed = get(placement.place("endless"));
        assertRefused(
                PlacementException.Reason.PROGRAM_RUNS,
                () -> get(placement.drain("endless")),
                "the program of adapter endless has not ended in 500 ms");
        assertThat(get(placement.place("endless"))).isEqualTo(placed);
    }

    // rule placement-drain
    @Test
    void whatWasDrainedIsPlacedAgainByTheCallerOnly() {
        PlacedAdapter before = get(placement.place("drained"));
        get(there.drain("drained"));
        assertThat(left.host.network.adapter("drained")).isEmpty();
        assertThat(right.host.network.adapter("drained")).isEmpty();
        assertRefused(PlacementException.Reason.NOT_PLACED, () -> get(there.drain("drained")), "drained");
        PlacedAdapter after = get(there.place("drained", other(before.node())));
        assertThat(after.node()).isEqualTo(other(before.node()));
    }

    @Test
    void aProgramThatThrowsIsNotPlaced() {
        assertRefused(
                PlacementException.Reason.PROGRAM_FAILED,
                () -> get(placement.place("broken")),
                "adapter broken could not be started",
                "no disk");
        await().atMost(LONGEST)
                .untilAsserted(() -> assertRefused(
                        PlacementException.Reason.NOT_PLACED, () -> get(placement.drain("broken")), "broken"));
        assertThat(left.host.network.adapter("broken")).isEmpty();
        assertThat(right.host.network.adapter("broken")).isEmpty();
    }

    @Test
    void aNodeThatIsNoMemberIsRefused() {
        Address nowhere = Address.apply("pekko", "fabric", "127.0.0.1", 1);
        assertRefused(
                PlacementException.Reason.NO_SUCH_NODE,
                () -> get(placement.place("lost", nowhere)),
                nowhere.toString(),
                address(left).toString());
    }

    @Test
    void anActorSystemHasOnePlacement() {
        assertThatIllegalArgumentException().isThrownBy(() -> start(left)).withMessageContaining("has had a placement");
    }
}
