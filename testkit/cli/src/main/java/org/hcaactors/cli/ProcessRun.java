// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.cli.exec.StruckFaults;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogReader;

/**
 * Recorded run of a process of a program, from the files that the process wrote.
 *
 * @param program name of the program
 * @param process number of the process
 * @param run without a trailer if the process did not come to its end
 * @param isWhole false if the last events before the end may be missing
 */
record ProcessRun(String program, String process, Rlog run, boolean isWhole) {
    /** The files of the processes: the name of the program, and the number of the process. */
    private static final Pattern FILE =
            Pattern.compile("([a-z]-\\d+)(\\.rlog|\\.txt|\\.before\\.rlog|\\.unfinished\\.rlog)(?:\\.part)?");

    private static final String RUN = ".rlog";

    /** The run of a process that did not come to its end, and the events before those. */
    private static final String UNFINISHED = ".unfinished.rlog";

    private static final String BEFORE = ".before.rlog";

    /** What a process writes last. */
    private static final String TEXT = ".txt";

    /** Returns all files of processes in a folder, by the part of their names that names the process. */
    private static Map<String, List<Path>> files(Path place) throws IOException {
        Map<String, List<Path>> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(place)) {
            for (Path file : all.sorted().toList()) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    files.computeIfAbsent(name.group(1), any -> new ArrayList<>())
                            .add(file);
                }
            }
        }
        return files;
    }

    /** Deletes the files of all processes. */
    static void deleteAll(Path place) throws IOException {
        for (List<Path> files : files(place).values()) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /** Returns what faults and refusals did, as the texts of all processes say. */
    static StruckFaults struck(Path place) throws IOException {
        StruckFaults struck = new StruckFaults();
        for (String name : files(place).keySet()) {
            Path text = place.resolve(name + TEXT);
            if (Files.exists(text)) {
                struck.add(program(name), Files.readAllLines(text));
            } else {
                struck.addWithoutText();
            }
        }
        return struck;
    }

    /** Returns the runs of all processes; that of one that was killed at its very beginning has no events. */
    static List<ProcessRun> all(Path place) throws IOException, BadInputException {
        List<ProcessRun> all = new ArrayList<>();
        for (String name : files(place).keySet()) {
            Path whole = place.resolve(name + RUN);
            if (Files.exists(whole)) {
                all.add(new ProcessRun(program(name), number(name), RecordedRun.read(whole), true));
            } else {
                boolean isWhole = Files.exists(place.resolve(name + TEXT));
                all.add(new ProcessRun(program(name), number(name), unfinished(place, name), isWhole));
            }
        }
        return all;
    }

    private static Rlog unfinished(Path place, String name) throws IOException, BadInputException {
        Optional<Rlog> joined = Optional.empty();
        for (Path file : List.of(place.resolve(name + BEFORE), place.resolve(name + UNFINISHED))) {
            if (Files.exists(file) && hasHeader(file)) {
                Rlog run = RecordedRun.read(file);
                joined = Optional.of(joined.map(before -> both(before, run)).orElse(run));
            }
        }
        return joined.orElseGet(() -> new Rlog(Rlog.Header.of(program(name)), List.of(), 0, Optional.empty()));
    }

    /** True if its first text, the header, is complete. */
    private static boolean hasHeader(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(RlogReader.MAX_TEXT_BYTES), StandardCharsets.UTF_8).indexOf('\n') >= 0;
        }
    }

    private static Rlog both(Rlog before, Rlog run) {
        List<TraceEvent> events = new ArrayList<>(before.events());
        events.addAll(run.events());
        int left = Math.max(0, events.size() - TraceRecorder.CAPACITY);
        return new Rlog(
                run.header(), events.subList(left, events.size()), before.unknown() + run.unknown(), Optional.empty());
    }

    private static String program(String name) {
        return name.substring(0, name.indexOf('-'));
    }

    private static String number(String name) {
        return name.substring(name.indexOf('-') + 1);
    }

    boolean isFinished() {
        return run.trailer().isPresent();
    }

    /** Returns the number of older events that are not in the run. */
    long forgotten() {
        return run.trailer()
                .map(Rlog.Trailer::forgotten)
                .orElseGet(() -> run.events().stream()
                        .mapToLong(event -> event.stamp().id() - 1)
                        .min()
                        .orElse(0));
    }

    /**
     * Returns the run with an event at its end that says how the process ended.
     *
     * @param how such as {@code ended with signal 9 (SIGKILL)}
     * @param otherwise time of the end if the run has no events
     */
    Rlog endedBy(String how, long otherwise) {
        long id = run.events().stream()
                        .mapToLong(event -> event.stamp().id())
                        .max()
                        .orElse(0)
                + 1;
        long nanos = run.events().isEmpty() ? otherwise : lastNanos();
        List<TraceEvent> events = new ArrayList<>(run.events());
        events.add(new TestkitEvent(
                new Stamp(id, nanos, 0, 0), program, TestkitEvent.ofEnd(process), "process " + process + " " + how));
        return new Rlog(run.header(), events, run.unknown(), run.trailer());
    }

    /** Returns the time of its last event; 0 if there is none. */
    long lastNanos() {
        return run.events().isEmpty() ? 0 : run.events().getLast().stamp().nanos();
    }
}
