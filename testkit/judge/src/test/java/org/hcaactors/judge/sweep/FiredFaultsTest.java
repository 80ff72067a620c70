// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.Journeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks that the faults that fired in a run form a plan with the same effects. */
@Tag("nightly")
class FiredFaultsTest {
    private static List<String> flow(World world) {
        return Journeys.of(world.trace().events()).stream()
                .map(journey -> journey.transit() + " " + journey.deliveredAt())
                .toList();
    }

    @Test
    void randomlyFiredFaultsAreAPlanThatRepeatsTheRun() {
        for (long seed = 0; seed < 20; seed++) {
            FaultPlan exact;
            List<String> first;
            Sweep sweep = Sweep.of(1).with(Swarm.WIRE);
            try (World drawn = World.of(seed)) {
                drawn.faults().arm(sweep.plan(seed));
                MixedTraffic.run(drawn);
                exact = drawn.faults().fired();
                first = flow(drawn);
            }
            assertThat(exact.faults()).noneMatch(fault -> fault.words().contains("probability"));
            try (World again = World.of(seed)) {
                again.faults().arm(FaultPlan.parse(exact.toHocon()));
                MixedTraffic.run(again);
                assertThat(flow(again))
                        .as("seed %d: %s", seed, sweep.plan(seed))
                        .isEqualTo(first);
            }
        }
    }
}
