// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tagged messages under all faults: each arrives once, whole, at its receive, or ends with an error. */
class TaggedMessagesTest {
    private static final int SEEDS = 8;

    // rules tag-match, tag-phase, tag-delete-race, rendezvous-finish
    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void everyMessageIsReceivedOnceByItsReceive(Swarm swarm) {
        long packets = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            packets += WorkloadKind.TAGGED.run(swarm, seed).packets();
        }
        assertThat(packets).as("packets of %s", swarm).isPositive();
    }
}
