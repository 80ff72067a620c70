// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.judge.sweep.Traffic;
import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random walks over the verbs under swarms of faults; {@code -Drdma.seeds=1000} walks further. */
class WalkTest {
    private static final int SEEDS = Integer.getInteger("rdma.seeds", 25);

    @ParameterizedTest
    @EnumSource(Swarm.class)
    void everyCallEndsAsInTheModel(Swarm swarm) {
        Sweep.Report report =
                Sweep.of(SEEDS).with(swarm).with(Traffic.WALK).onThreads(2).run();
        assertThat(report.failures()).isEmpty();
        assertThat(report.succeeded()).isGreaterThan(SEEDS * 10L);
    }
}
