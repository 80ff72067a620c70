// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.fabric.cable.RecordedCable;
import org.hcaactors.fabric.link.FabricLimits;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;

/**
 * Options of a world.
 *
 * @param seed seed of every random choice
 * @param schedule order in which ready tasks run
 * @param limits limits of the fabric
 * @param watch how closely the world is observed
 * @param invariants the user's invariants, besides the standard ones; if the world is {@linkplain Watch#NOBODY not observed}
 *     they are checked only when it is idle and at the end, and if it is only {@linkplain Watch#RECORDED recorded}, not at all
 * @param numbers first object numbers of an adapter, by its name
 * @param machines the host machine of an adapter, by its name
 * @param variables the environment of every process; empty by default, so that a run is the same on every computer
 * @param verbsTakeTime true if registrations, windows and wake-ups take the virtual time of the profile
 * @param pace time that programs take between two steps
 * @param adapters adapters that {@link World#adapter(String)} plugs in
 * @param checks mistakes of programs that fail a run, in a world whose events invariants receive
 * @param cable a capture in place of a peer; the adapters have the addresses of this side in it
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
        Set<ProgramCheck> checks,
        Optional<RecordedCable> cable) {
    public WorldOptions {
        invariants = List.copyOf(invariants);
        variables = Map.copyOf(variables);
        checks = Set.copyOf(checks);
        watch = cable.isPresent() && watch == Watch.PROTOCOL ? Watch.PROGRAM : watch;
    }

    /**
     * Returns options for a seed that draws the order of ready tasks and the first object numbers of adapters. Programs take no
     * time, and {@linkplain Watch#strictest() everything that can be checked} is checked.
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
                Set.of(),
                Optional.empty());
    }

    /**
     * Returns options for a program under test: the world {@linkplain Watch#PROGRAM checks programs}, its steps take the time
     * that the pace draws, verbs take time if steps do, and its {@linkplain ProgramCheck mistakes} fail the run.
     */
    public static WorldOptions ofProgram(long seed, Pace pace) {
        WorldOptions options = of(seed).with(Watch.PROGRAM).with(pace).with(EnumSet.allOf(ProgramCheck.class));
        return pace.equals(Pace.INSTANT) ? options : options.takingTime();
    }

    // rules memory-verb-times, notify-times
    /** Registrations, windows and wake-ups take the virtual time of the profile instead of none. */
    public WorldOptions takingTime() {
        return new WorldOptions(
                seed,
                schedule,
                limits,
                watch,
                invariants,
                numbers,
                machines,
                variables,
                true,
                pace,
                adapters,
                checks,
                cable);
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
                checks,
                cable);
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
                checks,
                cable);
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
                checks,
                cable);
    }

    /** Every adapter uses these first numbers, whatever the seed. */
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
                checks,
                cable);
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
                checks,
                cable);
    }

    /** Every adapter is in a host machine of this kind. */
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
                checks,
                cable);
    }

    /** Every process has this environment and no other variables. */
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
                checks,
                cable);
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
                checks,
                cable);
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
                checks,
                cable);
    }

    /** These mistakes of programs fail a run, and no others. */
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
                others,
                cable);
    }

    /**
     * A capture plays a peer of the world's adapters. The protocol's invariants watch both ends of a connection, so the world is
     * observed as by {@link Watch#PROGRAM} at most.
     */
    public WorldOptions with(RecordedCable recorded) {
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
                checks,
                Optional.of(recorded));
    }
}
