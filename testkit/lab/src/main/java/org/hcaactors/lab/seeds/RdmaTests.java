// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.world.AdapterPlan;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.RecordedSchedule;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.opentest4j.TestAbortedException;

/**
 * What {@code @RdmaTest} is in JUnit, for whatever else runs tests, and for a {@code main}: a program in worlds of its own, once for each
 * seed, until one fails.
 *
 * <pre>{@code
 * RdmaTests.seeds(300).swarm(Swarm.WIRE).invariant(NothingTwice::new).run(world -> {
 *     Store store = new Store(world.adapter("store"));
 *     ...
 * });
 * }</pre>
 *
 * <p>{@code -Drdma.seed=118} runs that seed alone, {@code -Drdma.seeds=1000} that many; a failed run leaves its pictures below {@code
 * target/rdma} ({@code -Drdma.out}) and is made small ({@code -Drdma.shrink=0}: not).
 *
 * <p>Immutable: each of its methods returns another one.
 */
public final class RdmaTests {
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** They stand between a test and its runs. */
    private static final Set<String> OWN = Set.of(RdmaTests.class.getName(), "org.hcaactors.lab.kotlin.WorldsKt");

    /** What is run in a world. */
    @FunctionalInterface
    public interface Program {
        void run(World world) throws Exception;
    }

    private final long first;
    private final long count;
    private final Optional<String> name;
    private final TestSettings settings;

    private RdmaTests(long first, long count, Optional<String> name, TestSettings settings) {
        this.first = first;
        this.count = count;
        this.name = name;
        this.settings = settings;
    }

    /**
     * So many, from 0.
     *
     * @param count at least 1
     */
    public static RdmaTests seeds(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("seeds(" + count + "); at least 1 is allowed");
        }
        return new RdmaTests(0, count, Optional.empty(), TestSettings.DEFAULT);
    }

    /** That one alone. */
    public static RdmaTests seed(long seed) {
        return new RdmaTests(seed, 1, Optional.empty(), TestSettings.DEFAULT);
    }

    /** The first of them. */
    public RdmaTests from(long seed) {
        return new RdmaTests(seed, count, name, settings);
    }

    /** What the test is called where it is told of; the method that runs it, if nobody says. */
    public RdmaTests named(String words) {
        return new RdmaTests(first, count, Optional.of(words), settings);
    }

    private RdmaTests with(TestSettings other) {
        return new RdmaTests(first, count, name, other);
    }

    /** Faults that each seed draws besides those that the program arms. */
    public RdmaTests swarm(Swarm swarm) {
        return with(settings.with(swarm));
    }

    /** It may pass although a fault that it armed, or the whole swarm, struck in none of its runs. */
    public RdmaTests allowUnstruckFaults() {
        return with(settings.allowingUnstruckFaults());
    }

    /** The program may make these mistakes, and no others: each of those fails the test. */
    public RdmaTests allow(ProgramCheck... mistakes) {
        return with(settings.allowing(new HashSet<>(List.of(mistakes))));
    }

    /** The longest pause between two steps of the program, in virtual nanoseconds, see {@link Pace}; with 0 its steps take no time. */
    public RdmaTests longestPauseNanos(long nanos) {
        return with(settings.with(new Pace(nanos)));
    }

    /** Who looks at its worlds; programs are judged, if nobody says. */
    public RdmaTests watch(Watch watch) {
        return with(settings.with(watch));
    }

    /** One more checker of the test's own, made anew for each run. */
    public RdmaTests invariant(Supplier<? extends Invariant> own) {
        return with(settings.with(own));
    }

    /** The cable of each adapter that has none of its own. */
    public RdmaTests link(LinkProperties link) {
        return with(settings.with(settings.adapters().with(link)));
    }

    /** The cable of the adapter of that name. */
    public RdmaTests link(String adapter, LinkProperties link) {
        return with(settings.with(settings.adapters().with(adapter, link)));
    }

    /** The model of the adapters that are named and of which nobody says another one. */
    public RdmaTests profile(Profile profile) {
        return with(settings.with(settings.adapters().with(profile)));
    }

    /**
     * The same by its name.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public RdmaTests profile(String named) {
        return profile(AdapterPlan.profileNamed(named));
    }

    /** The order of a recorded run, instead of one that the seed draws: {@code schedule-1:...}, or {@code file:} and where it is. */
    public RdmaTests schedule(String recorded) {
        return with(settings.with(RecordedSchedule.named(recorded)));
    }

    /**
     * Runs it, on the calling thread, to the first seed that fails.
     *
     * @throws RdmaFailure for that one, which stands in its message
     * @throws AssertionError if faults were asked for and none of them struck
     * @throws TestAbortedException if the program aborted every run by one
     */
    public void run(Program program) {
        run(program, RunProperties.ofJvm());
    }

    void run(Program program, RunProperties asked) {
        List<Long> seeds = asked.seeds(first, count);
        StackFrame caller = CALLERS.walk(frames -> frames.filter(frame -> !OWN.contains(frame.getClassName()))
                .findFirst()
                .orElseThrow());
        TestName test = nameOf(caller);
        SeedTally tally = new SeedTally(seeds.size(), settings.swarm());
        TestConclusion conclusion = new TestConclusion(
                tally,
                test.words(),
                !settings.allowUnstruckFaults() && asked.one().isEmpty(),
                "RdmaTests.allowUnstruckFaults()");
        BuiltTest again = new BuiltTest(caller.getDeclaringClass(), settings, program);
        List<TestAbortedException> aborted = new ArrayList<>();
        try {
            for (long seed : seeds) {
                run(
                        program,
                        new SeedRun(
                                test,
                                settings,
                                settings.world(seed),
                                RunProgress.NOTHING,
                                tally,
                                Optional.of(again),
                                asked),
                        aborted);
            }
        } catch (RdmaFailure failed) {
            System.out.println(test.words() + ": " + tally.summary());
            throw failed;
        }
        conclusion.draw(summary -> {});
        if (aborted.size() == seeds.size()) {
            throw aborted.getFirst();
        }
    }

    private static void run(Program program, SeedRun run, List<TestAbortedException> aborted) {
        try {
            run.run(() -> program.run(run.world()));
        } catch (TestAbortedException skipped) {
            aborted.add(skipped);
        } catch (RdmaFailure failed) {
            run.closeBroken();
            throw failed;
        }
        run.close();
    }

    private TestName nameOf(StackFrame caller) {
        String type = caller.getClassName().split("\\$", 2)[0];
        return new TestName(
                type,
                name.orElseGet(() -> methodOf(caller)),
                seed -> "this test with -D" + RunProperties.ONE + "=" + seed);
    }

    /** A lambda is named by the method in which it stands: {@code lambda$method$0} by javac, {@code method$lambda$0} by Kotlin. */
    private static String methodOf(StackFrame caller) {
        String[] parts = caller.getMethodName().split("\\$");
        return parts.length > 1 && parts[0].equals("lambda") ? parts[1] : parts[0];
    }
}
