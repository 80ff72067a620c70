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
import org.hcaactors.lab.shrink.Shrinker;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/**
 * Runs a program with many seeds, each in its own world with its own faults. With {@linkplain Watch#NOBODY no invariants},
 * faults on packets are left out: a packet interceptor would take packets off the fast path.
 *
 * @param first first seed
 * @param seeds number of seeds, at least 1; none beyond {@link Long#MAX_VALUE}
 * @param swarm distribution of the faults
 * @param traffic the program
 * @param watch which invariants watch the worlds
 * @param threads worlds at a time, at least 1
 * @param stopAtFirst true if no further seed begins after one has failed
 */
public record Sweep(
        long first, int seeds, Swarm swarm, Traffic traffic, Watch watch, int threads, boolean stopAtFirst) {
    private static final Duration HORIZON = Duration.ofNanos(150_000);

    /** Creates a sweep; throws IllegalArgumentException if the seeds or threads are out of range. */
    public Sweep {
        if (seeds < 1 || threads < 1) {
            throw new IllegalArgumentException(
                    seeds + " seeds on " + threads + " threads; at least 1 seed and 1 thread are required");
        }
        if (first > Long.MAX_VALUE - (seeds - 1)) {
            throw new IllegalArgumentException(
                    seeds + " seeds from seed " + first + "; the last possible seed is " + Long.MAX_VALUE);
        }
    }

    /**
     * A seed that failed.
     *
     * @param reason message of what it threw
     */
    public record Failure(long seed, FaultPlan plan, String reason) {}

    /**
     * Totals of a sweep.
     *
     * @param ran number of seeds that ran
     * @param packets packets sent by all of them
     * @param struck how often each kind of fault fired
     * @param requests requests that ended in any way
     * @param succeeded how many of them succeeded
     * @param failures failed seeds, by seed
     */
    public record Report(
            int ran, long packets, Map<FaultKind, Long> struck, long requests, long succeeded, List<Failure> failures) {
        /** Returns how often faults fired. */
        public long firings() {
            return struck.values().stream().mapToLong(Long::longValue).sum();
        }

        public boolean isClean() {
            return failures.isEmpty();
        }
    }

    /**
     * The end of one seed.
     *
     * @param packets packets sent; 0 if the seed failed, as the other numbers
     * @param struck how often each kind of fault fired
     * @param requests requests that ended in any way
     * @param succeeded how many of them succeeded
     * @param reason message of what it threw; empty if it did not fail
     */
    public record Outcome(
            long seed,
            long packets,
            Map<FaultKind, Long> struck,
            int requests,
            int succeeded,
            Optional<String> reason) {}

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
     * Runs until all seeds have run or the stop condition holds.
     *
     * @param progress receives each seed that has run, on the calling thread
     * @param stop queried before further seeds begin; once true, the report covers the seeds that ran
     * @throws IllegalArgumentException if the traffic does not {@linkplain Traffic#takes accept} such faults
     */
    public Report run(LongConsumer progress, BooleanSupplier stop) {
        check();
        List<Outcome> outcomes = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            CompletionService<Outcome> worlds = new ExecutorCompletionService<>(workers);
            boolean goesOn = true;
            // Counts instead of comparing seeds: the last possible seed has no successor.
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
                goesOn &= !stopAtFirst || outcome.reason.isEmpty();
                progress.accept(outcome.seed);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a seed could not be run", broken.getCause());
        }
        return report(outcomes);
    }

    /** Throws IllegalArgumentException if the traffic does not {@linkplain Traffic#takes accept} the faults. */
    public void check() {
        if (!traffic.takes(swarm)) {
            throw new IllegalArgumentException("traffic " + traffic + " does not allow swarm " + swarm
                    + ", which refuses verbs; traffic " + Traffic.WALK + " does");
        }
    }

    /** Returns the totals of seeds of this sweep, in any order. */
    public Report report(List<Outcome> outcomes) {
        Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        outcomes.forEach(outcome -> outcome.struck.forEach((kind, times) -> struck.merge(kind, times, Long::sum)));
        return new Report(
                outcomes.size(),
                outcomes.stream().mapToLong(Outcome::packets).sum(),
                struck,
                outcomes.stream().mapToLong(Outcome::requests).sum(),
                outcomes.stream().mapToLong(Outcome::succeeded).sum(),
                outcomes.stream()
                        .sorted(Comparator.comparingLong(Outcome::seed))
                        .flatMap(outcome -> outcome.reason.stream()
                                .map(reason -> new Failure(outcome.seed, plan(outcome.seed), reason)))
                        .toList());
    }

    /** Returns the faults of a seed. */
    public FaultPlan plan(long seed) {
        FaultPlan plan = traffic.sleeper()
                .map(adapter -> swarm.wakeUps(seed, adapter, HORIZON))
                .orElse(FaultPlan.NONE)
                .and(swarm.plan(seed, List.of("a", "b"), HORIZON));
        return watch == Watch.NOBODY ? plan.without(Fault.OnPackets.class) : plan;
    }

    /** Creates the world of a seed, without its faults. */
    public World world(long seed) {
        return World.of(options(seed));
    }

    /** Returns the worlds in which a failing seed is shrunk. Its programs may make mistakes, as in the sweep itself. */
    public Shrinker.Worlds worlds() {
        return (seed, pace) -> options(seed);
    }

    private WorldOptions options(long seed) {
        return WorldOptions.of(seed).with(watch);
    }

    /** Runs one seed on the calling thread. */
    public Outcome one(long seed) {
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
            return new Outcome(seed, 0, Map.of(), 0, 0, Optional.of(String.valueOf(failed.getMessage())));
        }
    }

    /**
     * Runs the program under these faults and closes the world; exceptions from closing the network belong to the seed, too.
     */
    static Result toItsEnd(World world, FaultPlan plan, Function<World, Result> program) {
        try (world) {
            world.faults().arm(plan);
            Result result = program.apply(world);
            world.network().close(); // closing the world closes it again, which has no effect
            return result;
        }
    }
}
