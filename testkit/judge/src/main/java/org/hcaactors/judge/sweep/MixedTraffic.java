// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.world.World;

/**
 * A program that runs many workloads at once: the seed determines which ({@link WorkloadKind}; swarm testing, Groce et al.
 * 2012: leaving some out gives the others more chances), in which order they act, and when time passes. At the end every
 * request must have completed as its workload allows, and the written bytes must be there.
 */
public final class MixedTraffic {
    private static final int STEPS = 200;
    private static final int SHORT_PAUSE_NANOS = 4000;
    /** Longer than a retransmission takes. */
    private static final int LONG_PAUSE_NANOS = 150_000;

    private static final Duration REST = Duration.ofSeconds(60);

    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final List<Workload> strands = new ArrayList<>();
    /** Each workload as often as its weight. */
    private final List<Workload> turns = new ArrayList<>();

    private MixedTraffic(World world, List<WorkloadKind> kinds) {
        this.world = world;
        random = RandomStreams.of(world.seed(), "conductor");
        sweep = SweepContext.of(world);
        for (WorkloadKind kind : kinds) {
            Workload strand = kind.begin(sweep);
            strands.add(strand);
            for (int i = 0; i < kind.weight(); i++) {
                turns.add(strand);
            }
        }
    }

    /**
     * Returns the workloads of this seed, at least one, in an order that the seed draws: a fault that strikes by number may
     * strike any of them.
     */
    private static List<WorkloadKind> drawn(World world) {
        List<WorkloadKind> inOrder = Arrays.stream(WorkloadKind.values())
                .filter(kind -> kind.oddsPercent(world.watch()) > 0)
                .sorted(Comparator.comparingLong(kind -> kind.placeIn(world.seed())))
                .toList();
        List<WorkloadKind> drawn =
                inOrder.stream().filter(kind -> kind.isIn(world)).toList();
        return drawn.isEmpty() ? List.of(inOrder.getLast()) : drawn;
    }

    /**
     * Runs the program to its end under the faults armed in the world; then they stop, and all must come to rest.
     *
     * @throws AssertionError if an invariant is broken, bytes are wrong, or a request ended in a way that is not allowed
     */
    public static Result run(World world) {
        return new MixedTraffic(world, drawn(world)).run();
    }

    /** Runs one workload only, as {@link #run(World)}. */
    static Result run(World world, WorkloadKind alone) {
        return new MixedTraffic(world, List.of(alone)).run();
    }

    private Result run() {
        for (int step = 0; step < STEPS; step++) {
            turns.get(random.nextInt(turns.size())).step();
            if (random.nextInt(8) == 0) {
                pause();
            }
        }
        strands.forEach(Workload::finish);
        strands.forEach(Workload::close);
        PendingStages promises = sweep.promises();
        promises.await();
        FaultSeverity severity = sweep.severity();
        boolean honest = !world.faults().hasForged();
        // The invariants are checked first: they name the cause. A process that lost power has no memory to check, and
        // a forged
        // packet may write.
        world.heal(REST);
        boolean memoryIsTrue =
                honest && sweep.a().memory.isMapped() && sweep.b().memory.isMapped();
        if (severity != FaultSeverity.DISASTER) {
            sweep.events().crash().ifPresent(MixedTraffic::crashed);
        }
        Result result = promises.judge(severity, memoryIsTrue);
        strands.forEach(Workload::atRest);
        return result;
    }

    /**
     * Reports a crash that no fault caused. Other checks may miss it: a request may fail with it as for other reasons, and its
     * workload continue with another life.
     */
    private static void crashed(HcaEvent.Raised raised) {
        throw new AssertionError(raised.port() + "/" + raised.element() + " crashed, but no injected fault caused it");
    }

    private void pause() {
        int max = random.nextInt(8) == 0 ? LONG_PAUSE_NANOS : SHORT_PAUSE_NANOS;
        world.runFor(Duration.ofNanos(random.nextInt(max)));
    }
}
