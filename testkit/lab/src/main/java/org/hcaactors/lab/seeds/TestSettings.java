// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.world.AdapterPlan;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Schedule;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * Settings of a test's worlds and faults, the same for all of its seeds and for shrinking.
 *
 * @param swarm faults that each seed draws besides those that the test arms
 * @param allowUnstruckFaults true if the test may pass although a requested fault struck in none of its runs
 * @param pace time that the program takes between two steps
 * @param watch how closely the worlds are observed
 * @param invariants the user's invariants, created for each run
 * @param adapters adapters that the test names
 * @param schedule order of a recorded run; empty: as the seed draws
 * @param allowed mistakes of programs that do not fail a run
 */
public record TestSettings(
        Swarm swarm,
        boolean allowUnstruckFaults,
        Pace pace,
        Watch watch,
        List<Supplier<? extends Invariant>> invariants,
        AdapterPlan adapters,
        Optional<RecordedSchedule> schedule,
        Set<ProgramCheck> allowed)
        implements Shrinker.Worlds {
    public static final TestSettings DEFAULT = new TestSettings(
            Swarm.OFF, false, Pace.DRAWN, Watch.PROGRAM, List.of(), AdapterPlan.DEFAULT, Optional.empty(), Set.of());

    public TestSettings {
        invariants = List.copyOf(invariants);
        allowed = Set.copyOf(allowed);
    }

    public TestSettings with(Swarm other) {
        return new TestSettings(other, allowUnstruckFaults, pace, watch, invariants, adapters, schedule, allowed);
    }

    public TestSettings allowingUnstruckFaults() {
        return new TestSettings(swarm, true, pace, watch, invariants, adapters, schedule, allowed);
    }

    public TestSettings with(Pace other) {
        return new TestSettings(swarm, allowUnstruckFaults, other, watch, invariants, adapters, schedule, allowed);
    }

    public TestSettings with(Watch other) {
        return new TestSettings(swarm, allowUnstruckFaults, pace, other, invariants, adapters, schedule, allowed);
    }

    /** Adds an invariant. */
    public TestSettings with(Supplier<? extends Invariant> own) {
        List<Supplier<? extends Invariant>> more = new ArrayList<>(invariants);
        more.add(own);
        return new TestSettings(swarm, allowUnstruckFaults, pace, watch, more, adapters, schedule, allowed);
    }

    public TestSettings with(AdapterPlan other) {
        return new TestSettings(swarm, allowUnstruckFaults, pace, watch, invariants, other, schedule, allowed);
    }

    public TestSettings with(RecordedSchedule recorded) {
        return new TestSettings(
                swarm, allowUnstruckFaults, pace, watch, invariants, adapters, Optional.of(recorded), allowed);
    }

    public TestSettings allowing(Set<ProgramCheck> mistakes) {
        return new TestSettings(swarm, allowUnstruckFaults, pace, watch, invariants, adapters, schedule, mistakes);
    }

    @Override
    public WorldOptions of(long seed, Pace other) {
        return WorldOptions.ofProgram(seed, other)
                .with(watch)
                .with(adapters)
                .with(checks())
                .with(invariants.stream().map(Supplier::get).toArray(Invariant[]::new));
    }

    private Set<ProgramCheck> checks() {
        Set<ProgramCheck> checks = EnumSet.allOf(ProgramCheck.class);
        checks.removeAll(allowed);
        return checks;
    }

    public World world(long seed) {
        WorldOptions options = of(seed, pace);
        return World.of(schedule.map(recorded -> options.with(Schedule.replay(recorded)))
                .orElse(options));
    }
}
