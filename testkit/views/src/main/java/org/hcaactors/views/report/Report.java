// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SequencedMap;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.PacketFates;
import org.hcaactors.views.rlog.Rlog;

/**
 * A run as one HTML file that opens from disk and loads nothing from a network: the ladder, each packet bit by bit, what each
 * work request waited for, states over time, and explanations of the completions. The same events give the same bytes. Texts of
 * events are embedded as data and are never interpreted as HTML or script; the content security policy permits only the file's
 * own scripts.
 */
public final class Report {
    /** Maximum events that a report shows, the newest ones. */
    public static final int MAX_EVENTS = 200_000;

    private Report() {}

    /**
     * Writes the report; replaces an existing file.
     *
     * @param events events, oldest first
     * @param forgotten number of older events that the recorder no longer held
     */
    public static void write(Rlog.Header header, List<TraceEvent> events, long forgotten, Path file)
            throws IOException {
        Files.writeString(file, html(header, events, forgotten));
    }

    /** Returns the report as text. */
    public static String html(Rlog.Header header, List<TraceEvent> events, long forgotten) {
        return html(header, events, events, forgotten);
    }

    /**
     * Returns the report of a part of a run, with explanations from the whole run.
     *
     * @param all events, oldest first
     * @param part some of them, in the same order
     */
    public static String html(Rlog.Header header, List<TraceEvent> all, List<TraceEvent> part, long forgotten) {
        return html(header, all, part, forgotten, MAX_EVENTS);
    }

    /**
     * Returns one file with several runs to select from; {@code #run=NAME} at the end of its address selects one, too.
     *
     * @param runs runs by name, in the order of the selection
     */
    public static String gallery(String title, SequencedMap<String, Rlog> runs) {
        SequencedMap<String, JsonNode> scenes = new LinkedHashMap<>();
        runs.forEach((name, run) -> scenes.put(
                name,
                scene(
                        run.header(),
                        Lineage.of(run.events()),
                        run.events(),
                        run.trailer().map(Rlog.Trailer::forgotten).orElse(0L))));
        return ReportHtml.of(title, scenes);
    }

    /**
     * Returns the report of a failed test, which begins with the failure. All runs together have at most {@link #MAX_EVENTS}
     * events; the oldest events that do not fit are omitted.
     *
     * @param runs the first is shown, the others can be selected
     */
    public static String ofFailure(FailedTest test, List<FailedRun> runs) {
        return ofFailure(test, runs, MAX_EVENTS);
    }

    static String ofFailure(FailedTest test, List<FailedRun> runs, int max) {
        SequencedMap<String, JsonNode> scenes = new LinkedHashMap<>();
        int room = max;
        for (FailedRun run : runs) {
            List<TraceEvent> all = run.events();
            List<TraceEvent> shown = all.subList(Math.max(0, all.size() - room), all.size());
            room -= shown.size();
            long left = run.forgotten() + all.size() - shown.size();
            scenes.put(run.name(), scene(run.header(), Lineage.of(all), shown, left, run.broken()));
        }
        return ReportHtml.of(test, scenes);
    }

    static String html(Rlog.Header header, List<TraceEvent> all, List<TraceEvent> part, long forgotten, int max) {
        List<TraceEvent> shown = part.subList(Math.max(0, part.size() - max), part.size());
        ObjectNode scene = scene(header, Lineage.of(all), shown, forgotten + all.size() - shown.size());
        return ReportHtml.of(header.title(), Map.of("", scene));
    }

    private static ObjectNode scene(Rlog.Header header, Lineage lineage, List<TraceEvent> shown, long left) {
        return scene(header, lineage, shown, left, OptionalLong.empty());
    }

    /** Lanes, packets and texts are written last, as the other parts add to them. */
    private static ObjectNode scene(
            Rlog.Header header, Lineage lineage, List<TraceEvent> shown, long left, OptionalLong broken) {
        PacketFates fates = new PacketFates(lineage);
        StringTable texts = new StringTable();
        Lanes lanes = new Lanes();
        Frames frames = new Frames(texts);
        EventColumns columns = new EventColumns(lineage, shown, texts, lanes, frames);
        ObjectNode scene = JsonNodeFactory.instance.objectNode();
        scene.put("title", StringTable.plain(header.title()));
        scene.put(
                "seed", header.seed().isPresent() ? Long.toString(header.seed().getAsLong()) : "");
        scene.put("faults", StringTable.plain(header.faults()));
        scene.put("left", left);
        scene.set("events", columns.toJson());
        scene.set("ways", new PacketPaths(lineage, fates, lanes, columns).toJson());
        scene.set("requests", new RequestLives(lineage, columns).toJson());
        scene.set("strips", new StateBands(lineage, texts, lanes, columns).toJson());
        scene.put("broken", broken.isPresent() ? columns.place(broken.getAsLong()) : 0);
        scene.set("told", new ExplanationTexts(lineage, texts, columns).toJson(broken));
        addresses(scene.putArray("addresses"), fates, shown, texts);
        scene.set("packets", frames.toJson());
        scene.set("lanes", lanes.toJson(texts));
        scene.set("texts", texts.toJson());
        return scene;
    }

    /** Adds pairs of address and adapter. */
    private static void addresses(ArrayNode all, PacketFates fates, List<TraceEvent> events, StringTable texts) {
        events.stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(event -> ((FabricEvent.Sent) event).packet().route().source())
                .distinct()
                .forEach(address -> all.add(texts.number(address.toString())).add(texts.number(fates.port(address))));
    }
}
