// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.TraceEvent;

/** Writer of recorded runs: header, events and trailer, each a JSON text after a record separator (RFC 7464). */
public final class RlogWriter {
    static final int RECORD_SEPARATOR = 0x1E;

    private final OutputStream out;

    private RlogWriter(OutputStream out) {
        this.out = out;
    }

    /**
     * Writes a file.
     *
     * @param forgotten number of events that the recorder no longer held
     */
    public static void write(Rlog.Header header, List<TraceEvent> events, long forgotten, Path file)
            throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            write(header, events, forgotten, out);
        }
    }

    /** Writes to a stream, which stays open. */
    public static void write(Rlog.Header header, List<TraceEvent> events, long forgotten, OutputStream out)
            throws IOException {
        RlogWriter writer = new RlogWriter(out);
        writer.header(header);
        long written = writer.events(events);
        ObjectNode trailer = EventJson.mapper().createObjectNode();
        trailer.putObject("trailer").put("events", written).put("forgotten", forgotten);
        writer.text(trailer);
        out.flush();
    }

    /** Begins a run that is written while it continues, and whose file may have no trailer. */
    public static void begin(Rlog.Header header, OutputStream out) throws IOException {
        new RlogWriter(out).header(header);
    }

    /** Writes the next events of a run that was begun. */
    public static void append(List<TraceEvent> events, OutputStream out) throws IOException {
        new RlogWriter(out).events(events);
    }

    private long events(List<TraceEvent> events) throws IOException {
        long written = 0;
        for (TraceEvent event : events) {
            Optional<ObjectNode> node = EventJson.toJson(event);
            if (node.isPresent()) {
                text(node.get());
                written++;
            }
        }
        return written;
    }

    private void header(Rlog.Header header) throws IOException {
        ObjectNode node = EventJson.mapper().createObjectNode();
        node.put("rlog", Rlog.SCHEMA).put("title", header.title()).put("clock", "ns");
        header.seed().ifPresent(seed -> node.put("seed", seed));
        node.put("faults", header.faults());
        text(node);
    }

    private void text(JsonNode node) throws IOException {
        out.write(RECORD_SEPARATOR);
        out.write(EventJson.mapper().writeValueAsBytes(node));
        out.write('\n');
    }
}
