// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The traffic of {@code hca demo} with alice's adapters on one node of a cluster, and those of the other side on another. */
@Tag("judge")
class DemoOverNodesTest {
    /** A group has members in one network; the steps with dave's thread say when it sleeps, which needs a world's clock. */
    private static final List<String> IN_A_WORLD = List.of(
            "datagram to a multicast group",
            "SEND that wakes dave's thread",
            "SEND while the thread runs: its next wait ends at once",
            "SEND while the notify unit of dave's host is off",
            "SEND between the thread's poll and its arm",
            "explanation of this wait");

    /** Result of a step. */
    private record Outcome(String what, String got) {}

    /** The results of a tour, and what the memories of its first part contain at the end. */
    private record Results(List<Outcome> outcomes, byte[] ofAlice, byte[] ofBob) {
        static Results of(TourGround ground) {
            RcTour tour = new RcTour(ground);
            List<Outcome> outcomes = tour.run().stream()
                    .map(step -> new Outcome(step.what(), step.actual()))
                    .toList();
            return new Results(
                    outcomes,
                    contents(tour.pair().a().memory()),
                    contents(tour.pair().b().memory()));
        }

        private static byte[] contents(HostMemory memory) {
            return memory.read(0, (int) memory.lengthBytes());
        }
    }

    @Test
    void theDemosTrafficOverTwoNodesEndsAsInAWorld() throws Exception {
        Results inWorld;
        try (World world = World.of(1)) {
            inWorld = Results.of(new WorldGround(world));
        }
        Results overNodes;
        try (NodesGround nodes = new NodesGround()) {
            overNodes = Results.of(nodes);
        }
        assertThat(inWorld.outcomes).extracting(Outcome::what).containsAll(IN_A_WORLD);
        assertThat(overNodes.outcomes)
                .isEqualTo(inWorld.outcomes.stream()
                        .filter(each -> !IN_A_WORLD.contains(each.what()))
                        .toList());
        assertThat(overNodes.ofAlice).isEqualTo(inWorld.ofAlice);
        assertThat(overNodes.ofBob).isEqualTo(inWorld.ofBob);
    }
}
