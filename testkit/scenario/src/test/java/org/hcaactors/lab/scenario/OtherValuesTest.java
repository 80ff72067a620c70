// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.junit.jupiter.api.Test;

/** An adapter of a scenario that differs from its model. */
class OtherValuesTest {
    private static Scenario scenario(String adapterB) {
        return Scenario.parse("""
                title = "t"
                adapters { a {}, b { %s } }
                objects  { pair { type = rc, between = [a, b] } }
                traffic  = [ { on = pair, masked-add = 8 } ]
                """.formatted(adapterB), "t");
    }

    @Test
    void valuesAreSetInTheOrderOfProfiles() {
        Profile made = scenario("profile = no-atomics, with { atomics { masked-sizes = [4, 8], scope = global } }")
                .adapters()
                .get(1)
                .profile();
        assertThat(made.atomics().scope()).isEqualTo(AtomicScope.GLOBAL);
        assertThat(made.atomics().hasMasked(8)).isTrue();
        assertThat(made.queues()).isEqualTo(Profile.NO_ATOMICS.queues());
    }

    @Test
    void theAdapterBehavesAsItsValues() {
        try (ScenarioRun run = ScenarioRun.of(scenario("with { atomics.masked-sizes = none }"), 1)) {
            assertThat(run.outcome().completions()).containsEntry(Status.REM_INV_REQ_ERR, 1L);
        }
        try (ScenarioRun run = ScenarioRun.of(scenario(""), 1)) {
            assertThat(run.outcome().completions()).containsEntry(Status.SUCCESS, 1L);
        }
    }
}
