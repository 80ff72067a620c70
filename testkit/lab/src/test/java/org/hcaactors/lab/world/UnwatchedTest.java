// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.invariant.TraceState;
import org.junit.jupiter.api.Test;

/** Checks that remain in a world that is not observed. */
class UnwatchedTest {
    /** A user's invariant that never holds. */
    private record Breaks(boolean whenIdle) implements Invariant {
        @Override
        public String name() {
            return "never-holds";
        }

        @Override
        public void on(TraceEvent event, TraceState traceState, Report report) {
            report.broken("it was shown an event");
        }

        @Override
        public void whenIdle(TraceState traceState, Report report) {
            if (whenIdle) {
                report.broken("at rest");
            }
        }

        @Override
        public void atEnd(Report report) {
            report.broken("at the end");
        }
    }

    private static World world(Invariant... own) {
        return World.of(WorldOptions.of(1).with(Watch.NOBODY).with(own));
    }

    @Test
    void aCustomInvariantIsCheckedAtTheEnd() {
        World world = world(new Breaks(false));
        world.adapter("a");
        world.settle();
        assertThat(world.invariants()).contains("never-holds");
        assertThatThrownBy(world::close)
                .isInstanceOf(InvariantBrokenException.class)
                .hasMessageContaining("at the end");
    }

    @Test
    void aCustomInvariantIsCheckedAtRest() {
        World world = world(new Breaks(true));
        assertThatThrownBy(() -> world.heal(Duration.ofSeconds(1)))
                .isInstanceOf(InvariantBrokenException.class)
                .hasMessageContaining("at rest");
        assertThatThrownBy(world::close).isInstanceOf(InvariantBrokenException.class);
    }

    @Test
    void noMemoryIsGuarded() {
        try (World world = world()) {
            var memory = world.adapter("a").process("app").allocate(64);
            assertThatThrownBy(() -> world.guard(world.adapter("a"), "app", memory))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no invariant watches");
        }
    }
}
