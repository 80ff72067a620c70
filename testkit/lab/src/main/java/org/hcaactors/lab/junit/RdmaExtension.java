// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Pace;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Gives tests their worlds: to each test one of its own, or to a {@link SharedWorld} class one for all. Besides {@link
 * RdmaTest}, {@code @ExtendWith(RdmaExtension.class)} serves plain {@code @Test} methods. It keeps nothing static, so tests
 * may run at the same time.
 */
public final class RdmaExtension
        implements TestTemplateInvocationContextProvider,
                ParameterResolver,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                InvocationInterceptor {
    /** Where pictures of failed tests go; {@code target/rdma} if not set. */
    public static final String FOLDER = "rdma.out";

    /** Runs that are tried to make the first failing seed small; {@value #SHRINK_RUNS} if not set, 0 turns it off. */
    public static final String SHRINK = "rdma.shrink";

    private static final int SHRINK_RUNS = 200;
    private static final Namespace SPACE = Namespace.create(RdmaExtension.class);
    /** How long a world may take to come to rest when its test has returned. */
    private static final Duration REST = Duration.ofSeconds(10);

    /** Names of Kotlin's may hold them. */
    private static final String NOT_IN_FILE_NAMES = "[\\\\/:*?\"<>|]";

    /** Failed seeds of a test that leave pictures. */
    private static final int PICTURED = 3;
    /** Failed seeds after which the others are skipped. */
    private static final int ENOUGH = 10;

    private record Run(long seed, String schedule, Swarm swarm, Pace pace, Watch watch) {
        WorldOptions options() {
            return WorldOptions.ofProgram(seed, pace).with(watch);
        }
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return annotation(context).isPresent();
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        RdmaTest test = annotation(context).orElseThrow();
        if (shared(context).isPresent() && test.swarm() != Swarm.OFF) {
            throw new ExtensionConfigurationException("@RdmaTest(swarm = " + test.swarm()
                    + ") in a class with @SharedWorld: a world that tests share has no faults but those that they arm");
        }
        List<Long> seeds = Seeds.of(test, context);
        SeedTally tally = new SeedTally(seeds.size(), test.swarm());
        // Closed once, after the last of them, in whatever order and on whatever threads they run.
        context.getStore(SPACE).put(Conclusion.class, conclusion(tally, context));
        Pace pace = new Pace(test.longestPauseNanos());
        return seeds.stream()
                .map(seed -> new OneSeed(new Run(seed, test.schedule(), test.swarm(), pace, test.watch()), tally));
    }

    private static Conclusion conclusion(SeedTally tally, ExtensionContext context) {
        String type = FailureReport.simple(context.getRequiredTestClass().getName());
        String name = type + "." + context.getRequiredTestMethod().getName();
        Optional<SharedWorld> shared = shared(context);
        boolean allowed = shared.map(SharedWorld::allowUnstruckFaults).orElse(false)
                || annotation(context).map(RdmaTest::allowUnstruckFaults).orElse(false);
        return new Conclusion(
                tally,
                context,
                name,
                !allowed && Seeds.one(context).isEmpty(),
                (shared.isPresent() ? SharedWorld.class : RdmaTest.class).getSimpleName());
    }

    private record OneSeed(Run run, SeedTally tally) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return "seed " + run.seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeEachCallback note = context -> {
                context.getStore(SPACE).put(Run.class, run);
                context.getStore(SPACE).put(SeedTally.class, tally);
            };
            return List.of(note);
        }
    }

    private static Optional<RdmaTest> annotation(ExtensionContext context) {
        return context.getTestMethod().flatMap(method -> AnnotationSupport.findAnnotation(method, RdmaTest.class));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Parameters.supports(parameter.getParameter());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Parameters.of(parameter.getParameter(), worldOf(context).world());
    }

    private static Optional<SharedWorld> shared(ExtensionContext context) {
        return context.getTestClass().flatMap(type -> AnnotationSupport.findAnnotation(type, SharedWorld.class));
    }

    private static TestWorld worldOf(ExtensionContext context) {
        Optional<SharedWorld> shared = shared(context);
        if (shared.isPresent()) {
            Run run = plain(Seeds.or(shared.get().seed(), context), shared.get().watch());
            return classContext(context)
                    .getStore(SPACE)
                    .getOrComputeIfAbsent(TestWorld.class, absent -> made(run), TestWorld.class);
        }
        if (context.getTestMethod().isEmpty()) {
            throw new IllegalStateException("a world for a whole class (constructor, @BeforeAll) needs @SharedWorld on "
                    + context.getRequiredTestClass().getName());
        }
        return context.getStore(SPACE).getOrComputeIfAbsent(TestWorld.class, absent -> made(context), TestWorld.class);
    }

    private static TestWorld made(ExtensionContext context) {
        Run run = context.getStore(SPACE).get(Run.class, Run.class);
        return made(run == null ? plain(Seeds.or(0, context), Watch.PROGRAM) : run);
    }

    private static TestWorld made(Run run) {
        return new TestWorld(run.options(), run.schedule, run.swarm);
    }

    private static Run plain(long seed, Watch watch) {
        return new Run(seed, "", Swarm.OFF, Pace.DRAWN, watch);
    }

    private static ExtensionContext classContext(ExtensionContext context) {
        ExtensionContext at = context;
        while (at.getTestMethod().isPresent() && at.getParent().isPresent()) {
            at = at.getParent().get();
        }
        return at;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (shared(context).isPresent()) {
            worldOf(context).enter();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (shared(context).isPresent()) {
            worldOf(context).leave();
            return;
        }
        TestWorld world = context.getStore(SPACE).get(TestWorld.class, TestWorld.class);
        if (world != null) {
            close(world, context);
        }
    }

    /** Where the test has failed, what closing finds has been told already. */
    private static void close(TestWorld world, ExtensionContext context) {
        try {
            world.close();
        } catch (RuntimeException | AssertionError found) {
            if (context.getExecutionException().isEmpty()) {
                tally(context).ifPresent(SeedTally::failedAtItsEnd);
                throw found;
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TestWorld world = context.getStore(SPACE).get(TestWorld.class, TestWorld.class);
        if (world != null) {
            world.close();
        }
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    private static void run(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
        TestWorld test = context.getStore(SPACE).get(TestWorld.class, TestWorld.class);
        Optional<SeedTally> seeds = tally(context);
        boolean shared = shared(context).isPresent();
        if (test == null && !shared) {
            invocation.proceed();
            seeds.ifPresent(tally -> tally.ended(SeedTally.End.WORLDLESS));
        } else if (seeds.isPresent() && seeds.get().failures() >= ENOUGH) {
            seeds.get().ended(SeedTally.End.SKIPPED);
            invocation.skip();
            throw new TestAbortedException(ENOUGH + " seeds have failed already");
        } else if (seeds.isPresent()) {
            run(invocation, worldOf(context), seeds.get(), context);
        } else {
            SeedTally tally = new SeedTally(1, Swarm.OFF);
            run(invocation, worldOf(context), tally, context);
            if (tally.isOfFaults()) {
                conclusion(tally, context).close();
            }
        }
    }

    private static void run(Invocation<Void> invocation, TestWorld test, SeedTally tally, ExtensionContext context)
            throws Throwable {
        World world = test.world();
        FaultPlan swarm = test.swarm().plan(world.seed());
        int prepared = world.faults().plan().faults().size();
        SeedTally.End end = SeedTally.End.FAILED;
        try {
            world.faults().arm(swarm);
            invocation.proceed();
            world.faults().stop();
            end = world.runToQuiet(REST) ? SeedTally.End.AT_REST : SeedTally.End.BUSY;
        } catch (TestAbortedException skipped) {
            end = SeedTally.End.ABORTED;
            throw skipped;
        } catch (Throwable failure) {
            throw told(test, swarm, prepared, context, failure);
        } finally {
            tally.ran(world, test.seen(), prepared, swarm.faults().size(), end);
            test.look();
        }
    }

    private static Optional<SeedTally> tally(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(SPACE).get(SeedTally.class, SeedTally.class));
    }

    /** What the test fails with. */
    private static RdmaFailure told(
            TestWorld test, FaultPlan swarm, int prepared, ExtensionContext context, Throwable failure) {
        World world = test.world();
        int failures = tally(context).map(SeedTally::failing).orElse(0);
        if (failures > PICTURED) {
            return RdmaFailure.of(
                    failure,
                    failure.getMessage() + "\nseed " + world.seed() + " failed, too; -Drdma.seed=" + world.seed()
                            + " runs it alone");
        }
        String type = context.getRequiredTestClass().getName();
        String method = context.getRequiredTestMethod().getName();
        Path folder = Path.of(context.getConfigurationParameter(FOLDER).orElse("target/rdma"))
                .resolve((FailureReport.simple(type) + "." + method).replaceAll(NOT_IN_FILE_NAMES, "_"))
                .resolve("seed-" + world.seed());
        Optional<SmallRun> small = failures != 1 ? Optional.empty() : minimal(world, swarm, context, folder);
        OwnFaults own = new OwnFaults();
        own.armed(
                world.faults(),
                test.seen().faults(),
                prepared,
                prepared + swarm.faults().size());
        String story = new FailureReport(world, type, method, folder).write(failure, small, own.unstruck());
        return RdmaFailure.of(failure, story);
    }

    /**
     * What the first seed that fails is shrunk to, and a file with a method to paste. Nothing where shrinking is turned off, or the
     * test can't be run again by itself.
     */
    private static Optional<SmallRun> minimal(World world, FaultPlan swarm, ExtensionContext context, Path folder) {
        int runs = Seeds.count(SHRINK, SHRINK_RUNS, context);
        Optional<Rerun> rerun = shared(context).isPresent() || runs == 0
                ? Optional.empty()
                : Rerun.of(context.getRequiredTestClass(), context.getRequiredTestMethod());
        return rerun.flatMap(again -> {
            Minimal minimal = new Minimal(again, world.watch(), REST, runs);
            String title = FailureReport.title(
                    context.getRequiredTestClass().getName(),
                    context.getRequiredTestMethod().getName());
            return minimal.of(world.seed(), world.pace(), swarm)
                    .map(shrunk -> SmallRun.of(minimal, shrunk, title, folder));
        });
    }
}
