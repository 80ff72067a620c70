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

/** What a person needs to see of a run that failed, in the order in which it is needed. */
final class FailureReport {
    private static final int MAX_REASONS = 3;

    /** What is younger when a run is cut is merely under way. */
    private static final long UNDER_WAY_NANOS = 1_000_000;

    /** By which the report's reader chooses the run as it was. */
    private static final String WHOLE = "whole";

    private static final List<String> FILES =
            List.of("ladder.txt", "ladder.mmd", "packets.pcapng", "trace.rlog", "faults.conf", "schedule.txt");

    private final World world;
    private final TestName name;
    private final Path folder;

    /** @param folder where its pictures go */
    FailureReport(World world, TestName name, Path folder) {
        this.world = world;
        this.name = name;
        this.folder = folder;
    }

    /**
     * Writes the pictures; returns the story.
     *
     * @param small what the run was shrunk to; without it, all faults are named, and what they struck
     * @param unused faults of the test's own that struck nothing
     */
    String write(Throwable failure, Optional<SmallRun> small, List<String> unused) {
        FailedRun whole = WorldPictures.failed(WHOLE, name.title(), world);
        Optional<FailedRun> smaller =
                small.flatMap(SmallRun::run).filter(run -> !run.events().equals(whole.events()));
        FailedRun told = smaller.orElse(whole);
        FailureContext scene = new FailureContext(told);
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("fired", fired(world.faults().struck())));
        facts.addAll(small.map(SmallRun::facts).orElseGet(this::faults));
        unused.forEach(words -> facts.add(new Fact("unused", words + ": armed, and it struck nothing")));
        smaller.ifPresent(run -> facts.add(new Fact("shown", shown(run, whole))));
        scene.told().forEach(words -> facts.add(new Fact("told", words)));
        List<String> reasons = reasons(told, failure instanceof WorldStalledException ? Long.MAX_VALUE : idle(whole));
        if (reasons.isEmpty()) {
            // Of what neither failed nor waits a program's own repetition may be all that can be told.
            Explainer.newest(told.events()).postedAgain().stream()
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

    /** What of both runs stands below it. */
    private static String shown(FailedRun small, FailedRun whole) {
        return "from here on the minimal run, of %d events; the whole run has %d"
                .formatted(small.events().size(), whole.events().size());
    }

    /** What was armed, and what it did. */
    private List<Fact> faults() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("faults", world.faults().plan().toString()));
        facts.addAll(ReportLines.struck(world.faults().strikes()));
        return facts;
    }

    /** Where in the test it failed; where the test's own class is not there, the innermost line. */
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

    /** Since the last thing happened. */
    private long idle(FailedRun run) {
        return world.now() - lastNanos(run.events());
    }

    private static long lastNanos(List<TraceEvent> events) {
        return events.isEmpty() ? 0 : events.getLast().stamp().nanos();
    }

    /**
     * What broke, what failed, and what does not come to an end; of each the first few.
     *
     * @param idle for which nothing had happened when it was cut
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

    /** From when on it waits; where nobody fetches completions, from the last that was done about them. */
    private static long since(Explanation waits) {
        return switch (waits.about()) {
            case Explanation.Subject.Waiting waiting ->
                waiting.request().stamp().nanos();
            case Explanation.Subject.Unfetched unfetched -> lastNanos(waits.events());
            case Explanation.Subject.Happened happened ->
                happened.event().stamp().nanos();
        };
    }

    /** {@code 3 times (drop 2, delay 1)}. */
    private static String fired(Map<FaultKind, Long> struck) {
        long times = struck.values().stream().mapToLong(Long::longValue).sum();
        return times + (times == 1 ? " time" : " times") + (times == 0 ? "" : " (" + FaultKind.words(struck) + ")");
    }

    private String what(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String seed = "seed " + world.seed() + ": ";
        String told = message.startsWith(seed) ? message.substring(seed.length()) : message;
        return failure instanceof AssertionError
                ? told.strip()
                : failure.getClass().getSimpleName() + ": " + told;
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
