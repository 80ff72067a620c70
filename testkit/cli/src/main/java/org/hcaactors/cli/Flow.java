// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
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
                "Draws the message flow of a recorded run (trace.rlog): a ladder in the terminal, a Mermaid diagram,"
                        + " or with --out the capture and the ladders as files.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Flow implements Callable<Integer> {
    /** How it is drawn. */
    enum Form {
        TEXT,
        /** With receives and the entries of completion queues. */
        DETAILED,
        MERMAID
    }

    @Parameters(paramLabel = "FILE", description = "the recorded run")
    private Path file;

    @Option(names = "--as", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: text)")
    private Form form;

    @Option(names = "--from", paramLabel = "US", description = "microseconds at which the drawing begins")
    @Allowed(least = 0)
    private @Nullable Double from;

    @Option(names = "--to", paramLabel = "US", description = "microseconds at which it ends")
    @Allowed(least = 0)
    private @Nullable Double to;

    @Option(names = "--out", paramLabel = "DIR", description = "write packets.pcapng, ladder.txt and ladder.mmd there")
    private @Nullable Path directory;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        new Checks(spec)
                .that(
                        from == null || to == null || from <= to,
                        "--from is " + from + " and --to " + to + "; it must not end before it begins");
        PrintWriter out = spec.commandLine().getOut();
        Rlog run = RecordedRun.read(file);
        List<TraceEvent> events = run.events().stream().filter(this::isMeant).toList();
        if (events.stream().noneMatch(event -> event instanceof FabricEvent || event instanceof AdapterEvent)) {
            throw new BadInputException("nothing happened " + span() + "in " + file);
        }
        if (directory != null) {
            write(events, directory);
            out.println("pictures: " + directory + "/{packets.pcapng, ladder.txt, ladder.mmd}");
        } else {
            switch (form) {
                case TEXT -> Ladder.part(run.events(), events, false).forEach(out::println);
                case DETAILED -> Ladder.part(run.events(), events, true).forEach(out::println);
                case MERMAID -> out.print(Mermaid.of(events));
            }
        }
        out.flush();
        RecordedRun.notes(run).forEach(spec.commandLine().getErr()::println);
        return Hca.OK;
    }

    private static void write(List<TraceEvent> events, Path folder) throws BadInputException {
        try {
            Pictures.views(events, folder);
        } catch (IOException refused) {
            throw BadInputException.unwritable(folder, refused);
        }
    }

    private String span() {
        return (from == null ? "" : "from " + from + " us ") + (to == null ? "" : "to " + to + " us ");
    }

    /** In the span; and what became of packets, wherever it happened. */
    private boolean isMeant(TraceEvent event) {
        double micros = event.stamp().nanos() / 1e3;
        boolean fate = event instanceof FabricEvent && !(event instanceof FabricEvent.Sent);
        return (from == null || micros >= from) && (to == null || fate || micros <= to);
    }
}
