// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.invariant.Violation;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Ladder;

/** What a person needs to see of a run that failed: how to run it again, its last packets, and where its pictures are. */
final class FailureReport {
    private static final int LAST_PACKETS = 40;
    private static final int MOST_REASONS = 3;

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
     * @param minimal what the run was shrunk to, as lines
     * @param unused faults of the test's own that struck nothing
     */
    String write(Throwable failure, Optional<String> minimal, List<String> unused) {
        List<TraceEvent> events = world.trace().events();
        StringBuilder story = new StringBuilder();
        story.append("seed ").append(world.seed()).append(" failed: ").append(what(failure));
        story.append("\nreplay    mvn test -Dtest=").append(quoted(simple(type) + "#" + asPattern(method)));
        story.append(" -Drdma.seed=").append(world.seed());
        story.append("\nfaults    ").append(world.faults().plan());
        story.append("\nfired     ").append(fired(world.faults().struck()));
        unused.forEach(words -> story.append("\nunused    ").append(words).append(": armed, and it struck nothing"));
        minimal.ifPresent(line -> story.append("\n").append(line));
        story.append("\npictures  ").append(pictures());
        story.append("\n");
        reasons(events)
                .forEach(reason -> story.append("why       ").append(reason).append("\n"));
        story.append("last packets\n");
        Ladder.of(tail(events)).forEach(line -> story.append(line).append('\n'));
        return story.toString();
    }

    /** What broke, what failed, and what stands still; of each the first few. */
    private List<String> reasons(List<TraceEvent> events) {
        Explainer explainer = Explainer.newest(events);
        Stream<Explanation> broken = world.violation().map(Violation::eventId).flatMap(explainer::explain).stream();
        Stream<Explanation> failed = explainer.failures().stream().limit(MOST_REASONS);
        Stream<Explanation> waiting = explainer.waiting().stream().limit(MOST_REASONS);
        return Stream.of(broken, failed, waiting)
                .flatMap(each -> each)
                .map(reason -> String.join("\n          ", reason.lines()))
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
        return message.startsWith(seed) ? message.substring(seed.length()) : message;
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

    private static List<TraceEvent> tail(List<TraceEvent> events) {
        int from = events.size();
        for (int packets = 0; from > 0 && packets < LAST_PACKETS; from--) {
            if (events.get(from - 1) instanceof FabricEvent.Sent) {
                packets++;
            }
        }
        return events.subList(from, events.size());
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
