// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Schedule;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.lab.world.WorldStalledException;
import org.junit.jupiter.api.Test;

/** Tests the order of steps: in order, by seed, or as recorded. */
class ScheduleTest {
    private record RecordedRun(List<TraceEvent> events, RecordedSchedule schedule) {}

    private static RecordedRun run(WorldOptions options) {
        try (World world = World.of(options)) {
            world.faults().arm(Sweep.of(1).with(Swarm.WIRE).plan(options.seed()));
            MixedTraffic.run(world);
            return new RecordedRun(world.trace().events(), world.recordedSchedule());
        }
    }

    @Test
    void aRecordedScheduleReproducesTheRunAlsoFromItsText() {
        RecordedRun first = run(WorldOptions.of(7));
        RecordedSchedule stored = RecordedSchedule.parse(first.schedule.toString());
        assertThat(stored).isEqualTo(first.schedule).hasSameHashCodeAs(first.schedule);
        RecordedRun again = run(WorldOptions.of(7).with(Schedule.replay(stored)));
        assertThat(again.events.toString()).isEqualTo(first.events.toString());
        assertThat(again.schedule).isEqualTo(first.schedule);
    }

    @Test
    void inOrderIsTheEmptySchedule() {
        RecordedRun inOrder = run(WorldOptions.of(7).with(Schedule.inOrder()));
        RecordedRun nothing = run(WorldOptions.of(7).with(Schedule.replay(RecordedSchedule.parse("schedule-1:"))));
        assertThat(nothing.events.toString()).isEqualTo(inOrder.events.toString());
        assertThat(inOrder.events.toString())
                .isNotEqualTo(run(WorldOptions.of(7)).events.toString());
    }

    @Test
    void anInvalidScheduleIsRefused() {
        assertThatThrownBy(() -> RecordedSchedule.parse("whatever"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schedule-1:");
        assertThatThrownBy(() -> RecordedSchedule.parse("schedule-1:!")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEndlessCycleOfTasksAtOneTimeIsAStall() {
        World world = World.of(WorldOptions.of(1).with(Watch.RECORDED));
        Runnable[] circle = new Runnable[1];
        var executor = world.system()
                .dispatchers()
                .lookup(org.apache.pekko.actor.typed.DispatcherSelector.defaultDispatcher());
        circle[0] = () -> executor.execute(circle[0]);
        circle[0].run();
        assertThatThrownBy(() -> world.runFor(java.time.Duration.ofNanos(1)))
                .isInstanceOf(WorldStalledException.class)
                .hasMessageContaining("some tasks submit each other without end");
    }
}
