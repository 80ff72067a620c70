// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.lab.fault.PacketFaults;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;

/**
 * Files of a program's run, written to a folder at its end: a recorded run, and a text of what went wrong on purpose and of counters.
 * A process that does not come to its end leaves a recorded run up to a moment before. Any thread.
 */
final class RunReport {
    /** Name of a file that a supervisor creates in the folder to get the files before it ends the program. */
    private static final String REQUEST = "write";

    /** Heap that an event may take, with the data of its packet; half of the heap is for events. */
    private static final int EVENT_BYTES = 4096;

    /** Characters of a command, and of a plan of faults. */
    private static final int MAX_COMMAND = 120;

    private static final int MAX_PLAN = 4000;

    /** What a process that is killed may lose; more if a flush takes long. */
    private static final Duration FLUSHES_EVERY = Duration.ofMillis(20);

    private static final int PAUSES_PER_FLUSH = 4;

    private final Optional<Path> folder;
    private final String program;
    private final String title;
    private final RefusalPlan refusals;
    private final TraceRecorder recorder;
    private final RefusedCalls refused;
    private final Rlog.Header header;
    private final Optional<RunJournal> journal;

    RunReport(Settings settings, Errnos errnos) {
        ProcessHandle process = ProcessHandle.current();
        recorder = new TraceRecorder(capacity(Runtime.getRuntime().maxMemory()));
        folder = settings.report();
        refused = new RefusedCalls(errnos, trace(), settings.name(), ServedAdapter.clock(settings.slower()));
        refusals = settings.disturbances().refusals();
        program = settings.name() + "-" + process.pid();
        // The times of the events are the adapter's.
        title = "%s, process %d%s, clock %d times slower"
                .formatted(
                        settings.name(),
                        process.pid(),
                        process.info()
                                .command()
                                .map(command -> " (" + Path.of(command).getFileName() + ")")
                                .orElse(""),
                        settings.slower());
        header = new Rlog.Header(
                settings.name() + ": " + commandLine(process), OptionalLong.empty(), circumstances(settings));
        journal = folder.map(at -> new RunJournal(header, at, program));
        journal.ifPresent(kept -> recorder.listen(kept::add));
    }

    /** Returns what the recorded run says before its events: comments of the plan of faults, and the plan. */
    private static String circumstances(Settings settings) {
        RefusalPlan refusals = settings.disturbances().refusals();
        return "# " + settings.name() + ": " + settings.profile().name()
                + (settings.seed().isPresent() ? ", seed " + settings.seed().getAsLong() : "") + ", clock "
                + settings.slower() + " times slower" + (refusals.isEmpty() ? "" : ", refuses " + refusals)
                + settings.disturbances().faults().map(RunReport::plan).orElse("");
    }

    private static String plan(Path file) {
        try {
            return "\n\n" + shortened(Files.readString(file).strip(), MAX_PLAN);
        } catch (IOException gone) {
            // It was read when the adapter was opened.
            return "\n# the plan of faults cannot be read any more: " + gone.getMessage();
        }
    }

    /** Returns the command with its arguments, without its folder. */
    private static String commandLine(ProcessHandle process) {
        String line = process.info()
                .commandLine()
                .flatMap(text -> text.lines().findFirst())
                .orElse("");
        return line.isEmpty() ? "process " + process.pid() : shortened(line.replaceFirst("^\\S*/", ""), MAX_COMMAND);
    }

    /** Returns at most so many characters of a text, and three points for the rest. */
    static String shortened(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + "...";
    }

    private static int capacity(long heapBytes) {
        return (int) Math.min(TraceRecorder.CAPACITY, heapBytes / 2 / EVENT_BYTES);
    }

    /** Returns what records events, if a report is wanted. */
    TraceSink trace() {
        return folder.isPresent() ? recorder : TraceSink.NONE;
    }

    /** Returns what notes refused calls. */
    RefusedCalls refused() {
        return refused;
    }

    /** Writes the files, if a report is wanted; each is complete, or absent. */
    synchronized void write(ServedAdapter served) throws IOException {
        if (folder.isPresent()) {
            Path at = Files.createDirectories(folder.get());
            Path run = at.resolve(program + ".rlog.part");
            RlogWriter.write(header, recorder.events(), recorder.forgotten(), run);
            complete(run, ".rlog");
            writeText(served);
            journal.orElseThrow().end();
        }
    }

    private void writeText(ServedAdapter served) throws IOException {
        Path text = folder.orElseThrow().resolve(program + ".txt.part");
        Files.write(text, lines(served));
        complete(text, ".txt");
    }

    private void complete(Path part, String suffix) throws IOException {
        Files.move(
                part,
                part.resolveSibling(program + suffix),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Writes the run from now on while it continues, as a process that is killed does not come to its end; a process that crashes waits
     * until all is written. Also writes the files when a supervisor asks for them: a program that hangs has no end.
     */
    void keep(ServedAdapter served, Errnos errnos, CrashCalls crash) {
        journal.ifPresent(kept -> {
            try {
                // Before the first verb returns: the file is there from the beginning, and a crash waits.
                Files.createDirectories(folder.orElseThrow());
                kept.flush();
                crash.await(Duration.ZERO);
            } catch (IOException failed) {
                errnos.of(failed);
                return;
            }
            Thread.ofPlatform().name("hca-verbs-report").daemon().start(() -> {
                try {
                    keep(served, kept, crash);
                } catch (IOException | RuntimeException failed) {
                    errnos.of(failed);
                } finally {
                    crash.end();
                }
            });
        });
    }

    private void keep(ServedAdapter served, RunJournal kept, CrashCalls crash) throws IOException {
        Path request = folder.orElseThrow().resolve(REQUEST);
        Duration pause = FLUSHES_EVERY;
        while (true) {
            boolean crashed = crash.await(pause);
            if (Files.exists(request)) {
                write(served);
                return;
            }
            long began = System.nanoTime();
            kept.flush();
            if (crashed) {
                writeText(served);
                return;
            }
            pause = pauseAfter(Duration.ofNanos(System.nanoTime() - began));
        }
    }

    /** Returns the time to the next flush: a program whose events come fast keeps most of a processor. */
    private static Duration pauseAfter(Duration flush) {
        Duration rest = flush.multipliedBy(PAUSES_PER_FLUSH);
        return rest.compareTo(FLUSHES_EVERY) > 0 ? rest : FLUSHES_EVERY;
    }

    private List<String> lines(ServedAdapter served) {
        List<String> lines = new ArrayList<>();
        lines.add(title);
        lines.add(served.adapter().profile().name() + " at " + served.adapter().gid());
        served.faults()
                .map(PacketFaults::struck)
                .orElse(List.of())
                .forEach(each -> lines.add(
                        "fault " + each.words() + ": " + each.times() + (each.times() == 1 ? " packet" : " packets")));
        refusals.struck()
                .forEach(each ->
                        lines.add("refused " + each.function() + " " + each.errno() + ": call " + each.number()));
        lines.addAll(refused.lines());
        counters(served.network().cableCounters(), lines);
        counters(served.adapter().counters(), lines);
        return lines;
    }

    private static void counters(Map<String, Long> counters, List<String> lines) {
        counters.forEach((name, value) -> {
            if (value != 0) {
                lines.add(name + " " + value);
            }
        });
    }
}
