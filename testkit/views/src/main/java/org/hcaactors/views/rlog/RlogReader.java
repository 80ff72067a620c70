// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TraceRecorder;

/**
 * Reads a recorded run. Texts of unknown type are counted and skipped; a last text that was cut off is as if it had never
 * been written.
 */
public final class RlogReader {
    /** Bytes of one text at most. */
    public static final int MOST_TEXT_BYTES = 1 << 20;

    private final EventJson json = new EventJson();
    private final List<TraceEvent> events = new ArrayList<>();
    private Optional<Rlog.Header> header = Optional.empty();
    private Optional<Rlog.Trailer> trailer = Optional.empty();
    private int unknown;
    private long texts;

    private RlogReader() {}

    public static Rlog read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return read(in);
        }
    }

    /** @throws RlogFormatException if it is no recorded run of this version */
    public static Rlog read(InputStream in) throws IOException {
        return new RlogReader().all(in);
    }

    private Rlog all(InputStream in) throws IOException {
        int first = in.read();
        if (first != RlogWriter.RECORD_SEPARATOR) {
            throw new RlogFormatException(
                    "no recorded run: it must begin with a record separator, byte 0x1e, and begins "
                            + (first < 0 ? "with nothing" : "with byte 0x%02x".formatted(first)));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == RlogWriter.RECORD_SEPARATOR) {
                text(text, true);
            } else if (text.size() == MOST_TEXT_BYTES) {
                throw new RlogFormatException("text " + (texts + 1) + " is longer than " + MOST_TEXT_BYTES + " bytes");
            } else {
                text.write(next);
            }
        }
        text(text, false);
        Rlog.Header known = header.orElseThrow(() -> new RlogFormatException("no header: the first text is cut off"));
        return new Rlog(known, events, unknown, trailer);
    }

    /** @param whole another one follows */
    private void text(ByteArrayOutputStream text, boolean whole) throws IOException {
        texts++;
        String content = text.toString(StandardCharsets.UTF_8);
        text.reset();
        if (!whole && !content.endsWith("\n")) {
            return;
        }
        try {
            JsonNode node = json.mapper().readTree(content);
            checkTexts(node);
            take(node);
        } catch (JsonProcessingException wrong) {
            throw new RlogFormatException("text " + texts + ": " + wrong.getOriginalMessage());
        } catch (IllegalArgumentException wrong) {
            throw new RlogFormatException("text " + texts + ": " + wrong.getMessage());
        }
    }

    /** What is read may be shown on a terminal, which does what control characters say. */
    private void checkTexts(JsonNode node) throws RlogFormatException {
        if (node.isTextual() && node.textValue().chars().anyMatch(c -> Character.isISOControl(c) && c != '\n')) {
            throw new RlogFormatException(
                    "text " + texts + ": a control character in \"" + visible(node.textValue()) + "\"");
        }
        for (JsonNode each : node) {
            checkTexts(each);
        }
    }

    private static String visible(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private void take(JsonNode node) throws IOException {
        if (header.isEmpty()) {
            header = Optional.of(header(node));
        } else if (node.has("trailer")) {
            JsonNode end = node.get("trailer");
            trailer = Optional.of(new Rlog.Trailer(
                    end.path("events").asLong(), end.path("forgotten").asLong()));
        } else {
            event(node);
        }
    }

    private static Rlog.Header header(JsonNode node) throws RlogFormatException {
        String schema = node.path("rlog").asText();
        if (!schema.equals(Rlog.SCHEMA) && !schema.equals(Rlog.OLDER_SCHEMA)) {
            throw new RlogFormatException("text 1: rlog is \"" + schema + "\"; this version reads \""
                    + Rlog.OLDER_SCHEMA + "\" and \"" + Rlog.SCHEMA + "\"");
        }
        OptionalLong seed = node.has("seed") ? OptionalLong.of(node.get("seed").asLong()) : OptionalLong.empty();
        return new Rlog.Header(
                node.path("title").asText(), seed, node.path("faults").asText());
    }

    private void event(JsonNode node) throws IOException {
        Optional<EventType> type = EventType.of(node.path("type").asText());
        if (type.isEmpty()) {
            unknown++;
            return;
        }
        if (events.size() == TraceRecorder.CAPACITY) {
            throw new RlogFormatException("more than " + TraceRecorder.CAPACITY + " events");
        }
        events.add(json.fromJson(node, type.get()));
    }
}
