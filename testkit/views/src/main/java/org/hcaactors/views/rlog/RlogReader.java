// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
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
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.TraceRecorder;

/**
 * Reader of recorded runs. Texts of an unknown type, or with a part of an unknown kind, are counted and skipped; an incomplete
 * last text is ignored.
 */
public final class RlogReader {
    /** Maximum bytes of one text. */
    public static final int MAX_TEXT_BYTES = 1 << 20;

    private final List<TraceEvent> events = new ArrayList<>();
    private Optional<Rlog.Header> header = Optional.empty();
    private Optional<Rlog.Trailer> trailer = Optional.empty();
    private RunOrder order = new RunOrder(false);
    private int unknown;
    private long texts;

    private RlogReader() {}

    public static Rlog read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return read(in);
        }
    }

    /** True if the file begins as a recorded run does. */
    public static boolean isRun(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == RlogWriter.RECORD_SEPARATOR;
        }
    }

    /**
     * Reads a recorded run.
     *
     * @throws RlogFormatException if it is no recorded run of this version
     */
    public static Rlog read(InputStream in) throws IOException {
        return new RlogReader().all(in);
    }

    private Rlog all(InputStream in) throws IOException {
        int first = in.read();
        if (first != RlogWriter.RECORD_SEPARATOR) {
            throw new RlogFormatException("no recorded run: the first byte must be the record separator 0x1e, but "
                    + (first < 0 ? "the file is empty" : "it is 0x%02x".formatted(first)));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == RlogWriter.RECORD_SEPARATOR) {
                text(text, true);
            } else if (text.size() == MAX_TEXT_BYTES) {
                throw new RlogFormatException(
                        "JSON text " + (texts + 1) + " is longer than " + MAX_TEXT_BYTES + " bytes");
            } else {
                text.write(next);
            }
        }
        text(text, false);
        Rlog.Header known =
                header.orElseThrow(() -> new RlogFormatException("no header: the first JSON text is truncated"));
        return new Rlog(known, events, unknown, trailer);
    }

    /** @param whole true if another text follows */
    private void text(ByteArrayOutputStream text, boolean whole) throws IOException {
        texts++;
        String content = text.toString(StandardCharsets.UTF_8);
        text.reset();
        if (!whole && !content.endsWith("\n")) {
            return;
        }
        try {
            JsonNode node = EventJson.text(content);
            checkTexts(node);
            take(node);
        } catch (StreamConstraintsException deep) {
            throw new RlogFormatException(
                    "JSON text " + texts + ": it exceeds the limits for an event: " + deep.getOriginalMessage());
        } catch (JsonProcessingException wrong) {
            throw new RlogFormatException("JSON text " + texts + ": " + wrong.getOriginalMessage());
        } catch (RlogFormatException | IllegalArgumentException wrong) {
            throw new RlogFormatException("JSON text " + texts + ": " + wrong.getMessage());
        }
    }

    /** Refuses control characters, which a terminal would interpret, and unpaired surrogates, which UTF-8 cannot encode. */
    private void checkTexts(JsonNode node) throws RlogFormatException {
        if (node.isTextual()) {
            checkText(node.textValue());
        }
        for (JsonNode each : node) {
            checkTexts(each);
        }
    }

    private static void checkText(String text) throws RlogFormatException {
        boolean half = false;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int c = text.codePointAt(at);
            if (Character.isISOControl(c) && c != '\n') {
                throw new RlogFormatException(
                        "control characters are not allowed, but one is in \"" + visible(text) + "\"");
            }
            half |= isHalf(c);
        }
        if (half) {
            throw new RlogFormatException(
                    "unpaired surrogates are not allowed, but one is in \"" + visible(text) + "\"");
        }
    }

    /** True for an unpaired surrogate. */
    private static boolean isHalf(int c) {
        return Character.getType(c) == Character.SURROGATE;
    }

    private static String visible(String text) {
        return text.replaceAll("\\p{Cntrl}|\\p{Cs}", "?");
    }

    private void take(JsonNode node) throws IOException {
        if (!node.isObject()) {
            throw new RlogFormatException("it is " + Fields.shown(node) + "; each JSON text must be an object");
        }
        if (trailer.isPresent()) {
            throw new RlogFormatException("it follows the trailer, which must be the last JSON text");
        }
        if (header.isEmpty()) {
            header = Optional.of(header(node));
        } else if (node.has("trailer")) {
            trailer = Optional.of(trailer(Fields.object(node, "trailer", "trailer")));
        } else {
            event(node);
        }
    }

    private Rlog.Header header(JsonNode node) throws RlogFormatException {
        if (!Fields.text(node, "rlog", "rlog").equals(Rlog.SCHEMA)) {
            throw Fields.wrong("rlog", node.path("rlog"), '"' + Rlog.SCHEMA + "\", the only version that is read");
        }
        OptionalLong seed =
                node.has("seed") ? OptionalLong.of(Fields.number(node, "seed", "seed")) : OptionalLong.empty();
        order = new RunOrder(seed.isPresent());
        return new Rlog.Header(textOrNone(node, "title"), seed, textOrNone(node, "faults"));
    }

    private static String textOrNone(JsonNode node, String field) throws RlogFormatException {
        return node.has(field) ? Fields.text(node, field, field) : "";
    }

    /** Reads the trailer. A wrong count means that texts are missing, so causes may be unknown. */
    private Rlog.Trailer trailer(JsonNode end) throws RlogFormatException {
        long counted = Fields.count(end, "events", "trailer.events");
        long present = events.size() + unknown;
        if (counted != present) {
            throw new RlogFormatException("trailer.events is " + counted + ", but there are " + present
                    + " JSON texts between header and trailer");
        }
        return new Rlog.Trailer(counted, Fields.count(end, "forgotten", "trailer.forgotten"));
    }

    private void event(JsonNode node) throws IOException {
        Optional<EventType> type = EventType.of(Fields.text(node, "type", "type"));
        Stamp stamp = EventJson.stamp(node);
        order.check(stamp);
        Optional<TraceEvent> event = type.isPresent() ? EventJson.fromJson(node, type.get(), stamp) : Optional.empty();
        if (event.isEmpty()) {
            unknown++;
            return;
        }
        if (events.size() == TraceRecorder.CAPACITY) {
            throw new RlogFormatException("the run has more than " + TraceRecorder.CAPACITY + " events, the maximum");
        }
        events.add(event.get());
    }
}
