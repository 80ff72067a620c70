// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldStalledException;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.report.FailedRun;
import org.hcaactors.views.report.FailedTest;
import org.hcaactors.views.report.FailedTest.Fact;
import org.hcaactors.views.report.Report;

/** The report of a failed run: what a reader needs, in the order in which it is needed. */
final class FailureReport {
    private static final int MAX_REASONS = 3;

    /** A request that waits for less time when the run is cut off counts as in progress. */
    private static final long UNDER_WAY_NANOS = 1_000_000;

    /** Name of the whole run in the report's selection. */
    private static final String WHOLE = "whole";

    private static final List<String> FILES =
            List.of("ladder.txt", "ladder.mmd", "packets.pcapng", "trace.rlog", "faults.conf", "schedule.txt");

    private final World world;
    private final TestName name;
    private final Path folder;

    /** @param folder folder for its pictures */
    FailureReport(World world, TestName name, Path folder) {
        this.world = world;
        this.name = name;
        this.folder = folder;
    }

    /**
     * Writes the pictures and returns the report.
     *
     * @param small the shrunk run; without it, all faults and what they struck are listed
     * @param unused the test's own faults that struck nothing
     */
    String write(Throwable failure, Optional<SmallRun> small, List<String> unused) {
        FailedRun whole = WorldPictures.failed(WHOLE, name.title(), world);
        Optional<FailedRun> smaller =
                small.flatMap(SmallRun::run).filter(run -> !run.events().equals(whole.events()));
        FailedRun failed = smaller.orElse(whole);
        FailureContext scene = new FailureContext(failed);
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("injected", injected(world.faults().struck())));
        facts.addAll(small.map(SmallRun::facts).orElseGet(this::faults));
        unused.forEach(words -> facts.add(new Fact("unused", words + ": armed, but never injected")));
        smaller.ifPresent(run -> facts.add(new Fact("run", shown(run, whole))));
        scene.describe().forEach(words -> facts.add(new Fact("event", words)));
        List<String> reasons = reasons(failed, failure instanceof WorldStalledException ? Long.MAX_VALUE : idle(whole));
        if (reasons.isEmpty()) {
            // If nothing failed and nothing waits, repetitions by the program may be the only clue.
            Explainer.newest(failed.events()).postedAgain().stream()
                    .limit(MAX_REASONS)
                    .forEach(words -> facts.add(new Fact("again", words)));
        }
        FailedTest test = test(failure, facts);
        List<String> story = new ArrayList<>();
        story.add(test.assertion());
        Stream.of(
                        Stream.of(new Fact("at", test.line()), new Fact("replay", test.replay())),
                        facts.stream(),
                        reasons.stream().map(reason -> new Fact("why", reason)))
                .flatMap(each -> each)
                .flatMap(ReportLines::lines)
                .forEach(story::add);
        story.addAll(scene.ladder());
        List<FailedRun> runs = Stream.concat(smaller.stream(), Stream.of(whole)).toList();
        story.add("pictures  " + pictures(test, runs));
        return String.join("\n", story);
    }

    private FailedTest test(Throwable failure, List<Fact> facts) {
        return new FailedTest(
                name.words(),
                what(failure),
                line(failure) + ", seed " + world.seed(),
                name.command().apply(world.seed()),
                facts,
                FILES);
    }

    /** Says which of the two runs the rest of the report shows. */
    private static String shown(FailedRun small, FailedRun whole) {
        return "from here on the minimal run: %d events; the whole run has %d"
                .formatted(small.events().size(), whole.events().size());
    }

    /** Returns the armed faults and what they struck. */
    private List<Fact> faults() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("plan", world.faults().plan().toString()));
        facts.addAll(ReportLines.struck(world.faults().strikes()));
        return facts;
    }

    /** Returns the test's line that failed; if the stack does not contain the test's class, the innermost line. */
    private String line(Throwable failure) {
        StackTraceElement[] stack = failure.getStackTrace();
        return Arrays.stream(stack)
                .filter(frame -> frame.getClassName().equals(name.type())
                        || frame.getClassName().startsWith(name.type() + "$"))
                .findFirst()
                .or(() -> Arrays.stream(stack).findFirst())
                .map(frame -> TestName.simple(frame.getClassName()) + "(" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")")
                .orElse("an unknown line");
    }

    /** Returns the time since the last event. */
    private long idle(FailedRun run) {
        return world.now() - lastNanos(run.events());
    }

    private static long lastNanos(List<TraceEvent> events) {
        return events.isEmpty() ? 0 : events.getLast().stamp().nanos();
    }

    /**
     * Explains violations, failures and waits; the first few of each.
     *
     * @param idle time without events before the run was cut off
     */
    private static List<String> reasons(FailedRun run, long idle) {
        Explainer explainer = Explainer.newest(run.events());
        Stream<Explanation> broken = run.broken().stream().boxed().flatMap(id -> explainer.explain(id).stream());
        Stream<Explanation> failed = explainer.failures().stream().limit(MAX_REASONS);
        Stream<Explanation> waiting = explainer.waiting().stream()
                .filter(reason -> lastNanos(run.events()) - since(reason) >= UNDER_WAY_NANOS - idle)
                .limit(MAX_REASONS);
        return Stream.of(broken, failed, waiting)
                .flatMap(each -> each)
                .map(reason -> String.join("\n", reason.lines()))
                .distinct()
                .toList();
    }

    /** Returns when the wait began; for completions that are not polled, the time of the last event about them. */
    private static long since(Explanation waits) {
        return switch (waits.about()) {
            case Explanation.Subject.Waiting waiting ->
                waiting.request().stamp().nanos();
            case Explanation.Subject.Connecting connecting ->
                connecting.end().stamp().nanos();
            case Explanation.Subject.Unfetched unfetched -> lastNanos(waits.events());
            case Explanation.Subject.Happened happened ->
                happened.event().stamp().nanos();
        };
    }

    /** Returns {@code 3 times (drop 2, delay 1)}. */
    private static String injected(Map<FaultKind, Long> struck) {
        long times = struck.values().stream().mapToLong(Long::longValue).sum();
        return times + (times == 1 ? " time" : " times") + (times == 0 ? "" : " (" + FaultKind.words(struck) + ")");
    }

    private String what(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String seed = "seed " + world.seed() + ": ";
        String text = message.startsWith(seed) ? message.substring(seed.length()) : message;
        return failure instanceof AssertionError
                ? text.strip()
                : failure.getClass().getSimpleName() + ": " + text;
    }

    private String pictures(FailedTest test, List<FailedRun> runs) {
        try {
            WorldPictures.write(name.title(), world, Report.ofFailure(test, runs), folder);
            Files.writeString(
                    folder.resolve("schedule.txt"), world.recordedSchedule().toString());
            Files.writeString(folder.resolve("faults.conf"), plan());
            return folder + "/{report.html, " + String.join(", ", FILES) + "}";
        } catch (IOException | RuntimeException failed) {
            return "could not be written to " + folder + ": " + failed;
        }
    }

    private String plan() {
        try {
            return world.faults().plan().toHocon();
        } catch (IllegalArgumentException ownCode) {
            return "# " + ownCode.getMessage() + "\n# " + world.faults().plan() + "\n";
        }
    }
}
