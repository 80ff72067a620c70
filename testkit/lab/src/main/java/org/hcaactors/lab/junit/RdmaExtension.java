// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.SeedReport;
import org.hcaactors.lab.nodes.TestSeeds;
import org.hcaactors.lab.seeds.RunProperties;
import org.hcaactors.lab.seeds.SeedRun;
import org.hcaactors.lab.seeds.SeedTally;
import org.hcaactors.lab.seeds.TestConclusion;
import org.hcaactors.lab.seeds.TestName;
import org.hcaactors.lab.seeds.TestSettings;
import org.jspecify.annotations.Nullable;
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
 * JUnit extension that gives each test its own world, or all tests of a {@link SharedWorld} class one world. It serves
 * {@link RdmaTest} methods, and plain {@code @Test} methods with {@code @ExtendWith(RdmaExtension.class)}. It has no static
 * state, so tests may run in parallel.
 */
@SuppressWarnings("exports") // A user of this class requires JUnit already.
public final class RdmaExtension
        implements TestTemplateInvocationContextProvider,
                ParameterResolver,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                InvocationInterceptor {
    /** Folder for pictures of failed tests; {@code target/rdma} if not set. */
    public static final String FOLDER = RunProperties.FOLDER;

    /** Number of runs to shrink the first failing seed; 200 if not set, 0 turns shrinking off. */
    public static final String SHRINK = RunProperties.SHRINK;

    private static final Namespace SPACE = Namespace.create(RdmaExtension.class);

    private record Run(long seed, TestSettings settings) {}

    /** Drawn once, after the last run, whatever the order and threads of the runs. */
    private record AtTheEnd(TestConclusion conclusion, ExtensionContext context) implements AutoCloseable {
        @Override
        public void close() {
            conclusion.draw(summary -> context.publishReportEntry("rdma", summary));
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
                    + ") in a class with @SharedWorld: a shared world allows only faults that its tests arm");
        }
        TestSettings settings = AnnotatedSettings.of(test);
        List<Long> seeds = configured(() -> properties(context).seeds(test.seed(), test.seeds()));
        Optional<List<Long>> ofNode = configured(properties(context)::seedsOfNode);
        if (ofNode.isPresent()) {
            return ofNode.get().stream()
                    .map(seed ->
                            new OneSeed(new Run(seed, settings), new SeedTally(1, test.swarm()), Optional.empty()));
        }
        int jvms = configured(properties(context)::nodes);
        Optional<HostPort> listen =
                configured(() -> properties(context).listen().map(HostPort::parse));
        SeedTally tally = new SeedTally(seeds.size(), test.swarm());
        context.getStore(SPACE).put(AtTheEnd.class, new AtTheEnd(conclusion(tally, settings, context), context));
        Optional<TestSeeds> elsewhere =
                jvms == 0 || seeds.size() == 1 || shared(context).isPresent()
                        ? Optional.empty()
                        : Optional.of(Elsewhere.of(
                                context, jvms, listen, name(context).words(), seeds));
        return seeds.stream().map(seed -> new OneSeed(new Run(seed, settings), tally, elsewhere));
    }

    static RunProperties properties(ExtensionContext context) {
        return new RunProperties(context::getConfigurationParameter);
    }

    static <T> T configured(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException refused) {
            throw new ExtensionConfigurationException(refused.getMessage(), refused);
        }
    }

    private static TestConclusion conclusion(SeedTally tally, TestSettings settings, ExtensionContext context) {
        Optional<SharedWorld> shared = shared(context);
        boolean allowed = settings.allowUnstruckFaults()
                || shared.map(SharedWorld::allowUnstruckFaults).orElse(false);
        String annotation = (shared.isPresent() ? SharedWorld.class : RdmaTest.class).getSimpleName();
        return new TestConclusion(
                tally,
                name(context).words(),
                !allowed && configured(properties(context)::one).isEmpty(),
                "@" + annotation + "(allowUnstruckFaults = true)");
    }

    private static TestName name(ExtensionContext context) {
        return Surefire.name(context.getRequiredTestClass(), context.getRequiredTestMethod());
    }

    /** @param elsewhere the seeds that other JVMs run */
    private record OneSeed(Run run, SeedTally tally, Optional<TestSeeds> elsewhere)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return SeedReport.displayName(run.seed);
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeEachCallback note = context -> {
                context.getStore(SPACE).put(Run.class, run);
                context.getStore(SPACE).put(SeedTally.class, tally);
                if (elsewhere.isPresent()) {
                    Elsewhere.await(run.seed, tally, elsewhere.get(), context);
                }
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
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Elsewhere.hasRun(context)
                ? null
                : Parameters.of(parameter.getParameter(), worldOf(context).world());
    }

    private static Optional<SharedWorld> shared(ExtensionContext context) {
        return context.getTestClass().flatMap(type -> AnnotationSupport.findAnnotation(type, SharedWorld.class));
    }

    private static TestWorld worldOf(ExtensionContext context) {
        Optional<SharedWorld> shared = shared(context);
        if (shared.isPresent()) {
            return classContext(context)
                    .getStore(SPACE)
                    .getOrComputeIfAbsent(
                            TestWorld.class,
                            absent -> new TestWorld(
                                    seedOr(shared.get().seed(), context), AnnotatedSettings.of(shared.get())),
                            TestWorld.class);
        }
        if (context.getTestMethod().isEmpty()) {
            throw new IllegalStateException(
                    "a World parameter of a constructor or of @BeforeAll requires @SharedWorld on "
                            + context.getRequiredTestClass().getName());
        }
        return context.getStore(SPACE).getOrComputeIfAbsent(TestWorld.class, absent -> made(context), TestWorld.class);
    }

    private static TestWorld made(ExtensionContext context) {
        Run run = context.getStore(SPACE).get(Run.class, Run.class);
        return run == null
                ? new TestWorld(seedOr(0, context), TestSettings.DEFAULT)
                : new TestWorld(run.seed, run.settings);
    }

    private static long seedOr(long seed, ExtensionContext context) {
        return configured(properties(context)::one).orElse(seed);
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
        tally(context).ifPresent(tally -> Elsewhere.end(tally, context));
    }

    /** If the test has failed, errors on closing were reported already. */
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
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        Elsewhere.unlessRun(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context)
            throws Throwable {
        Elsewhere.unlessRun(invocation, context);
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
        if (Elsewhere.hasRun(context)) {
            invocation.skip();
            Elsewhere.count(seeds.orElseThrow(), context);
        } else if (test == null && !shared) {
            invocation.proceed();
            seeds.ifPresent(tally -> tally.ended(SeedTally.End.WORLDLESS));
        } else if (seeds.isPresent() && seeds.get().failures() >= SeedRun.ENOUGH) {
            seeds.get().ended(SeedTally.End.SKIPPED);
            invocation.skip();
            throw new TestAbortedException(SeedRun.ENOUGH + " seeds have failed already");
        } else if (seeds.isPresent()) {
            run(invocation, worldOf(context), seeds.get(), context);
        } else {
            SeedTally tally = new SeedTally(1, Swarm.OFF);
            TestWorld used = worldOf(context);
            run(invocation, used, tally, context);
            if (tally.isOfFaults()) {
                new AtTheEnd(conclusion(tally, used.settings(), context), context).close();
            }
        }
    }

    private static void run(Invocation<Void> invocation, TestWorld test, SeedTally tally, ExtensionContext context)
            throws Throwable {
        Optional<Rerun> again = shared(context).isPresent() || tally(context).isEmpty()
                ? Optional.empty()
                : Rerun.of(context.getRequiredTestClass(), context.getRequiredTestMethod());
        SeedRun run = new SeedRun(
                name(context), test.settings(), test.world(), test.seen(), tally, again, properties(context));
        try {
            run.run(invocation::proceed);
        } finally {
            test.look();
        }
    }

    private static Optional<SeedTally> tally(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(SPACE).get(SeedTally.class, SeedTally.class));
    }
}
