package org.hcaactors.lab.junit;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
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

    private static final Namespace SPACE = Namespace.create(RdmaExtension.class);
    /** How long a world may take to come to rest when its test has returned. */
    private static final Duration REST = Duration.ofSeconds(10);

    private static final Duration SWARM_HORIZON = Duration.ofNanos(200_000);

    /** Failed seeds of a test that leave pictures. */
    private static final int PICTURED = 3;
    /** Failed seeds after which the others are skipped. */
    private static final int ENOUGH = 10;

    private record Run(long seed, String schedule, Swarm swarm) {}

    /** Counts the failures of one test method over its seeds. */
    private static final class Failures {
        int count;
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return annotation(context).isPresent();
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        RdmaTest test = annotation(context).orElseThrow();
        List<Long> seeds = Seeds.of(test, context);
        Failures failures = new Failures();
        return seeds.stream().map(seed -> new OneSeed(new Run(seed, test.schedule(), test.swarm()), failures));
    }

    private record OneSeed(Run run, Failures failures) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return "seed " + run.seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            BeforeEachCallback note = context -> {
                context.getStore(SPACE).put(Run.class, run);
                context.getStore(SPACE).put(Failures.class, failures);
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
            long seed = Seeds.or(shared.get().seed(), context);
            return classContext(context)
                    .getStore(SPACE)
                    .getOrComputeIfAbsent(
                            TestWorld.class, absent -> new TestWorld(seed, "", Swarm.OFF), TestWorld.class);
        }
        if (context.getTestMethod().isEmpty()) {
            throw new IllegalStateException("a world for a whole class (constructor, @BeforeAll) needs @SharedWorld on "
                    + context.getRequiredTestClass().getName());
        }
        return context.getStore(SPACE).getOrComputeIfAbsent(TestWorld.class, absent -> made(context), TestWorld.class);
    }

    private static TestWorld made(ExtensionContext context) {
        Run run = context.getStore(SPACE).get(Run.class, Run.class);
        return run == null
                ? new TestWorld(Seeds.or(0, context), "", Swarm.OFF)
                : new TestWorld(run.seed, run.schedule, run.swarm);
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
            close(world, context.getExecutionException().isPresent());
        }
    }

    /** @param failed what closing finds has been told already */
    private static void close(TestWorld world, boolean failed) {
        try {
            world.close();
        } catch (RuntimeException | AssertionError again) {
            if (!failed) {
                throw again;
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
        boolean shared = shared(context).isPresent();
        if (test == null && !shared) {
            invocation.proceed();
            return;
        }
        Failures failures = context.getStore(SPACE).get(Failures.class, Failures.class);
        if (failures != null && failures.count >= ENOUGH) {
            invocation.skip();
            throw new TestAbortedException(ENOUGH + " seeds have failed already");
        }
        World world = worldOf(context).world();
        try {
            arm(worldOf(context));
            invocation.proceed();
            world.faults().stop();
            world.runToQuiet(REST);
        } catch (TestAbortedException skipped) {
            throw skipped;
        } catch (Throwable failure) {
            tell(world, context, failure);
            throw failure;
        }
    }

    /** The moments of a swarm's faults count from now on. */
    private static void arm(TestWorld test) {
        World world = test.world();
        List<String> adapters = world.network().adapters().stream()
                .map(adapter -> adapter.name())
                .toList();
        if (test.swarm() == Swarm.OFF || adapters.isEmpty()) {
            return;
        }
        FaultPlan plan = test.swarm().plan(world.seed(), adapters, SWARM_HORIZON);
        for (Fault fault : plan.faults()) {
            world.faults().arm(fault.later(Duration.ofNanos(world.now())));
        }
    }

    private static void tell(World world, ExtensionContext context, Throwable failure) {
        Failures failures = context.getStore(SPACE).get(Failures.class, Failures.class);
        if (failures != null && ++failures.count > PICTURED) {
            failure.addSuppressed(new RdmaFailure(
                    "seed " + world.seed() + " failed, too; -Drdma.seed=" + world.seed() + " runs it alone"));
            return;
        }
        String type = context.getRequiredTestClass().getName();
        String method = context.getRequiredTestMethod().getName();
        Path folder = Path.of(context.getConfigurationParameter(FOLDER).orElse("target/rdma"))
                .resolve(FailureReport.simple(type) + "." + method)
                .resolve("seed-" + world.seed());
        String story = new FailureReport(world, type, method, folder).write(failure);
        System.err.println(story);
        failure.addSuppressed(new RdmaFailure(story));
    }
}
