// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.picture;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.hcaactors.views.flow.PacketCapture;
import org.hcaactors.views.flow.TraceRecorder;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;

/**
 * Files of a run in one folder: {@code report.html} for a browser, {@code packets.pcapng} for Wireshark, {@code ladder.txt},
 * {@code ladder.mmd} for Mermaid, and {@code trace.rlog}, from which the others and every explanation can be generated again.
 */
public final class Pictures {
    /** Names of the files for a report. */
    public static final String NAMES = "{report.html, ladder.txt, ladder.mmd, packets.pcapng, trace.rlog}";

    private Pictures() {}

    /** Writes the files; creates the folder and replaces existing files. */
    public static void write(Rlog.Header header, TraceRecorder trace, Path folder) throws IOException {
        write(header, trace, Map.of(), folder);
    }

    /**
     * Writes the files.
     *
     * @param profiles known profiles in one line each, by port name
     */
    public static void write(Rlog.Header header, TraceRecorder trace, Map<String, String> profiles, Path folder)
            throws IOException {
        List<TraceEvent> events = trace.events();
        write(header, events, trace.forgotten(), profiles, Report.html(header, events, trace.forgotten()), folder);
    }

    /**
     * Writes the files.
     *
     * @param report the report of a failed test, instead of one of the run alone
     */
    public static void write(
            Rlog.Header header,
            List<TraceEvent> events,
            long forgotten,
            Map<String, String> profiles,
            String report,
            Path folder)
            throws IOException {
        views(events, profiles, folder);
        Files.writeString(folder.resolve("report.html"), report);
        RlogWriter.write(header, events, forgotten, folder.resolve("trace.rlog"));
    }

    /** Writes the files except {@code report.html} and {@code trace.rlog}. */
    public static void views(List<TraceEvent> events, Path folder) throws IOException {
        views(events, Map.of(), folder);
    }

    private static void views(List<TraceEvent> events, Map<String, String> profiles, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(folder.resolve("packets.pcapng")))) {
            PacketCapture.write(events, profiles, file);
        }
        Files.writeString(folder.resolve("ladder.txt"), String.join("\n", Ladder.of(events)) + "\n");
        Files.writeString(folder.resolve("ladder.mmd"), Mermaid.of(events));
    }
}
