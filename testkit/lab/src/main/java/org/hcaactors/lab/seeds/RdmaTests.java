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
 * The counterpart of {@code @RdmaTest} for other test frameworks and for a {@code main}: runs a program in a new world for each
 * seed, until one fails.
 *
 * <pre>{@code
 * RdmaTests.seeds(300).swarm(Swarm.WIRE).invariant(NothingTwice::new).run(world -> {
 *     Store store = new Store(world.adapter("store"));
 *     ...
 * });
 * }</pre>
 *
 * <p>{@code -Drdma.seed=118} runs only that seed, {@code -Drdma.seeds=1000} runs 1000 seeds. A failed run leaves its pictures
 * below {@code target/rdma} ({@code -Drdma.out}) and is shrunk ({@code -Drdma.shrink=0} turns this off).
 *
 * <p>Immutable: each of its methods returns a new object.
 */
public final class RdmaTests {
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Classes between a test and its runs. */
    private static final Set<String> OWN = Set.of(RdmaTests.class.getName(), "org.hcaactors.lab.kotlin.WorldsKt");

    /** A program that runs in a world. */
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
     * Returns a test of the given number of seeds, from 0.
     *
     * @param count at least 1
     */
    public static RdmaTests seeds(long count) {
        if (count < 1) {
            throw new IllegalArgumentException("seeds(" + count + "); at least 1 is allowed");
        }
        return new RdmaTests(0, count, Optional.empty(), TestSettings.DEFAULT);
    }

    /** Returns a test of that seed only. */
    public static RdmaTests seed(long seed) {
        return new RdmaTests(seed, 1, Optional.empty(), TestSettings.DEFAULT);
    }

    /** Sets the first seed. */
    public RdmaTests from(long seed) {
        return new RdmaTests(seed, count, name, settings);
    }

    /** Sets the test's name in messages; by default the method that runs it. */
    public RdmaTests named(String words) {
        return new RdmaTests(first, count, Optional.of(words), settings);
    }

    private RdmaTests with(TestSettings other) {
        return new RdmaTests(first, count, name, other);
    }

    /** Adds faults that each seed draws besides those that the program arms. */
    public RdmaTests swarm(Swarm swarm) {
        return with(settings.with(swarm));
    }

    /** Lets the test pass although a fault that it armed, or the whole swarm, struck in none of its runs. */
    public RdmaTests allowUnstruckFaults() {
        return with(settings.allowingUnstruckFaults());
    }

    /** Permits these mistakes to the program; any other mistake fails the test. */
    public RdmaTests allow(ProgramCheck... mistakes) {
        return with(settings.allowing(new HashSet<>(List.of(mistakes))));
    }

    /**
     * Sets the longest pause between two steps of the program, in virtual nanoseconds, see {@link Pace}; with 0, steps take no
     * time.
     */
    public RdmaTests longestPauseNanos(long nanos) {
        return with(settings.with(new Pace(nanos)));
    }

    /** Sets how closely the worlds are observed; by default programs are checked. */
    public RdmaTests watch(Watch watch) {
        return with(settings.with(watch));
    }

    /** Adds an invariant of the test's own, created for each run. */
    public RdmaTests invariant(Supplier<? extends Invariant> own) {
        return with(settings.with(own));
    }

    /** Sets the link of every adapter that has none of its own. */
    public RdmaTests link(LinkProperties link) {
        return with(settings.with(settings.adapters().with(link)));
    }

    /** Sets the link of the adapter of that name. */
    public RdmaTests link(String adapter, LinkProperties link) {
        return with(settings.with(settings.adapters().with(adapter, link)));
    }

    /** Sets the model of the adapters that are named without another profile. */
    public RdmaTests profile(Profile profile) {
        return with(settings.with(settings.adapters().with(profile)));
    }

    /**
     * Sets the model by the profile's name.
     *
     * @throws IllegalArgumentException if no profile has that name
     */
    public RdmaTests profile(String named) {
        return profile(AdapterPlan.profileNamed(named));
    }

    /**
     * Sets a recorded order instead of one that the seed draws: {@code schedule-1:...}, or {@code file:} and the name of a
     * file.
     */
    public RdmaTests schedule(String recorded) {
        return with(settings.with(RecordedSchedule.named(recorded)));
    }

    /**
     * Runs the program on the calling thread until a seed fails.
     *
     * @throws RdmaFailure for the first failing seed, which is in the message
     * @throws AssertionError if requested faults never struck
     * @throws TestAbortedException if the program aborted every run with one
     */
    public void run(Program program) {
        run(program, RunProperties.ofJvm());
    }

    void run(Program program, RunProperties properties) {
        List<Long> seeds = properties.seeds(first, count);
        StackFrame caller = CALLERS.walk(frames -> frames.filter(frame -> !OWN.contains(frame.getClassName()))
                .findFirst()
                .orElseThrow());
        TestName test = nameOf(caller);
        SeedTally tally = new SeedTally(seeds.size(), settings.swarm());
        TestConclusion conclusion = new TestConclusion(
                tally,
                test.words(),
                !settings.allowUnstruckFaults() && properties.one().isEmpty(),
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
                                properties),
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

    /**
     * Returns the method's name; a lambda has that of its method: {@code lambda$method$0} by javac, {@code method$lambda$0} by
     * Kotlin.
     */
    private static String methodOf(StackFrame caller) {
        String[] parts = caller.getMethodName().split("\\$");
        return parts.length > 1 && parts[0].equals("lambda") ? parts[1] : parts[0];
    }
}
