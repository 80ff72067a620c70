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
 * A run that may fail.
 *
 * @param schedule in which order ready tasks run; empty: as the seed draws
 * @param plan its faults, besides those that the program arms itself
 * @param pace how long the program takes from one step to the next
 * @param own what is armed instead of the program's own, one after the other; those beyond are armed as they are
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
