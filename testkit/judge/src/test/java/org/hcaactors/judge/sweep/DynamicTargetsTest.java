// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs DC alone; {@link MixedTraffic} runs it among other workloads. */
class DynamicTargetsTest {
    private static final int SEEDS = 6;

    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void everyRequestEndsAndIsExecutedAtMostOnce(Swarm swarm) {
        int succeeded = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            succeeded += WorkloadKind.DYNAMIC.run(swarm, seed).succeeded();
        }
        assertThat(succeeded).isGreaterThan(SEEDS * 10);
    }
}
