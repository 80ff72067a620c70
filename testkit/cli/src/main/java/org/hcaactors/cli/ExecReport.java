// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.cli.exec.StruckFaults;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.picture.Pictures;
import org.hcaactors.views.rlog.JoinedRun;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;
import org.jspecify.annotations.Nullable;

/**
 * Report of programs with adapters: what each process wrote, and one run of all.
 *
 * @param folder where the processes write; empty if nothing is wanted
 */
record ExecReport(Optional<Path> folder) {
    private static final String RUN = "trace.rlog";

    /** What a process without its end may lack, unless it had time to write: see the flushes of the library's journal. */
    private static final String MAY_LACK = "events of the last 20 ms or more before it may be missing";

    /**
     * Returns a report with an empty folder for the files of the processes: the named one, or a temporary one.
     *
     * @param wanted false for no report at all
     * @throws BadInputException if the folder cannot be written
     */
    static ExecReport into(@Nullable Path named, boolean wanted) throws BadInputException {
        if (!wanted) {
            return new ExecReport(Optional.empty());
        }
        try {
            if (named == null) {
                return new ExecReport(Optional.of(Files.createTempDirectory("hca-exec")));
            }
            Files.createDirectories(named);
            // Those of a run before would be joined, too.
            ProcessRun.deleteAll(named);
            return new ExecReport(Optional.of(named));
        } catch (IOException refused) {
            throw BadInputException.unwritable(named == null ? Path.of("/tmp") : named, refused);
        }
    }

    /**
     * Prints what the faults did, and joins the runs.
     *
     * @param kept false if the folder is temporary
     * @param ends with what each program ended, by its name
     * @throws BadInputException if a file cannot be read or written
     */
    StruckFaults finish(boolean kept, Map<String, String> ends, PrintWriter out, PrintWriter err)
            throws BadInputException {
        if (folder.isEmpty()) {
            return new StruckFaults();
        }
        Path place = folder.get();
        try {
            StruckFaults struck = ProcessRun.struck(place);
            struck.lines().forEach(out::println);
            if (kept) {
                join(place, ends, out, err);
            } else {
                ProcessRun.deleteAll(place);
                Files.delete(place);
            }
            return struck;
        } catch (IOException refused) {
            throw BadInputException.unwritable(place, refused);
        } finally {
            out.flush();
        }
    }

    private static void join(Path place, Map<String, String> ends, PrintWriter out, PrintWriter err)
            throws IOException, BadInputException {
        List<ProcessRun> runs = ProcessRun.all(place);
        if (runs.isEmpty()) {
            err.println("hca: no process wrote a recorded run: none of them used the library, or they were killed");
            return;
        }
        List<JoinedRun.Part> parts = new ArrayList<>();
        for (ProcessRun run : runs) {
            parts.add(new JoinedRun.Part(name(run, runs), run.isFinished() ? run.run() : ended(run, runs, ends, err)));
        }
        Rlog joined = joined(parts);
        List<TraceEvent> all = joined.events();
        long forgotten = joined.trailer()
                .map(Rlog.Trailer::forgotten)
                .orElseGet(() -> runs.stream().mapToLong(ProcessRun::forgotten).sum());
        Rlog run = new Rlog(header(parts), all, joined.unknown(), Optional.of(new Rlog.Trailer(all.size(), forgotten)));
        RlogWriter.write(run.header(), all, forgotten, place.resolve(RUN));
        Pictures.views(all, place);
        Path report = place.resolve(FlowForm.HTML.file());
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(report))) {
            FlowForm.HTML.write(run, all, file);
        }
        out.println("report: " + place + "/{report.html, ladder.txt, packets.pcapng, " + RUN + "} of " + runs.size()
                + (runs.size() == 1 ? " process, " : " processes, ") + all.size() + " events; why: hca explain "
                + place.resolve(RUN));
        RecordedRun.notes(run).forEach(err::println);
    }

    /** Returns the commands as the title, and how the adapters were set, before the plan that all have. */
    private static Rlog.Header header(List<JoinedRun.Part> parts) {
        List<Rlog.Header> headers =
                parts.stream().map(part -> part.run().header()).toList();
        String title = headers.stream().map(Rlog.Header::title).collect(Collectors.joining("; "));
        String settings =
                headers.stream().map(header -> halves(header)[0]).distinct().collect(Collectors.joining("\n"));
        String plan = Stream.of(halves(headers.getFirst()))
                .skip(1)
                .map(text -> "\n\n" + text)
                .collect(Collectors.joining());
        return new Rlog.Header(title, OptionalLong.empty(), settings + plan);
    }

    /** Returns what each process wrote about itself, and the plan, if there is one. */
    private static String[] halves(Rlog.Header header) {
        return header.faults().split("\n\n", 2);
    }

    /** Returns one run of all; of very long ones the newest events. */
    private static Rlog joined(List<JoinedRun.Part> parts) throws BadInputException {
        if (parts.size() == 1) {
            return JoinedRun.fromZero(parts.getFirst().run());
        }
        int most = TraceRecorder.CAPACITY / parts.size();
        try {
            return JoinedRun.of(parts.stream().map(part -> newest(part, most)).toList())
                    .run();
        } catch (IllegalArgumentException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }

    private static JoinedRun.Part newest(JoinedRun.Part part, int most) {
        Rlog run = part.run();
        int left = run.events().size() - most;
        if (left <= 0) {
            return part;
        }
        List<TraceEvent> events = run.events().subList(left, run.events().size());
        Optional<Rlog.Trailer> trailer =
                run.trailer().map(all -> new Rlog.Trailer(events.size(), all.forgotten() + left));
        return new JoinedRun.Part(part.name(), new Rlog(run.header(), events, run.unknown(), trailer));
    }

    /** Returns the run of a process without its end, with an event that says so, and prints it. */
    private static Rlog ended(ProcessRun run, List<ProcessRun> all, Map<String, String> ends, PrintWriter err) {
        // What is known is how the program ended, not each of its processes.
        boolean alone = all.stream()
                        .filter(other -> !other.isFinished() && other.program().equals(run.program()))
                        .count()
                == 1;
        String how = alone && ends.containsKey(run.program())
                ? "ended with " + ends.get(run.program())
                : "crashed, was killed or called _exit";
        String lacks = run.isWhole() ? "" : "; " + MAY_LACK;
        err.println(
                "hca: the run of " + name(run, all) + " stops where its process " + run.process() + " " + how + lacks);
        return run.endedBy(
                how + lacks, all.stream().mapToLong(ProcessRun::lastNanos).max().orElse(0));
    }

    /** The name of a program; with the number of the process, if it has several with a run. */
    private static String name(ProcessRun run, List<ProcessRun> all) {
        boolean alone = all.stream()
                        .filter(other -> other.program().equals(run.program()))
                        .count()
                == 1;
        return alone ? run.program() : run.program() + "-" + run.process();
    }
}
