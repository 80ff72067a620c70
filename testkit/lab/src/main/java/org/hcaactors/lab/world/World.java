// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
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
 * A deterministic world: an RDMA network whose actors all run on the thread that created it, in an order drawn from a seed, in
 * virtual nanoseconds. The same seed gives the same run in any JVM. Nothing runs unless the owner runs it: by {@link #await},
 * {@link #runFor} or {@link #settle}.
 *
 * <p>Many worlds may exist at once, each on its own thread.
 */
public final class World implements AutoCloseable {
    /** Maximum tasks at one instant. More mean a loop in which time would never pass. */
    public static final long MAX_STEPS_AN_INSTANT = 20_000_000;

    /** Number of polls in a row that find nothing, while nothing is ready, after which time passes to the next timer. */
    public static final int POLLS_AN_INSTANT = 100;

    /** Maximum number of polls in a row that find nothing while nothing is left to run; a program that polls on hangs. */
    public static final int MAX_IDLE_POLLS = 100_000;

    /** Maximum virtual time to which {@link #runFor} runs a world. */
    public static final Duration MAX_TIME = Duration.ofDays(36_500);

    /** Maximum threads of a program's executor. */
    public static final int MAX_THREADS = 1 << 15;

    /** A link of 1 us and 100 Gbit/s. */
    public static final LinkProperties DEFAULT_LINK = LinkProperties.of(1000, 100_000_000_000L);

    private final WorldOptions options;
    private final WorldCore core;
    private final TraceRecorder recorder;
    private final WorldSystem system;
    private final RdmaNetwork network;
    private final InvariantMonitor monitor;
    private final Faults faults;
    private final UserExceptions exceptions = new UserExceptions();
    private final ResourceLedger ledger = new ResourceLedger(exceptions::ofProgram);
    private final ProgramChecks checks;
    private final ReceiveWithholder receiveWithholder = new ReceiveWithholder();
    private static final Set<Verb> AT_ONCE =
            EnumSet.of(Verb.POST_RECV, Verb.POST_SRQ_RECV, Verb.REQ_NOTIFY_CQ, Verb.POLL_CQ);

    private final GuardedVerbs verbs = new GuardedVerbs();
    private final EventLoop eventLoop;
    /** The next world may use the system by now. */
    private boolean left;

    private World(WorldOptions options) {
        this.options = options;
        core = new WorldCore(new RunQueue(options.schedule()), options.pace(), options.seed());
        recorder = new TraceRecorder();
        checks = new ProgramChecks(options.checks(), exceptions::note, this::isTampered);
        monitor = new InvariantMonitor(
                this::portOf, ledger, this::actorsOf, core::now, options.watch().scope(), options.invariants());
        if (options.watch().isChecked()) {
            recorder.listen(monitor::on);
        }
        if (checksPrograms()) {
            recorder.listen(checks::on);
        }
        eventLoop = new EventLoop(core, monitor, exceptions, options);
        system = WorldSystem.in(core);
        Environment environment = Environment.production()
                .withShards(1)
                .withClock(core::now)
                .withVerbsTakingTime(options.verbsTakeTime())
                .withTrace(options.watch() == Watch.NOBODY ? TraceSink.NONE : recorder)
                .withLimits(options.limits())
                .withMachines(options.machines())
                .withVariables(options.variables())
                .withAwaiter(new ProgramWaits())
                .withNumbers(options.numbers())
                .withFailureHandler(exceptions::note)
                .withAudit(checksPrograms() ? new CheckedResourceAudit(ledger, checks) : ledger)
                .withReceives(receiveWithholder)
                .withVerbs(this::refusal)
                .withCallers(core::programsOf);
        network = RdmaNetwork.on(
                system.system(), options.cable().map(environment::withCable).orElse(environment));
        faults = new Faults(
                new WorldFaultTarget(network, core, system.system(), receiveWithholder, ledger, verbs, this::note),
                options.seed());
    }

    /** Verbs that take effect on the caller's thread run no task by which another thread would be noticed. */
    private Optional<VerbsException> refusal(String adapter, String process, Verb verb, Object on) {
        if (AT_ONCE.contains(verb)) {
            core.checkCaller(verb);
        }
        return verbs.refusal(adapter, process, verb, on);
    }

    public static World of(WorldOptions options) {
        World world = new World(options);
        BlockedThreadDetector.keep(world, BlockedThreadDetector.BETWEEN_LOOKS);
        return world;
    }

    /** Returns a world whose ready tasks run in an order drawn from the seed. */
    public static World of(long seed) {
        return of(WorldOptions.of(seed));
    }

    /** Returns a world whose tasks run in the order in which they became ready. */
    public static World inOrder() {
        return of(WorldOptions.of(0).with(Schedule.inOrder()));
    }

    /** Repeats a run, choice by choice; the seed determines the random choices of its faults. */
    public static World replay(long seed, RecordedSchedule recorded) {
        return of(WorldOptions.of(seed).with(Schedule.replay(recorded)));
    }

    public long seed() {
        return options.seed();
    }

    /** Returns the time that programs take between two steps. */
    public Pace pace() {
        return options.pace();
    }

    /** Returns the choices so far, for {@link #replay}. */
    public RecordedSchedule recordedSchedule() {
        return core.recorded();
    }

    /** Makes the calling thread the owner. Only for callers that ensure that no other thread uses the world meanwhile. */
    public void adopt() {
        core.adopt();
    }

    /**
     * Ignores exceptions of that kind from subscribers and handlers of programs from now on; for tests of what a program does
     * after one. Otherwise the first exception is thrown unchanged by the next call that runs the world, because its stream has
     * ended and a stage that waits for it would never complete.
     */
    public void allowExceptions(Class<? extends Throwable> kind) {
        exceptions.allow(kind);
    }

    private boolean checksPrograms() {
        return !options.checks().isEmpty() && options.watch().isChecked();
    }

    /** Permits these mistakes to programs from now on. */
    public void allow(ProgramCheck... mistakes) {
        checks.allow(mistakes);
    }

    private boolean isTampered() {
        return Stream.of(FaultKind.FORGE, FaultKind.REWRITE, FaultKind.CORRUPT).anyMatch(faults.struck()::containsKey);
    }

    /** Returns the fault injection of this world. */
    public Faults faults() {
        return faults;
    }

    /** Returns how closely the world is observed. */
    public Watch watch() {
        return options.watch();
    }

    /** Returns the names of the invariants that are checked. */
    public List<String> invariants() {
        return watch().isJudged() ? monitor.names() : List.of();
    }

    /** Returns the first violation; the next call that runs the world throws it. */
    public Optional<Violation> violation() {
        return monitor.violation();
    }

    /**
     * Declares that only the adapter changes this memory from now on. Its bytes are checked against a shadow copy and, where
     * the adapter's {@linkplain Watch#PROTOCOL protocol} is checked, its atomics against a possible order.
     *
     * @throws IllegalStateException if the world is {@linkplain Watch#NOBODY not observed}: writes would not be seen
     */
    public void guard(Adapter adapter, String process, HostMemory memory) {
        if (options.watch() == Watch.NOBODY) {
            throw new IllegalStateException(
                    "no invariant watches this world, so its memory cannot be guarded; use WorldOptions.with"
                            + "(Watch.PROGRAM)");
        }
        monitor.guards().guard(adapter.name(), process, memory, adapter.byteOrder());
    }

    /**
     * Returns the adapter of that name. If there is none, plugs one in as the {@linkplain WorldOptions#adapters() options} say;
     * by default a ConnectX-5 on a link of 1 us and 100 Gbit/s.
     */
    public Adapter adapter(String name) {
        return network.adapter(name)
                .orElseGet(() -> adapter(name, options.adapters().profile()));
    }

    /**
     * Plugs in an adapter of that profile, on the link that the options have for it: {@code world.adapter("c",
     * Profile.CONNECTX_5.with(AtomicCapabilities.NONE))}.
     *
     * @throws IllegalArgumentException if an adapter of that name exists
     */
    public Adapter adapter(String name, Profile profile) {
        return network.addAdapter(name, profile, options.adapters().linkOf(name));
    }

    /** Returns two connected RC queue pairs with memory, ready to send. */
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
     * Returns the actor system that runs in this world's time and order. Actors and streams of a program may run in it:
     * {@code world.await(Sources.completions(cq).take(3).runWith(Sink.seq(), world.system()))}. It ends with the world.
     *
     * @throws IllegalStateException if the world was closed before the first call, or closes
     */
    public ActorSystem<?> system() {
        if (left || core.isOver() && !system.isShared()) {
            throw new IllegalStateException("this world is closed");
        }
        return system.share();
    }

    /**
     * Returns threads for a program, one for each task: the executor that a program with executors or timers of its own passes
     * to its libraries in tests. Tasks run as steps of this world, one at a time, in an order and after {@linkplain Pace
     * pauses} that the seed draws; timers expire in virtual time. A task that has not begun when the process ends never runs. A
     * task that blocks, other than by {@link #await}, blocks the world; real threads do not belong to the world and are
     * refused.
     */
    public ScheduledExecutorService executor(HostProcess process) {
        return executor(process, MAX_THREADS);
    }

    /** Returns threads for the test itself, or for a program without a process in this world. */
    public ScheduledExecutorService executor() {
        return new ProgramThreads(core, Optional.empty(), () -> !core.isOver(), MAX_THREADS);
    }

    /**
     * Returns an executor with the given number of threads; one thread runs its tasks in the order of submission.
     *
     * @param threads from 1 to {@link #MAX_THREADS}
     */
    public ScheduledExecutorService executor(HostProcess process, int threads) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException(threads + " threads requested; 1 to " + MAX_THREADS + " are allowed");
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

    /** Returns virtual time as a clock; the world began at 1970-01-01T00:00:00Z. */
    public Clock clock() {
        return new WorldClock(core, ZoneOffset.UTC);
    }

    /** Returns all recorded events; almost none in a world that is {@linkplain Watch#NOBODY not observed}. */
    public TraceRecorder trace() {
        return recorder;
    }

    /**
     * Adds a note of a deliberate action on an adapter to the trace, so that ladders show it.
     *
     * @param element the part of the adapter, named as in {@link TestkitEvent}
     */
    public void tell(Adapter adapter, String element, String what) {
        note(adapter.name(), element, what);
    }

    private void note(String port, String element, String what) {
        recorder.record(new TestkitEvent(new Stamp(recorder.nextId(), core.now(), 0, 0), port, element, what));
    }

    /**
     * Explains why a request or receive completed with its status.
     *
     * @throws IllegalArgumentException if the trace holds no such completion
     */
    public Explanation explain(WorkCompletion completion) {
        return explainer()
                .explain(completion)
                .orElseThrow(() -> new IllegalArgumentException("the trace has no completion " + completion));
    }

    /**
     * Explains why that event was raised.
     *
     * @throws IllegalArgumentException if the trace holds no such event
     */
    public Explanation explain(AsyncEvent event) {
        return explainer()
                .explain(event)
                .orElseThrow(() -> new IllegalArgumentException("the trace has no event " + event));
    }

    /** Returns an explainer of the events so far. */
    public Explainer explainer() {
        return Explainer.of(recorder);
    }

    /** Returns the virtual nanoseconds since the world began. */
    public long now() {
        return core.now();
    }

    /**
     * Fails the run with a {@link WorldStalledException} when more than the given number of tasks have run since the world
     * began. Closing the world is not limited.
     */
    public void limitSteps(long steps) {
        eventLoop.limitSteps(steps);
    }

    /** Returns the number of tasks run so far; a task is one message of one actor. */
    public long steps() {
        return core.steps();
    }

    /**
     * Runs the world until the stage is done.
     *
     * @return the stage's value; a failure is thrown unchanged
     * @throws WorldStalledException if nothing is left that could complete the stage, or if that much virtual time has passed
     */
    public <T> T await(CompletionStage<T> stage, Duration atMost) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        long limit = after(atMost);
        if (!eventLoop.until(future::isDone, limit)) {
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
                WorldStalledException stalled = new WorldStalledException(
                        "the stage is incomplete at " + RealTime.caller() + ", seed " + seed()
                                + ": a JDK timer expired; " + RealTime.INSTEAD,
                        atMost);
                stalled.initCause(failed);
                throw stalled;
            }
            throw failed;
        }
    }

    /** Waits of the program for its adapters, which run meanwhile. */
    private final class ProgramWaits implements Environment.Awaiter {
        /** The stall report already says what waits. */
        @Override
        public <T> T await(CompletionStage<T> stage, Duration atMost, Supplier<String> unread) {
            return World.this.await(stage, atMost);
        }

        @Override
        public boolean progress(boolean again) {
            return eventLoop.progress(again);
        }

        @Override
        public boolean isSimulation() {
            return true;
        }
    }

    public <T> T await(CompletionStage<T> stage) {
        return await(stage, RdmaNetwork.DEFAULT_TIMEOUT);
    }

    /** Adds to the current time, or returns the end of the clock if the sum overflows. */
    private long after(Duration time) {
        long nanos = TimeUnit.NANOSECONDS.convert(time);
        return nanos > Long.MAX_VALUE - core.now() ? Long.MAX_VALUE : core.now() + nanos;
    }

    /** Lets that much virtual time pass, at most until the world is {@link #MAX_TIME} old. */
    public void runFor(Duration time) {
        long until = after(time);
        if (time.isNegative() || until > MAX_TIME.toNanos()) {
            throw new IllegalArgumentException("runFor(" + time + ") at " + core.now() + " ns; 0 to " + MAX_TIME
                    + " of virtual time in all is allowed");
        }
        eventLoop.until(() -> false, until);
        core.advanceTo(until);
        eventLoop.settle();
    }

    /** Runs everything that is ready without letting time pass. */
    public void settle() {
        eventLoop.settle();
    }

    /**
     * Runs until nothing is ready and no timer is armed, or until that much virtual time has passed; true if the world is idle.
     * The invariants of an idle world are then checked, too.
     */
    public boolean runToQuiet(Duration atMost) {
        return runToQuiet(atMost, Long.MAX_VALUE);
    }

    /**
     * Runs until nothing is ready and no timer is armed, until that much virtual time has passed, or until that many tasks have
     * run, of which a retry that never ends makes millions in a few seconds of virtual time; true if the world is idle. The
     * invariants of an idle world are then checked, too.
     */
    public boolean runToQuiet(Duration atMost, long maxTasks) {
        return eventLoop.toQuiet(after(atMost), maxTasks);
    }

    /**
     * Stops all faults and lets everything in progress end.
     *
     * @throws InvariantBrokenException if something waits for an event that can never happen
     * @throws WorldStalledException if the world is not idle after that much virtual time
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

    /** Ends everything in the world, so that no thread waits for it; later use throws with the reason. */
    void stop(String reason) {
        core.stop(reason);
        core.close();
        try {
            network.close();
        } catch (RuntimeException | AssertionError thrown) {
            // The network could not close in order. Only that it ends matters here.
        }
    }

    @Override
    public void close() {
        core.checkThread();
        if (left) {
            return;
        }
        core.close();
        eventLoop.limitSteps(Long.MAX_VALUE);
        network.close();
        if (system.isShared()) {
            system.system().terminate();
            await(system.system().getWhenTerminated());
        }
        core.over();
        // The last calls of programs are answered, too, although their callers are gone.
        eventLoop.until(() -> !core.hasStep(), Long.MAX_VALUE);
        core.checkLeaks();
        if (checksPrograms()) {
            checks.atEnd();
        }
        eventLoop.end();
        left |= system.leave();
    }

    private Optional<PortAttributes> portOf(String adapter) {
        return network.adapter(adapter).map(known -> known.port(1));
    }

    private List<String> actorsOf(String adapter) {
        return new ActorRegistry(system.system()).of(adapter);
    }

    @Override
    public String toString() {
        return "world of seed " + seed();
    }
}
