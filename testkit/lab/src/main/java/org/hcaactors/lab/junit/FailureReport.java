// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

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
import org.hcaactors.lab.invariant.Violation;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;

/** What a person needs to see of a run that failed, in the order in which it is needed. */
final class FailureReport {
    private static final int MOST_REASONS = 3;
    /** Of what struck. */
    private static final int MOST_STRIKES = 5;

    private static final String INDENT = " ".repeat(10);

    private final World world;
    private final String type;
    private final String method;
    private final Path folder;

    /** @param folder where its pictures go */
    FailureReport(World world, String type, String method, Path folder) {
        this.world = world;
        this.type = type;
        this.method = method;
        this.folder = folder;
    }

    /**
     * Writes the pictures; returns the story.
     *
     * @param minimal what the run was shrunk to, as lines; else all faults are named, and what they struck
     * @param unused faults of the test's own that struck nothing
     */
    String write(Throwable failure, Optional<String> minimal, List<String> unused) {
        List<TraceEvent> events = world.trace().events();
        FailureScene scene = new FailureScene(events, world.violation().map(Violation::eventId));
        List<String> story = new ArrayList<>();
        story.add(what(failure));
        story.add("at        " + line(failure) + ", seed " + world.seed());
        story.add("replay    mvn test -Dtest=%s -Drdma.seed=%d"
                .formatted(quoted(simple(type) + "#" + asPattern(method)), world.seed()));
        story.add("fired     " + fired(world.faults().struck()));
        story.add(minimal.orElseGet(this::faults));
        unused.forEach(words -> story.add("unused    " + words + ": armed, and it struck nothing"));
        scene.told().forEach(told -> story.add("told      " + told));
        reasons(events).forEach(reason -> story.add("why       " + reason));
        story.addAll(scene.ladder());
        story.add("pictures  " + pictures());
        return String.join("\n", story);
    }

    /** A line of what was armed, and what it did. */
    private String faults() {
        return "faults    " + world.faults().plan() + struck(world.faults().strikes());
    }

    /** A line each, of the first few; each begins with the end of the line before. */
    static String struck(List<String> strikes) {
        StringBuilder text = new StringBuilder();
        strikes.stream()
                .limit(MOST_STRIKES)
                .forEach(strike -> text.append("\nstruck    ").append(strike));
        if (strikes.size() > MOST_STRIKES) {
            text.append("\n")
                    .append(INDENT)
                    .append("and ")
                    .append(strikes.size() - MOST_STRIKES)
                    .append(" more");
        }
        return text.toString();
    }

    /** Where in the test it failed; where the test's own class is not there, the innermost line. */
    private String line(Throwable failure) {
        StackTraceElement[] stack = failure.getStackTrace();
        return Arrays.stream(stack)
                .filter(frame -> frame.getClassName().equals(type)
                        || frame.getClassName().startsWith(type + "$"))
                .findFirst()
                .or(() -> Arrays.stream(stack).findFirst())
                .map(frame ->
                        simple(frame.getClassName()) + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse("an unknown line");
    }

    /** What broke, what failed, and what stands still; of each the first few. */
    private List<String> reasons(List<TraceEvent> events) {
        Explainer explainer = Explainer.newest(events);
        Stream<Explanation> broken = world.violation().map(Violation::eventId).flatMap(explainer::explain).stream();
        Stream<Explanation> failed = explainer.failures().stream().limit(MOST_REASONS);
        Stream<Explanation> waiting = explainer.waiting().stream().limit(MOST_REASONS);
        return Stream.of(broken, failed, waiting)
                .flatMap(each -> each)
                .map(reason -> String.join("\n" + INDENT, reason.lines()))
                .distinct()
                .toList();
    }

    /** {@code 3 times (drop 2, delay 1)}. */
    private static String fired(Map<FaultKind, Long> struck) {
        long times = struck.values().stream().mapToLong(Long::longValue).sum();
        return times + " times" + (times == 0 ? "" : " (" + FaultKind.words(struck) + ")");
    }

    private String what(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String seed = "seed " + world.seed() + ": ";
        String told = message.startsWith(seed) ? message.substring(seed.length()) : message;
        return failure instanceof AssertionError
                ? told.strip()
                : failure.getClass().getSimpleName() + ": " + told;
    }

    private String pictures() {
        try {
            WorldPictures.write(type + "." + method, world, folder);
            Files.writeString(
                    folder.resolve("schedule.txt"), world.recordedSchedule().toString());
            Files.writeString(folder.resolve("faults.conf"), plan());
            return folder
                    + "/{report.html, ladder.txt, ladder.mmd, packets.pcapng, trace.rlog, faults.conf, schedule.txt}";
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

    /** Surefire reads these between tests or in their names; each of them may stand for one character. */
    private static String asPattern(String method) {
        return method.replaceAll("[,+!%#?*]", "?");
    }

    /** As a shell takes it for one word, as it is. */
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_.#-]*") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    static String simple(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
