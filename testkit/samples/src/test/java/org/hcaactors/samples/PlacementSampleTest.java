// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.placement.AdapterPlacement;
import org.hcaactors.placement.PlacedAdapter;
import org.hcaactors.placement.PlacedProgram;
import org.hcaactors.placement.PlacementSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Adapters that are placed on nodes of a cluster, here in one JVM. */
class PlacementSampleTest {
    private static final int SERVICE = 7174;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final ActorSystem<Void> first = ActorSystem.create(Behaviors.empty(), "fabric", ClusterNodesTest.CONFIG);
    private final ActorSystem<Void> second = ActorSystem.create(Behaviors.empty(), "fabric", ClusterNodesTest.CONFIG);

    @AfterEach
    void terminate() {
        first.terminate();
        second.terminate();
    }

    private void join(ActorSystem<Void> system) {
        Cluster cluster = Cluster.get(system);
        cluster.manager().tell(Join.create(Cluster.get(first).selfMember().address()));
        await().atMost(LONGEST).until(() -> cluster.selfMember().status() == MemberStatus.up());
    }

    // docs begin
    static AdapterPlacement placement(ActorSystem<?> system, RdmaNetwork network) {
        return AdapterPlacement.start(
                system, network, adapter -> serve(network, adapter), PlacementSettings.of(Profile.CONNECTX_5));
    }

    static PlacedProgram.Running serve(RdmaNetwork network, Adapter adapter) {
        HostProcess process = adapter.process("app");
        network.await(process.open().listen(SERVICE, 4));
        return () -> process.exit().thenAccept(leaks -> {});
    }

    // docs end

    @Test
    void anAdapterIsPlacedAndMoved() {
        join(first);
        join(second);
        try (RdmaNetwork other = ClusterNodesTest.network(second);
                RdmaNetwork network = ClusterNodesTest.network(first)) {
            AdapterPlacement placement = placement(first, network);
            placement(second, other);
            Address there = Cluster.get(second).selfMember().address();
            // docs begin
            PlacedAdapter store = network.await(placement.place("store"), LONGEST);
            PlacedAdapter cache = network.await(placement.place("cache", there), LONGEST);
            PlacedAdapter moved = network.await(placement.move("store", there), LONGEST);
            network.await(placement.drain("cache"), LONGEST);
            // docs end
            assertThat(store.name()).isEqualTo("store");
            assertThat(cache.node()).isEqualTo(there);
            assertThat(moved.node()).isEqualTo(there);
            assertThat(other.adapters()).extracting(Adapter::name).containsExactly("store");
        }
    }
}
