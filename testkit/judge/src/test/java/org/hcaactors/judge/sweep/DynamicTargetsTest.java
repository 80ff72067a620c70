// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** DC and nothing besides, as {@link MixedTraffic} has it among others. */
class DynamicTargetsTest {
    private static final int SEEDS = 6;

    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void everyRequestEndsAndNothingIsCarriedOutTwice(Swarm swarm) {
        int succeeded = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            succeeded += run(swarm, seed).succeeded();
        }
        assertThat(succeeded).isGreaterThan(SEEDS * 10);
    }

    /** Each showed a fault of the adapters once. */
    @ParameterizedTest
    @CsvSource({
        // An answer to a DISCONNECT came late and again, and acknowledged the first request of the next session.
        "WIRE, 3",
        "WIRE, 10",
        // A responder fell idle inside of a message, and the next one knew nothing of its beginning.
        "WIRE, 8",
        // An answer of the life before passed for the one to a CONNECT, and a wrong key was as good as the right one.
        "OFF, 298",
        // The adapter's last responders were those of another target, whose peers were dead.
        "OFF, 697",
    })
    void whatWasWrongOnceIsRight(Swarm swarm, long seed) {
        assertThat(run(swarm, seed).requests()).isPositive();
    }

    private static Result run(Swarm swarm, long seed) {
        Sweep sweep = Sweep.of(1).from(seed).with(swarm);
        try (World world = sweep.world(seed)) {
            world.faults().arm(sweep.plan(seed));
            return MixedTraffic.run(world, StrandKind.DYNAMIC);
        }
    }
}
