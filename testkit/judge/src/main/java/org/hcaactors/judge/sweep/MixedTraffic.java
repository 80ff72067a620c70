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
 * A program that does many things at once: a seed draws which strands it has ({@link WorkloadKind}; swarm testing, Groce et al.
 * 2012: what is left out makes room for what is in), in which order they act, and when time passes. In the end every
 * request must have ended as its strand allows, and what was written must be there.
 */
public final class MixedTraffic {
    private static final int STEPS = 200;
    private static final int SHORT_PAUSE_NANOS = 4000;
    /** Longer than a retransmission takes. */
    private static final int LONG_PAUSE_NANOS = 150_000;

    private static final Duration REST = Duration.ofSeconds(60);

    private final World world;
    private final SweepContext setting;
    private final SplittableRandom random;
    private final List<Workload> strands = new ArrayList<>();
    /** Each strand as often as it weighs. */
    private final List<Workload> turns = new ArrayList<>();

    private MixedTraffic(World world, List<WorkloadKind> kinds) {
        this.world = world;
        random = RandomStreams.of(world.seed(), "conductor");
        setting = SweepContext.of(world);
        for (WorkloadKind kind : kinds) {
            Workload strand = kind.begin(setting);
            strands.add(strand);
            for (int i = 0; i < kind.weight(); i++) {
                turns.add(strand);
            }
        }
    }

    /** The strands of this seed, at least one, in an order that the seed draws: a fault that strikes by number may strike any of them. */
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
     * Runs the program to its end, with the faults that are armed in the world; then they stop, and all must come to rest.
     *
     * @throws AssertionError if an invariant is broken, bytes are wrong, or a request ended as it may not
     */
    public static Result run(World world) {
        return new MixedTraffic(world, drawn(world)).run();
    }

    /** As {@link #run(World)}, with that strand and no other. */
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
        PendingStages promises = setting.promises();
        promises.await();
        FaultSeverity severity = setting.severity();
        boolean honest = !world.faults().hasForged();
        // The invariants come first: they name what is wrong. Who lost power has no memory to ask, and a forger may
        // write.
        world.heal(REST);
        boolean memoryIsTrue =
                honest && setting.a().memory.isMapped() && setting.b().memory.isMapped();
        if (severity != FaultSeverity.DISASTER) {
            setting.events().crash().ifPresent(MixedTraffic::crashed);
        }
        Result result = promises.judge(severity, memoryIsTrue);
        strands.forEach(Workload::atRest);
        return result;
    }

    /** A request may fail for it as for other reasons, and its strand begin anew. */
    private static void crashed(HcaEvent.Raised raised) {
        throw new AssertionError(raised.port() + "/" + raised.element() + " crashed, and nobody made it");
    }

    private void pause() {
        int max = random.nextInt(8) == 0 ? LONG_PAUSE_NANOS : SHORT_PAUSE_NANOS;
        world.runFor(Duration.ofNanos(random.nextInt(max)));
    }
}
