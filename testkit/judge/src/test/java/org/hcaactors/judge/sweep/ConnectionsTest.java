// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs connections by communication management alone; {@link MixedTraffic} runs them among other workloads. */
class ConnectionsTest {
    private static final int SEEDS = 40;
    private static final int MANY_SEEDS = 1_000;

    // rules cm-states, cm-retries, cm-duplicates, cm-disconnect, cm-abandon
    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void everyAttemptEndsAtBothEnds(Swarm swarm) {
        assertThat(packets(swarm, SEEDS)).as("packets of %s", swarm).isPositive();
    }

    @Test
    @Tag("nightly")
    void everyAttemptEndsOnALossyWireOfAThousandSeeds() {
        assertThat(packets(Swarm.WIRE, MANY_SEEDS)).isPositive();
    }

    private static long packets(Swarm swarm, int seeds) {
        long packets = 0;
        for (int seed = 0; seed < seeds; seed++) {
            packets += WorkloadKind.CONNECTIONS.run(swarm, seed).packets();
        }
        return packets;
    }
}
