// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In the gallery, too, what an adapter counts of pages is compared with its events. */
class CountedScenariosTest {
    private static final Path PAGES = Path.of("../../docs/guide/scenarios/26-pages-on-demand.conf");

    // rules paging-counters, paging-gauges
    @ParameterizedTest
    @EnumSource(names = {"A_GAUGE_ONLY_RISES", "COUNTS_WHAT_IT_DOES_NOT_MAP"})
    void aWrongCountBreaksAScenario(PagingBug bug) throws Exception {
        Scenario scenario = Scenario.parse(Files.readString(PAGES), PAGES.toString());
        AutoCloseable planted = bug.plant();
        try (planted;
                ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            assertThat(run.outcome().broken())
                    .hasValueSatisfying(what -> assertThat(what).contains("page-counters"));
        }
    }
}
