// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rendezvous messages over DC under all faults: the data arrives once, or is left to the program. */
class DcRendezvousTest {
    private static final int SEEDS = 6;

    // rules rendezvous-dc, rendezvous-finish, rendezvous-incomplete
    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void everyMessageIsFetchedOnceOrLeftToTheProgram(Swarm swarm) {
        long packets = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            packets += WorkloadKind.DC_RENDEZVOUS.run(swarm, seed).packets();
        }
        assertThat(packets).as("packets of %s", swarm).isPositive();
    }
}
