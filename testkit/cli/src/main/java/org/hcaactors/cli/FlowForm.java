// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.export.PacketTable;
import org.hcaactors.views.export.PerfettoTrace;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.hcaactors.views.flow.PlantUml;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;

/** Output formats of {@code hca flow}, with the name of each one's file. */
enum FlowForm {
    TEXT("ladder.txt"),
    /** For a browser. */
    HTML("report.html"),
    /** With receives and completion queue entries. */
    DETAILED("ladder-detailed.txt"),
    MERMAID("ladder.mmd"),
    PLANTUML("ladder.puml"),
    CSV("packets.csv"),
    PERFETTO("trace.perfetto-trace");

    private final String file;

    FlowForm(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    /** True if a terminal can show it. */
    boolean isText() {
        return this != PERFETTO;
    }

    /**
     * Writes the run; leaves the stream open.
     *
     * @param part the events to show
     */
    void write(Rlog run, List<TraceEvent> part, OutputStream out) throws IOException {
        List<TraceEvent> all = run.events();
        switch (this) {
            case TEXT -> text(String.join("\n", Ladder.part(all, part, false)) + "\n", out);
            case HTML ->
                text(
                        Report.html(
                                run.header(),
                                all,
                                part,
                                run.trailer().map(Rlog.Trailer::forgotten).orElse(0L)),
                        out);
            case DETAILED -> text(String.join("\n", Ladder.part(all, part, true)) + "\n", out);
            case MERMAID -> text(Mermaid.of(part), out);
            case PLANTUML -> text(PlantUml.of(part), out);
            case CSV -> PacketTable.write(all, part, out);
            case PERFETTO -> PerfettoTrace.write(part, out);
        }
    }

    private static void text(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
