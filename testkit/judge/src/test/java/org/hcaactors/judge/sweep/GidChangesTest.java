// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** GID tables that change under DC initiators and targets: they work again when their entry is back. */
@Tag("nightly")
class GidChangesTest {
    private static final int SEEDS = 3;

    // rules qp-source-by-index, dc-responder, dc-stream-error, memory-key-work
    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void connectionsOfARemovedGidEntryFailAndRecoverWithIt(Swarm swarm) {
        long packets = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            packets += WorkloadKind.GID_CHANGES.run(swarm, seed).packets();
        }
        assertThat(packets).as("packets of %s", swarm).isPositive();
    }

    // rules qp-source-by-index, rendezvous-dc, rendezvous-incomplete
    @ParameterizedTest
    @EnumSource(value = Swarm.class, names = "RESOURCES", mode = EnumSource.Mode.EXCLUDE)
    void aFetchingQueueSurvivesTheRemovalOfItsGidEntry(Swarm swarm) {
        long packets = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            packets += WorkloadKind.DC_RENDEZVOUS_GID_CHANGES.run(swarm, seed).packets();
        }
        assertThat(packets).as("packets of %s", swarm).isPositive();
    }
}
