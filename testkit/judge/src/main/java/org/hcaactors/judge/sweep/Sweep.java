// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * Runs a program over many seeds, each in a world of its own with faults of its own. Where {@linkplain Watch#NOBODY nobody}
 * watches, faults on packets are left out: who judges packets sees them, and they take the long way.
 *
 * @param first seed
 * @param seeds how many, at least 1; none beyond {@link Long#MAX_VALUE}
 * @param swarm what kinds of faults
 * @param traffic what is run
 * @param watch who looks at the worlds
 * @param threads worlds at a time, at least 1
 * @param stopAtFirst no further seed is begun once one has failed
 */
public record Sweep(
        long first, int seeds, Swarm swarm, Traffic traffic, Watch watch, int threads, boolean stopAtFirst) {
    private static final Duration HORIZON = Duration.ofNanos(150_000);

    /** IllegalArgumentException if there are no such seeds, or no thread. */
    public Sweep {
        if (seeds < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    seeds + " seeds on " + threads + " threads; at least 1 of both is allowed");
        }
        if (first > Long.MAX_VALUE - (seeds - 1)) {
            throw new IllegalArgumentException(
                    seeds + " seeds from " + first + " on; the last seed is " + Long.MAX_VALUE);
        }
    }

    /** A seed that failed. */
    public record Failure(long seed, FaultPlan plan, Throwable reason) {}

    /**
     * What a sweep came to.
     *
     * @param ran seeds that ran
     * @param packets sent by all of them
     * @param struck how often each kind of fault
     * @param requests that ended, one way or another
     * @param succeeded of them
     * @param failures by seed
     */
    public record Report(
            int ran, long packets, Map<FaultKind, Long> struck, long requests, long succeeded, List<Failure> failures) {
        /** How often faults struck. */
        public long firings() {
            return struck.values().stream().mapToLong(Long::longValue).sum();
        }

        public boolean isClean() {
            return failures.isEmpty();
        }
    }

    private record Outcome(
            long seed,
            long packets,
            Map<FaultKind, Long> struck,
            int requests,
            int succeeded,
            Optional<Failure> failure) {}

    public static Sweep of(int seeds) {
        return new Sweep(0, seeds, Swarm.WIRE, Traffic.MIXED, Watch.PROTOCOL, 1, false);
    }

    public Sweep with(Swarm other) {
        return new Sweep(first, seeds, other, traffic, watch, threads, stopAtFirst);
    }

    public Sweep with(Traffic other) {
        return new Sweep(first, seeds, swarm, other, watch, threads, stopAtFirst);
    }

    public Sweep with(Watch other) {
        return new Sweep(first, seeds, swarm, traffic, other, threads, stopAtFirst);
    }

    public Sweep from(long seed) {
        return new Sweep(seed, seeds, swarm, traffic, watch, threads, stopAtFirst);
    }

    public Sweep onThreads(int count) {
        return new Sweep(first, seeds, swarm, traffic, watch, count, stopAtFirst);
    }

    public Sweep untilOneFails() {
        return new Sweep(first, seeds, swarm, traffic, watch, threads, true);
    }

    public Report run() {
        return run(seed -> {}, () -> false);
    }

    /**
     * Runs until all seeds have run, or it shall stop.
     *
     * @param progress told each seed that has run, on the calling thread
     * @param stop asked before further seeds are begun; once true, the report is of those that ran
     * @throws IllegalArgumentException if the traffic does not {@linkplain Traffic#takes take} such faults
     */
    public Report run(LongConsumer progress, BooleanSupplier stop) {
        if (!traffic.takes(swarm)) {
            throw new IllegalArgumentException(traffic + " keeps the rules and counts on its verbs: of " + swarm + ", "
                    + Traffic.WALK + " takes the refusals");
        }
        List<Outcome> outcomes = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            CompletionService<Outcome> worlds = new ExecutorCompletionService<>(workers);
            boolean goesOn = true;
            // Counts and does not compare seeds: behind the last one of all there is none.
            for (long begun = 0, ended = 0; ; ended++) {
                for (; goesOn && begun < seeds && begun - ended < threads && !stop.getAsBoolean(); begun++) {
                    long each = first + begun;
                    worlds.submit(() -> one(each));
                }
                if (begun == ended) {
                    break;
                }
                Outcome outcome = worlds.take().get();
                outcomes.add(outcome);
                goesOn &= !stopAtFirst || outcome.failure.isEmpty();
                progress.accept(outcome.seed);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a seed could not be run", broken.getCause());
        }
        outcomes.sort(Comparator.comparingLong(Outcome::seed));
        return report(outcomes);
    }

    private static Report report(List<Outcome> outcomes) {
        Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        outcomes.forEach(outcome -> outcome.struck.forEach((kind, times) -> struck.merge(kind, times, Long::sum)));
        return new Report(
                outcomes.size(),
                outcomes.stream().mapToLong(Outcome::packets).sum(),
                struck,
                outcomes.stream().mapToLong(Outcome::requests).sum(),
                outcomes.stream().mapToLong(Outcome::succeeded).sum(),
                outcomes.stream().flatMap(outcome -> outcome.failure.stream()).toList());
    }

    /** The faults of a seed. */
    public FaultPlan plan(long seed) {
        FaultPlan plan = traffic.sleeper()
                .map(adapter -> swarm.wakeUps(seed, adapter, HORIZON))
                .orElse(FaultPlan.NONE)
                .and(swarm.plan(seed, List.of("a", "b"), HORIZON));
        return watch == Watch.NOBODY ? plan.without(Fault.OnPackets.class) : plan;
    }

    /** The world of a seed, without its faults. */
    public World world(long seed) {
        return World.of(WorldOptions.of(seed).with(watch));
    }

    private Outcome one(long seed) {
        World world = world(seed);
        FaultPlan plan = plan(seed);
        Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        try {
            Result result = toItsEnd(world, plan, running -> {
                Result ended = traffic.run(running);
                struck.putAll(running.faults().struck());
                return ended;
            });
            return new Outcome(seed, result.packets(), struck, result.requests(), result.succeeded(), Optional.empty());
        } catch (RuntimeException | AssertionError failed) {
            return new Outcome(seed, 0, Map.of(), 0, 0, Optional.of(new Failure(seed, plan, failed)));
        }
    }

    /** Runs the program under these faults, and closes the world; what its network throws when it closes is of the seed, too. */
    static Result toItsEnd(World world, FaultPlan plan, Function<World, Result> program) {
        try (world) {
            world.faults().arm(plan);
            Result result = program.apply(world);
            world.network().close(); // which closing the world does again, and that changes nothing
            return result;
        }
    }
}
