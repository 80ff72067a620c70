// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;

/**
 * How a world is made.
 *
 * @param seed of every lot that is drawn in it
 * @param schedule in which order ready tasks run
 * @param limits of the fabric
 * @param watch who looks at it
 * @param invariants checkers of the user's, besides the standard ones; where {@linkplain Watch#NOBODY nobody} watches they are
 *     asked only at rest and at the end, and where the world is only {@linkplain Watch#RECORDED recorded} not at all
 * @param numbers where the numbers of an adapter begin, by its name
 * @param machines what an adapter sits in, by its name
 * @param variables the environment of every process; none unless they are named, so that a run is the same anywhere
 * @param verbsTakeTime registrations, windows and wake-ups take the virtual time that profiles say
 * @param pace how long programs take from one step to the next
 * @param adapters what those are that {@link World#adapter(String)} plugs in
 * @param checks the mistakes of programs that end a run, in a world whose events invariants see
 */
public record WorldOptions(
        long seed,
        Schedule schedule,
        FabricLimits limits,
        Watch watch,
        List<? extends Invariant> invariants,
        Function<String, FirstNumbers> numbers,
        Function<String, HostMachine> machines,
        Map<String, String> variables,
        boolean verbsTakeTime,
        Pace pace,
        AdapterPlan adapters,
        Set<ProgramCheck> checks) {
    public WorldOptions {
        invariants = List.copyOf(invariants);
        variables = Map.copyOf(variables);
        checks = Set.copyOf(checks);
    }

    /**
     * Ready tasks run in an order that the seed draws, and so are the first numbers of adapters; programs take no time, and {@linkplain
     * Watch#strictest() everything that can be} is checked.
     */
    public static WorldOptions of(long seed) {
        return new WorldOptions(
                seed,
                Schedule.random(seed),
                FabricLimits.DEFAULT,
                Watch.strictest(),
                List.of(),
                adapter -> RandomStreams.numbers(seed, adapter),
                adapter -> HostMachine.DEFAULT,
                Map.of(),
                false,
                Pace.INSTANT,
                AdapterPlan.DEFAULT,
                Set.of());
    }

    /**
     * The same for a program that is to be tested, and that {@linkplain Watch#PROGRAM is judged}: its steps take the time that the pace
     * draws, and verbs theirs, if steps do; and its {@linkplain ProgramCheck mistakes} end the run.
     */
    public static WorldOptions ofProgram(long seed, Pace pace) {
        WorldOptions options = of(seed).with(Watch.PROGRAM).with(pace).with(EnumSet.allOf(ProgramCheck.class));
        return pace.equals(Pace.INSTANT) ? options : options.takingTime();
    }

    // rules memory-verb-times, notify-times
    /** Registrations, windows and wake-ups take the virtual time that profiles say, and not none. */
    public WorldOptions takingTime() {
        return new WorldOptions(
                seed, schedule, limits, watch, invariants, numbers, machines, variables, true, pace, adapters, checks);
    }

    public WorldOptions with(Schedule other) {
        return new WorldOptions(
                seed,
                other,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    public WorldOptions with(FabricLimits other) {
        return new WorldOptions(
                seed,
                schedule,
                other,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    public WorldOptions with(Invariant... own) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                List.of(own),
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    /** Every adapter begins there, whatever the seed. */
    public WorldOptions with(FirstNumbers fixed) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                adapter -> fixed,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    public WorldOptions with(Watch other) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                other,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    /** Every adapter sits in one like this. */
    public WorldOptions with(HostMachine same) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                adapter -> same,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    /** The environment of every process, and of nothing else. */
    public WorldOptions with(Map<String, String> environment) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                environment,
                verbsTakeTime,
                pace,
                adapters,
                checks);
    }

    public WorldOptions with(Pace other) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                other,
                adapters,
                checks);
    }

    public WorldOptions with(AdapterPlan other) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                other,
                checks);
    }

    /** These mistakes of programs end a run, and no others. */
    public WorldOptions with(Set<ProgramCheck> others) {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                verbsTakeTime,
                pace,
                adapters,
                others);
    }
}
