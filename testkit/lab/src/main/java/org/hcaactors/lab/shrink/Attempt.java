package org.hcaactors.lab.shrink;

import java.util.Optional;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Schedule;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * A run that may fail.
 *
 * @param schedule in which order ready tasks run; empty: as the seed draws
 * @param plan its faults
 */
public record Attempt(long seed, Optional<RecordedSchedule> schedule, FaultPlan plan) {
    Attempt with(FaultPlan other) {
        return new Attempt(seed, schedule, other);
    }

    Attempt with(RecordedSchedule other) {
        return new Attempt(seed, Optional.of(other), plan);
    }

    World world() {
        WorldOptions options = WorldOptions.of(seed);
        return World.of(schedule.map(recorded -> options.with(Schedule.replay(recorded)))
                .orElse(options));
    }
}
