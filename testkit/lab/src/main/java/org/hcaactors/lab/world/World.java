// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.fault.Faults;
import org.hcaactors.lab.fault.GuardedVerbs;
import org.hcaactors.lab.fault.ReceiveWithholder;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.invariant.InvariantMonitor;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.hcaactors.lab.invariant.Violation;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.program.CheckedResourceAudit;
import org.hcaactors.lab.program.ProgramCheck;
import org.hcaactors.lab.program.ProgramChecks;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.TraceRecorder;

/**
 * A deterministic world: an RDMA network whose actors all run on the thread that made it, in an order that a seed decides,
 * in virtual nanoseconds. The same seed gives the same run, in any JVM. Nothing moves unless the owner lets it: by {@link
 * #await}, {@link #runFor} or {@link #settle}.
 *
 * <p>Many worlds may exist at once, each on its own thread.
 */
public final class World implements AutoCloseable {
    /** Tasks that may run at one instant; with more, something turns in a circle and time would never pass. */
    public static final long MAX_STEPS_AN_INSTANT = 20_000_000;

    /** Of its life that a world can be told to let pass. */
    public static final Duration MAX_TIME = Duration.ofDays(36_500);

    /** That a program's executor can have. */
    public static final int MAX_THREADS = 1 << 15;

    /** 1 us and 100 Gbit/s. */
    public static final LinkProperties DEFAULT_LINK = LinkProperties.of(1000, 100_000_000_000L);

    private final WorldOptions options;
    private final WorldCore core;
    private final TraceRecorder recorder;
    private final ActorSystem<Void> system;
    private final RdmaNetwork network;
    private final InvariantMonitor watchman;
    private final Faults faults;
    private final UserExceptions exceptions = new UserExceptions();
    private final ResourceLedger ledger = new ResourceLedger(exceptions::ofProgram);
    private final ProgramChecks checks;
    private final ReceiveWithholder provisions = new ReceiveWithholder();
    private final GuardedVerbs verbs = new GuardedVerbs();
    private final EventLoop passage;

    private World(WorldOptions options) {
        this.options = options;
        core = new WorldCore(new RunQueue(options.schedule()), options.pace(), options.seed());
        recorder = new TraceRecorder();
        checks = new ProgramChecks(options.checks(), exceptions::note, this::isTampered);
        watchman = new InvariantMonitor(
                this::portOf, ledger, this::actorsOf, core::now, options.watch().scope(), options.invariants());
        if (options.watch().isChecked()) {
            recorder.listen(watchman::on);
        }
        if (checksPrograms()) {
            recorder.listen(checks::on);
        }
        passage = new EventLoop(core, watchman, exceptions, options);
        system = WorldSystem.boot(core);
        network = RdmaNetwork.on(
                system,
                Environment.production()
                        .withShards(1)
                        .withClock(core::now)
                        .withVerbsTakingTime(options.verbsTakeTime())
                        .withTrace(options.watch() == Watch.NOBODY ? TraceSink.NONE : recorder)
                        .withLimits(options.limits())
                        .withMachines(options.machines())
                        .withVariables(options.variables())
                        .withAwaiter(this::awaited)
                        .withNumbers(options.numbers())
                        .withFailureHandler(exceptions::note)
                        .withAudit(checksPrograms() ? new CheckedResourceAudit(ledger, checks) : ledger)
                        .withReceives(provisions)
                        .withVerbs(verbs)
                        .withCallers(core::programsOf));
        faults = new Faults(
                new WorldFaultTarget(network, core, system, provisions, ledger, verbs, this::note), options.seed());
    }

    public static World of(WorldOptions options) {
        World world = new World(options);
        BlockedThreadDetector.keep(world, BlockedThreadDetector.BETWEEN_LOOKS);
        return world;
    }

    /** Ready tasks run in an order that the seed draws. */
    public static World of(long seed) {
        return of(WorldOptions.of(seed));
    }

    /** Ready tasks run in the order in which they became ready. */
    public static World inOrder() {
        return of(WorldOptions.of(0).with(Schedule.inOrder()));
    }

    /** A run again, choice by choice; the seed is for the lots of its faults. */
    public static World replay(long seed, RecordedSchedule recorded) {
        return of(WorldOptions.of(seed).with(Schedule.replay(recorded)));
    }

    public long seed() {
        return options.seed();
    }

    /** How long programs in it take from one step to the next. */
    public Pace pace() {
        return options.pace();
    }

    /** The choices so far, for {@link #replay}. */
    public RecordedSchedule recordedSchedule() {
        return core.recorded();
    }

    /**
     * The world belongs to the calling thread from now on. Only for callers who make sure that no other thread uses it meanwhile.
     */
    public void adopt() {
        core.adopt();
    }

    /**
     * What subscribers and handlers of programs throw of that kind, from now on, fails no run: for tests of what a program does then.
     * Otherwise the first of it is thrown as it is by whatever lets the world go on next, for its stream is over, and who waits for it waits
     * in vain.
     */
    public void allowExceptions(Class<? extends Throwable> kind) {
        exceptions.allow(kind);
    }

    private boolean checksPrograms() {
        return !options.checks().isEmpty() && options.watch().isChecked();
    }

    /** Programs in it may do that from now on. */
    public void allow(ProgramCheck... mistakes) {
        checks.allow(mistakes);
    }

    private boolean isTampered() {
        return Stream.of(FaultKind.FORGE, FaultKind.REWRITE, FaultKind.CORRUPT).anyMatch(faults.struck()::containsKey);
    }

    /** What goes wrong here on purpose. */
    public Faults faults() {
        return faults;
    }

    /** Who looks at it. */
    public Watch watch() {
        return options.watch();
    }

    /** The names of the invariants that are checked. */
    public List<String> invariants() {
        return watch().isJudged() ? watchman.names() : List.of();
    }

    /** The first thing that broke; the world throws it as soon as it is let go on. */
    public Optional<Violation> violation() {
        return watchman.violation();
    }

    /**
     * From now on nobody but the adapter changes this memory: its bytes are checked against a shadow, and, where the adapter's
     * {@linkplain Watch#PROTOCOL protocol} is checked, the atomics on it for an order that explains them.
     *
     * @throws IllegalStateException if {@linkplain Watch#NOBODY nobody} watches: then nobody would see who writes
     */
    public void guard(Adapter adapter, String process, HostMemory memory) {
        if (options.watch() == Watch.NOBODY) {
            throw new IllegalStateException(
                    "nobody watches this world, so no memory in it can be guarded; WorldOptions.with"
                            + "(Watch.PROGRAM) lets it be");
        }
        watchman.guards().guard(adapter.name(), process, memory, adapter.byteOrder());
    }

    /**
     * The adapter of that name. If there is none, one is plugged in as the {@linkplain WorldOptions#adapters() options} have it: if
     * they don't say otherwise, a ConnectX-5 on a link of 1 us and 100 Gbit/s.
     */
    public Adapter adapter(String name) {
        return network.adapter(name)
                .orElseGet(() -> adapter(name, options.adapters().profile()));
    }

    /**
     * Plugs in an adapter like that one, on the link that the options have for it: {@code world.adapter("c", Profile.CONNECTX_5.with(AtomicCapabilities.NONE))}.
     * IllegalArgumentException if there is one of that name already.
     */
    public Adapter adapter(String name, Profile profile) {
        return network.addAdapter(name, profile, options.adapters().linkOf(name));
    }

    /** Two connected RC queue pairs with memory, ready to send. */
    public ConnectedPair connect(Adapter a, Adapter b) {
        return ConnectedPair.between(network, a, b);
    }

    public ConnectedPair connect(Adapter a, Adapter b, Shape shape) {
        return ConnectedPair.between(network, a, b, shape);
    }

    public RdmaNetwork network() {
        return network;
    }

    /**
     * The actor system that runs in this world's time and order; actors and streams of yours may live in it: {@code
     * world.await(Sources.completions(cq).take(3).runWith(Sink.seq(), world.system()))}.
     */
    public ActorSystem<?> system() {
        return system;
    }

    /**
     * Threads of a program, as many as it has tasks: what a program with executors or timers of its own gives its libraries in tests.
     * Tasks run as steps of this world, one at a time, in an order and after {@linkplain Pace pauses} that the seed draws; timers are
     * due in virtual time. What has not begun when the process ends never runs. A task that blocks, other than by {@link #await}, blocks the world; real threads are
     * not part of it, and refused.
     */
    public ScheduledExecutorService executor(HostProcess process) {
        return executor(process, MAX_THREADS);
    }

    /** Threads of the test itself, or of a program that has no process here. */
    public ScheduledExecutorService executor() {
        return new ProgramThreads(core, Optional.empty(), () -> !core.isOver(), MAX_THREADS);
    }

    /**
     * So many threads: one runs its tasks in the order in which they come.
     *
     * @param threads from 1 to {@link #MAX_THREADS}
     */
    public ScheduledExecutorService executor(HostProcess process, int threads) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException(threads + " threads; 1 to " + MAX_THREADS + " are allowed");
        }
        return new ProgramThreads(core, hostOf(process), process::isAlive, threads);
    }

    private Optional<String> hostOf(HostProcess process) {
        return network.adapters().stream()
                .filter(adapter -> network.processes(adapter).contains(process.name())
                        && adapter.process(process.name()) == process)
                .map(Adapter::name)
                .findFirst();
    }

    /** Virtual time as a program reads it; the world began at 1970-01-01T00:00:00Z. */
    public Clock clock() {
        return new WorldClock(core, ZoneOffset.UTC);
    }

    /** Everything that happened; next to nothing in a world that {@linkplain Watch#NOBODY nobody} watches. */
    public TraceRecorder trace() {
        return recorder;
    }

    /**
     * Puts what you do to an adapter on purpose into the trace, so that ladders show it.
     *
     * @param element what of it you do it to, as {@link TestkitEvent} has it
     */
    public void tell(Adapter adapter, String element, String what) {
        note(adapter.name(), element, what);
    }

    private void note(String port, String element, String what) {
        recorder.record(new TestkitEvent(new Stamp(recorder.nextId(), core.now(), 0, 0), port, element, what));
    }

    /**
     * Why that request or receive completed so.
     *
     * @throws IllegalArgumentException if the trace holds no such completion
     */
    public Explanation explain(WorkCompletion completion) {
        return explainer()
                .explain(completion)
                .orElseThrow(() -> new IllegalArgumentException("nothing in the trace completed as " + completion));
    }

    /**
     * Why that event was raised.
     *
     * @throws IllegalArgumentException if the trace holds no such event
     */
    public Explanation explain(AsyncEvent event) {
        return explainer()
                .explain(event)
                .orElseThrow(() -> new IllegalArgumentException("nothing in the trace raised " + event));
    }

    /** Explains what has happened so far. */
    public Explainer explainer() {
        return Explainer.of(recorder);
    }

    /** Virtual nanoseconds since the world began. */
    public long now() {
        return core.now();
    }

    /**
     * From now on it is given up when it has run more than so many tasks since it began, by a {@link WorldStalledException};
     * closing it takes as many as it needs.
     */
    public void limitSteps(long steps) {
        passage.limitSteps(steps);
    }

    /** Tasks run so far: one message of one actor each. */
    public long steps() {
        return core.steps();
    }

    /**
     * Lets the world run until the stage is done.
     *
     * @return its value; a failure is thrown as it is
     * @throws WorldStalledException if nothing is left that could complete it, or if that much virtual time has passed
     */
    public <T> T await(CompletionStage<T> stage, Duration atMost) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long limit = after(atMost);
        if (!passage.until(future::isDone, limit)) {
            throw new WorldStalledException(
                    StallReport.story(this, core.hasTimer(), atMost) + RealTime.hint(future), atMost);
        }
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (RealTime.isTimeout(failed)) {
                WorldStalledException told = new WorldStalledException(
                        "not done at " + RealTime.caller() + ", seed " + seed() + ": a timer of the JDK's ran off; "
                                + RealTime.INSTEAD,
                        atMost);
                told.initCause(failed);
                throw told;
            }
            throw failed;
        }
    }

    /** The bench's own story says who waits. */
    private <T> T awaited(CompletionStage<T> stage, Duration atMost, Supplier<String> unread) {
        return await(stage, atMost);
    }

    public <T> T await(CompletionStage<T> stage) {
        return await(stage, RdmaNetwork.DEFAULT_TIMEOUT);
    }

    /** The end of the clock, where the time is longer than what it holds. */
    private long after(Duration time) {
        long nanos = TimeUnit.NANOSECONDS.convert(time);
        return nanos > Long.MAX_VALUE - core.now() ? Long.MAX_VALUE : core.now() + nanos;
    }

    /** Lets that much virtual time pass: from nothing to {@link #MAX_TIME} of a world's life. */
    public void runFor(Duration time) {
        long until = after(time);
        if (time.isNegative() || until > MAX_TIME.toNanos()) {
            throw new IllegalArgumentException("runFor(" + time + ") at " + core.now() + " ns; from nothing to "
                    + MAX_TIME + " of a world's life is allowed");
        }
        passage.until(() -> false, until);
        core.advanceTo(until);
        passage.settle();
    }

    /** Runs everything that is ready without letting time pass. */
    public void settle() {
        passage.settle();
    }

    /**
     * Runs until nothing is ready and no timer is armed, or that much virtual time has passed; true if all is quiet. Then
     * the invariants of rest are checked, too.
     */
    public boolean runToQuiet(Duration atMost) {
        return passage.toQuiet(after(atMost));
    }

    /**
     * Faults stop, and what is under way may end.
     *
     * @throws InvariantBrokenException if something waits for what can never happen
     * @throws WorldStalledException if it is not quiet after that much virtual time
     */
    public void heal(Duration atMost) {
        faults.stop();
        if (!runToQuiet(atMost)) {
            throw new WorldStalledException(StallReport.story(this, true, atMost), atMost);
        }
    }

    WorldCore core() {
        return core;
    }

    /** Ends everything in it, so that nobody waits for it; whoever uses it again is told why. */
    void stop(String reason) {
        core.stop(reason);
        core.close();
        try {
            network.close();
        } catch (RuntimeException | AssertionError told) {
            // It could not end in order; that it ends is all that is wanted.
        }
    }

    @Override
    public void close() {
        core.checkThread();
        core.close();
        passage.limitSteps(Long.MAX_VALUE);
        network.close();
        system.terminate();
        await(system.getWhenTerminated());
        core.over();
        // What programs asked for last is answered, too: by whom it was asked is gone.
        passage.until(() -> !core.hasStep(), Long.MAX_VALUE);
        core.checkLeaks();
        if (checksPrograms()) {
            checks.atEnd();
        }
        passage.end();
    }

    private Optional<PortAttributes> portOf(String adapter) {
        return network.adapter(adapter).map(known -> known.port(1));
    }

    private List<String> actorsOf(String adapter) {
        return new ActorRegistry(system).of(adapter);
    }

    @Override
    public String toString() {
        return "world of seed " + seed();
    }
}
