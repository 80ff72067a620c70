package org.hcaactors.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.hcaactors.lab.sweep.Sweep;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sweep finds deliberate bugs: each within 200 seeds. Three of them run always, all of them with {@code
 * -Drdma.planted=all}.
 */
class PlantedBugsTest {
    private static final int SEEDS = 200;
    private static final Set<PlantedBug> ALWAYS = EnumSet.of(
            PlantedBug.EXECUTES_AN_ATOMIC_AGAIN, PlantedBug.USES_A_REVOKED_LEASE, PlantedBug.LOSES_A_NOTIFICATION);

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void theSweepFindsItWithinTwoHundredSeeds(PlantedBug bug) throws Exception {
        boolean all = "all".equals(System.getProperty("rdma.planted"));
        Assumptions.assumeTrue(all || ALWAYS.contains(bug), "run with -Drdma.planted=all");
        Sweep.Report report;
        AutoCloseable planted = bug.plant();
        try (planted) {
            report = Sweep.of(SEEDS).untilOneFails().run();
        }
        assertThat(report.failures()).as("%s, in %d seeds", bug, SEEDS).isNotEmpty();
        System.out.println(
                bug + " found by seed " + report.failures().getFirst().seed() + ": "
                        + report.failures().getFirst().why().getMessage());
    }

    @Test
    void withoutABugTheSameSweepFindsNothing() {
        assertThat(Sweep.of(20).run().failures()).isEmpty();
    }
}
