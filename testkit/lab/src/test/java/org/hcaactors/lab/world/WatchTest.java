// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.pair.ConnectedPair;
import org.junit.jupiter.api.Test;

/** Checks of a world at each level of observation. */
class WatchTest {
    private static List<String> names(Watch watch) {
        try (World world = World.of(WorldOptions.of(1).with(watch))) {
            return world.invariants();
        }
    }

    @Test
    void providedInvariantsAreAddedToThoseOfPrograms() {
        List<String> provided = names(Watch.PROTOCOL);
        assertThat(provided)
                .containsAll(names(Watch.PROGRAM))
                .contains("provided-in-the-trace", "provided-at-rest")
                .doesNotHaveDuplicates();
        assertThat(names(Watch.PROGRAM)).isNotEmpty().doesNotContain("provided-in-the-trace", "provided-at-rest");
        assertThat(names(Watch.NOBODY)).contains("provided-at-rest").doesNotContain("provided-in-the-trace");
    }

    @Test
    void aWorldHasTheStrictestWatch() {
        assertThat(Watch.strictest()).isEqualTo(Watch.PROTOCOL);
        assertThat(WorldOptions.of(1).watch()).isEqualTo(Watch.PROTOCOL);
    }

    @Test
    void aWorldOfAProgramWatchesTheProgramOnly() {
        assertThat(WorldOptions.ofProgram(1, Pace.DRAWN).watch()).isEqualTo(Watch.PROGRAM);
    }

    @Test
    void aWriteToGuardedMemoryIsFoundAsAMistakeOfTheProgram() {
        World world = World.of(WorldOptions.of(1).with(Watch.PROGRAM));
        Adapter a = world.adapter("a");
        var memory = a.process("app").allocate(64);
        world.guard(a, "app", memory);
        memory.write(0, new byte[] {42});
        assertThatThrownBy(() -> world.heal(Duration.ofSeconds(1)))
                .isInstanceOf(InvariantBrokenException.class)
                .hasMessageContaining("guarded-memory");
        assertThatThrownBy(world::close).isInstanceOf(InvariantBrokenException.class);
    }

    @Test
    void adaptersMayWriteToGuardedMemory() {
        try (World world = World.of(WorldOptions.of(1).with(Watch.PROGRAM))) {
            Adapter b = world.adapter("b");
            ConnectedPair pair = world.connect(world.adapter("a"), b);
            world.guard(b, "app", pair.b().memory());
            pair.a().memory().write(0, new byte[] {42});
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
            world.heal(Duration.ofMinutes(1));
            assertThat(pair.b().memory().read(0, 1)).containsExactly(42);
        }
    }
}
