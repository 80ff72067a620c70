// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.List;
import java.util.Optional;
import org.hcaactors.lab.fault.FaultOverride;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Schedule;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * A candidate run in shrinking.
 *
 * @param schedule order of ready tasks; empty: as the seed draws
 * @param plan faults besides those that the program arms itself
 * @param pace time that the program takes between two steps
 * @param own replacements of the faults that the program arms, in order; further ones are armed unchanged
 */
public record Attempt(
        long seed, Optional<RecordedSchedule> schedule, Pace pace, FaultPlan plan, List<FaultOverride> own) {
    public Attempt {
        own = List.copyOf(own);
    }

    static Attempt of(long seed, Pace pace, FaultPlan plan) {
        return new Attempt(seed, Optional.empty(), pace, plan, List.of());
    }

    Attempt with(FaultPlan other, List<FaultOverride> others) {
        return new Attempt(seed, schedule, pace, other, others);
    }

    Attempt with(RecordedSchedule other) {
        return new Attempt(seed, Optional.of(other), pace, plan, own);
    }

    Attempt with(Pace other) {
        return new Attempt(seed, schedule, other, plan, own);
    }

    World world(Shrinker.Worlds worlds) {
        WorldOptions options = worlds.of(seed, pace);
        return World.of(schedule.map(recorded -> options.with(Schedule.replay(recorded)))
                .orElse(options));
    }
}
