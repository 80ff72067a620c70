package org.hcaactors.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.sweep.Sweep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweep finds deliberate bugs: each within 200 seeds. */
class PlantedBugsTest {
    private static final int SEEDS = 200;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void theSweepFindsItWithinTwoHundredSeeds(PlantedBug bug) throws Exception {
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
