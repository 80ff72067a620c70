// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.scenario.Scenario.Job;
import org.hcaactors.lab.scenario.Scenario.Line;
import org.hcaactors.lab.scenario.Scenario.Plug;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.hcaactors.lab.world.WorldStalledException;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.TestkitEvent;

/** A run of a scenario in its own world. The same seed gives the same run. */
public final class ScenarioRun implements AutoCloseable {
    /** Maximum virtual time of a run. */
    public static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** Maximum actor messages of a run; endless retries do not reach the time limit. */
    public static final long MAX_STEPS = 4_000_000;

    /** First object numbers, the same with every seed: a scenario's faults name queue pairs by number. */
    private static final FirstNumbers NUMBERS = new FirstNumbers(0x11, 0x200);

    /** A request of a job, with its completion. */
    record Request(Job job, CompletableFuture<WorkCompletion> done) {
        Optional<WorkCompletion> completion() {
            return done.isDone() && !done.isCompletedExceptionally() ? Optional.of(done.join()) : Optional.empty();
        }

        /** Returns why it was not posted. */
        Optional<String> refusal() {
            return done.isCompletedExceptionally()
                    ? Optional.of(job.verb().word() + ": " + done.exceptionNow().getMessage())
                    : Optional.empty();
        }
    }

    /** A scheduled action. */
    private record Due(Duration at, Runnable act) {}

    private final Scenario scenario;
    private final World world;
    private final Map<String, ScenarioConnection> wired = new LinkedHashMap<>();
    private final Map<String, TaggedTraffic> tagged = new LinkedHashMap<>();
    private final ManagedConnections managed;
    private final List<Request> requests = new ArrayList<>();
    private final ScenarioOutcome outcome;

    private ScenarioRun(Scenario scenario, long seed, long maxSteps) {
        this.scenario = scenario;
        WorldOptions options = WorldOptions.of(seed).with(NUMBERS);
        world = World.of(scenario.verbsTakeTime() ? options.takingTime() : options);
        world.limitSteps(maxSteps);
        managed = new ManagedConnections(world, scenario);
        Optional<String> broken = Optional.empty();
        try {
            play();
        } catch (InvariantBrokenException violation) {
            broken = Optional.of(violation.violation().toString());
        } catch (WorldStalledException stalled) {
            broken = String.valueOf(stalled.getMessage()).lines().findFirst();
        } catch (VerbsException refused) {
            world.close();
            throw refused;
        }
        outcome = outcome(broken);
    }

    /**
     * Runs the scenario to its end.
     *
     * @throws VerbsException if an adapter refuses an object of the scenario
     */
    public static ScenarioRun of(Scenario scenario, long seed) {
        return within(scenario, seed, MAX_STEPS);
    }

    /** Runs the scenario with a lower limit of actor messages. */
    public static ScenarioRun within(Scenario scenario, long seed, long maxSteps) {
        return new ScenarioRun(scenario, seed, maxSteps);
    }

    public Scenario scenario() {
        return scenario;
    }

    public ScenarioOutcome outcome() {
        return outcome;
    }

    /** Returns the reasons why requests were refused at posting, with their numbers. */
    public SortedMap<String, Long> refusals() {
        SortedMap<String, Long> all = new TreeMap<>();
        requests.forEach(request -> request.refusal().ifPresent(reason -> all.merge(reason, 1L, Long::sum)));
        return all;
    }

    /** Returns the reasons why tagged sends and receives failed and connections were not made, with their numbers. */
    public SortedMap<String, Long> failures() {
        SortedMap<String, Long> all = new TreeMap<>();
        managed.failures().forEach(reason -> all.merge(reason, 1L, Long::sum));
        tagged.values().forEach(traffic -> traffic.failures().forEach(reason -> all.merge(reason, 1L, Long::sum)));
        return all;
    }

    /** Returns the world of the run, for pictures and explanations. */
    public World world() {
        return world;
    }

    /** Returns the ladder from the first action on; connections are set up in the same way in every run. */
    public List<String> ladder() {
        List<TraceEvent> events = world.trace().events();
        List<TraceEvent> shown = events.stream()
                .dropWhile(event -> !begins(event))
                .filter(event ->
                        !(event instanceof HcaEvent.StateChanged changed && changed.reason() == StateReason.MODIFIED))
                .toList();
        return Ladder.part(events, shown.isEmpty() ? events : shown, false);
    }

    private static boolean begins(TraceEvent event) {
        return switch (event) {
            case HcaEvent.WorkPosted posted -> true;
            case HcaEvent.Armed armed -> true;
            case HcaEvent.ConnectionChanged changed -> true;
            case HcaEvent.WaiterSleeps sleeps -> true;
            case TestkitEvent bench -> true;
            default -> false;
        };
    }

    private void play() {
        scenario.adapters().forEach(this::plug);
        Map<String, Map<String, String>> environments =
                scenario.adapters().stream().collect(Collectors.toMap(Plug::name, Plug::environment));
        SplittableRandom random = new SplittableRandom(world.seed());
        Consumer<Line> open = line -> {
            List<Job> own = scenario.traffic().stream()
                    .filter(job -> job.line().equals(line))
                    .toList();
            wired.put(line.name(), new ScenarioConnection(world, line, own, environments, random));
        };
        scenario.objects().stream().filter(line -> line.openedAt().isZero()).forEach(open);
        for (TaggedConnection line : scenario.tagged()) {
            List<TaggedStep> own = scenario.messages().stream()
                    .filter(step -> step.line().equals(line))
                    .toList();
            tagged.put(line.name(), new TaggedTraffic(world, line, own, environments, random));
        }
        managed.plan(environments, random);
        for (Fault fault : scenario.faults().faults()) {
            world.faults().arm(fault.later(Duration.ofNanos(world.now())));
        }
        long start = world.now();
        for (Due due : agenda(open)) {
            passTo(start + due.at.toNanos());
            act(due);
        }
        world.runToQuiet(TIMEOUT);
        managed.rethrow();
    }

    /** Runs the action. If a fault refuses it, it is skipped and the run continues. */
    private void act(Due due) {
        int before = world.faults().firings().size();
        try {
            due.act.run();
        } catch (VerbsException refused) {
            if (world.faults().firings().size() == before) {
                throw refused;
            }
        }
    }

    private void plug(Plug plug) {
        Adapter adapter = world.network().addAdapter(plug.name(), plug.profile(), scenario.link(), plug.machine());
        if (!plug.firmware().isEmpty()) {
            adapter.firmware().set(plug.firmware());
            world.await(adapter.firmware().restart(Restart.POWER_CYCLE));
        }
    }

    /**
     * Returns the actions in the order of time; at one moment firmware is first, then connections and receives, and tagged
     * messages and changes are last.
     */
    private List<Due> agenda(Consumer<Line> open) {
        List<Due> all = new ArrayList<>();
        scenario.firmware().forEach(step -> all.add(new Due(step.at(), () -> tend(step))));
        scenario.objects().stream()
                .filter(line -> line.openedAt().isPositive())
                .forEach(line -> all.add(new Due(line.openedAt(), () -> {
                    List.of(line.first(), line.second()).forEach(end -> tellOpened(line, end));
                    open.accept(line);
                })));
        managed.agenda((at, act) -> all.add(new Due(at, act)));
        scenario.objects().forEach(line -> all.addAll(receives(line)));
        scenario.objects().stream()
                .filter(line -> line.polled() && line.polledAt().isPositive())
                .forEach(line -> all.add(new Due(
                        later(line.polledAt(), line), () -> wiredFor(line).ifPresent(ScenarioConnection::poll))));
        scenario.objects()
                .forEach(line -> line.thread()
                        .ifPresent(thread -> all.add(new Due(
                                later(thread.at(), line), () -> wiredFor(line).ifPresent(ScenarioConnection::wake)))));
        scenario.traffic().forEach(job -> all.add(new Due(job.at(), () -> post(job))));
        scenario.messages().forEach(step -> all.add(new Due(step.at(), () -> begin(step))));
        scenario.changes()
                .forEach(change -> all.add(new Due(
                        change.at(),
                        () -> managed.whenDecided(
                                change.line(),
                                () -> wiredFor(change.line()).ifPresent(connection -> connection.change(change))))));
        all.sort(Comparator.comparing(Due::at));
        return all;
    }

    private List<Due> receives(Line line) {
        List<Due> all = new ArrayList<>();
        for (int i = 0; i < line.stocks().size(); i++) {
            int queue = i;
            Duration at = later(line.stocks().get(queue).at(), line);
            all.add(new Due(at, () -> wiredFor(line).ifPresent(connection -> connection.postReceives(queue))));
        }
        return all;
    }

    /** Returns the time, but not before the connection is opened. */
    private static Duration later(Duration at, Line line) {
        return at.compareTo(line.openedAt()) < 0 ? line.openedAt() : at;
    }

    private void tellOpened(Line line, String end) {
        world.tell(
                world.adapter(end),
                "connection " + line.name(),
                ScenarioConnection.PROCESS + " opens " + end + " and connects \"" + line.name() + "\"");
    }

    private void tend(FirmwareStep step) {
        Adapter adapter = world.adapter(step.adapter());
        world.tell(adapter, step instanceof FirmwareStep.Start ? "device" : "firmware", step.words());
        switch (step) {
            case FirmwareStep.Set set -> adapter.firmware().set(set.requested());
            case FirmwareStep.Reset reset -> adapter.firmware().reset();
            case FirmwareStep.Start start -> world.await(adapter.firmware().restart(start.how()));
        }
    }

    private void passTo(long nanos) {
        if (nanos > world.now()) {
            world.runFor(Duration.ofNanos(nanos - world.now()));
        }
    }

    /** Returns the connection; empty if a fault refused one of its objects, or communication management did not make it. */
    private Optional<ScenarioConnection> wiredFor(Line line) {
        managed.find(line).ifPresent(made -> wired.put(line.name(), made));
        return Optional.ofNullable(wired.get(line.name()));
    }

    private void post(Job job) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        managed.whenDecided(
                job.line(),
                () -> CompletableFuture.allOf(submit(job)).whenComplete((done, failed) -> over.complete(null)));
        if (job.waits()) {
            world.await(over, TIMEOUT);
        }
    }

    private CompletableFuture<?>[] submit(Job job) {
        List<Request> own = new ArrayList<>();
        for (int i = 0; i < job.times(); i++) {
            try {
                CompletionStage<WorkCompletion> stage = wiredFor(job.line())
                        .orElseThrow(
                                () -> VerbsException.invalid("\"" + job.line().name() + "\" was not opened"))
                        .submit(job, requests.size() + own.size() + 1L);
                own.add(new Request(job, stage.toCompletableFuture()));
            } catch (VerbsException refused) {
                own.add(new Request(job, CompletableFuture.failedFuture(refused)));
            }
        }
        requests.addAll(own);
        return own.stream().map(Request::done).toArray(CompletableFuture<?>[]::new);
    }

    private void begin(TaggedStep step) {
        TaggedTraffic traffic =
                java.util.Objects.requireNonNull(tagged.get(step.line().name()));
        CompletionStage<?> over = traffic.begin(step);
        if (step.waits()) {
            world.await(over, TIMEOUT);
        }
    }

    private ScenarioOutcome outcome(Optional<String> broken) {
        Map<Status, Long> completions = new EnumMap<>(Status.class);
        requests.forEach(request ->
                request.completion().ifPresent(completion -> completions.merge(completion.status(), 1L, Long::sum)));
        Map<Status, Long> receives = new EnumMap<>(Status.class);
        wired.values()
                .forEach(line ->
                        line.received().forEach(completion -> receives.merge(completion.status(), 1L, Long::sum)));
        List<TraceEvent> events = world.trace().events();
        SortedMap<String, SortedMap<String, Long>> counters = counters();
        TaggedOutcome messages = TaggedOutcome.of(tagged.values());
        ExpectationChecker judge = new ExpectationChecker(
                scenario, requests, wired, tagged, managed, events, completions, receives, messages, counters, broken);
        long packets =
                events.stream().filter(FabricEvent.Sent.class::isInstance).count();
        long last = events.isEmpty() ? 0 : events.getLast().stamp().nanos();
        return new ScenarioOutcome(
                judge.checks(), completions, receives, messages, managed.outcomes(), counters, last, packets, broken);
    }

    private SortedMap<String, SortedMap<String, Long>> counters() {
        SortedMap<String, SortedMap<String, Long>> all = new TreeMap<>();
        world.network().adapters().forEach(adapter -> all.put(adapter.name(), MovedCounters.of(adapter)));
        return all;
    }

    /** Errors on closing are ignored if the run failed: its outcome says why. */
    @Override
    public void close() {
        try {
            world.close();
        } catch (InvariantBrokenException | WorldStalledException thrown) {
            if (outcome.broken().isEmpty()) {
                throw thrown;
            }
        }
    }
}
