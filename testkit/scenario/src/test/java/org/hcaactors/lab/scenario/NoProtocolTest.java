// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Test;

/** Without a provider of protocol invariants, as here, worlds check programs only, and say so. */
class NoProtocolTest {
    @Test
    void withoutTheJudgeAWorldChecksPrograms() {
        try (World world = World.of(1)) {
            assertThat(world.watch()).isEqualTo(Watch.PROGRAM);
            assertThat(world.invariants()).contains("no-leaked-resources").doesNotContain("completes-once");
        }
    }

    @Test
    void withoutTheJudgeTheProtocolIsRefusedWithItsModule() {
        WorldOptions options = WorldOptions.of(1).with(Watch.PROTOCOL);
        assertThatThrownBy(() -> World.of(options))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("InvariantProvider")
                .hasMessageContaining("testkit/judge")
                .hasMessageContaining("Watch.PROGRAM");
    }
}
