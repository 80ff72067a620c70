// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.capture.CapturedRun;
import org.hcaactors.views.flow.EventContext;
import org.hcaactors.views.picture.Pictures;
import org.hcaactors.views.rlog.Rlog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "flow",
        description =
                "Draws the message flow of a recorded run (trace.rlog) or of a capture (pcap, pcapng), or a part of it: a ladder in the terminal, the report for a browser, a diagram in"
                        + " Mermaid or PlantUML, a table of its packets, a trace for Perfetto, or with --out all of these as files.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Flow implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "the recorded run, or the capture")
    private Path file;

    @Option(
            names = "--as",
            paramLabel = "FORM",
            description =
                    "text, html, detailed, mermaid, plantuml, csv or perfetto (default: text; with --out: every form)")
    private @Nullable FlowForm form;

    @Option(names = "--from", paramLabel = "US", description = "microseconds at which the drawing begins")
    @AllowedRange(min = 0)
    private @Nullable Double from;

    @Option(names = "--to", paramLabel = "US", description = "microseconds at which it ends")
    @AllowedRange(min = 0)
    private @Nullable Double to;

    @Option(
            names = "--around",
            paramLabel = "EVENT",
            description =
                    "only the causes and effects of the event with this number, and the events near it; for a capture, the"
                            + " number of a frame")
    @AllowedRange(min = 1)
    private @Nullable Long around;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "folder for packets.pcapng and one file of each form, or of the form that --as names")
    private @Nullable Path directory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        check();
        PrintWriter out = spec.commandLine().getOut();
        CapturedRun captured = RecordedRun.isCapture(file) ? RecordedRun.captured(file) : null;
        Rlog run = captured == null ? RecordedRun.read(file) : captured.run();
        List<TraceEvent> part = part(run);
        if (directory == null) {
            out.print(drawn(form == null ? FlowForm.TEXT : form, run, part));
        } else {
            out.println("pictures: " + directory + "/{" + String.join(", ", write(directory, run, part)) + "}");
        }
        out.flush();
        (captured == null ? RecordedRun.notes(run) : captured.notes())
                .forEach(spec.commandLine().getErr()::println);
        return Hca.OK;
    }

    private void check() {
        Checks checks = new Checks(spec);
        checks.that(
                from == null || to == null || from <= to,
                "--from is " + from + " and --to is " + to + "; --from must not be after --to");
        checks.that(
                around == null || from == null && to == null,
                "--around " + around + " sets the beginning and the end of the drawing; omit --from and --to");
        checks.that(
                form == null || form.isText() || directory != null,
                "a Perfetto trace is a binary file; --out DIR is required");
    }

    private List<TraceEvent> part(Rlog run) throws BadInputException {
        if (around != null) {
            return EventContext.of(run.events(), around)
                    .orElseThrow(() -> new BadInputException("no event " + around + " in " + file));
        }
        List<TraceEvent> part = run.events().stream().filter(this::isMeant).toList();
        if (part.stream().noneMatch(event -> event instanceof FabricEvent || event instanceof AdapterEvent)) {
            throw new BadInputException("no event happened " + span() + "in " + file);
        }
        return part;
    }

    private static String drawn(FlowForm form, Rlog run, List<TraceEvent> part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            form.write(run, part, bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to a byte array in memory failed", impossible);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Returns the names of the files that were written. */
    private Set<String> write(Path folder, Rlog run, List<TraceEvent> part) throws BadInputException {
        Set<String> names = new TreeSet<>();
        try {
            Files.createDirectories(folder);
            if (form == null) {
                Pictures.views(part, folder);
                names.add("packets.pcapng");
            }
            for (FlowForm each : form == null ? FlowForm.values() : new FlowForm[] {form}) {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(folder.resolve(each.file())))) {
                    each.write(run, part, out);
                }
                names.add(each.file());
            }
        } catch (IOException refused) {
            throw BadInputException.unwritable(folder, refused);
        }
        return names;
    }

    private String span() {
        return (from == null ? "" : "from " + from + " us ") + (to == null ? "" : "to " + to + " us ");
    }

    /** True for events in the time span, and for the fates of packets at any later time. */
    private boolean isMeant(TraceEvent event) {
        double micros = event.stamp().nanos() / 1e3;
        boolean fate = event instanceof FabricEvent && !(event instanceof FabricEvent.Sent);
        return (from == null || micros >= from) && (to == null || fate || micros <= to);
    }
}
