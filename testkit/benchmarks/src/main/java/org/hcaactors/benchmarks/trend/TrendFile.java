// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A stored run, as JSON. */
public final class TrendFile {
    /** Version of the format; a file of another version is refused. */
    static final int VERSION = 1;

    /** Maximum size of a file that is read: a run of a hundred rounds is far smaller. */
    static final long MAX_BYTES = 1 << 22;

    private static final ObjectMapper JSON = new ObjectMapper()
            .registerModule(new Jdk8Module())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private TrendFile() {}

    private record Form(int trend, TrendRun run) {}

    static String text(TrendRun run) {
        try {
            return JSON.writeValueAsString(new Form(VERSION, run)) + "\n";
        } catch (JsonProcessingException never) {
            throw new IllegalStateException("a run could not be written as JSON", never);
        }
    }

    /**
     * Parses a run; throws TrendRefusal if the text is not one.
     *
     * @param name name of the file for the message
     */
    static TrendRun read(String name, String text) {
        try {
            // First checks that it is JSON at all, so that a truncated run is reported as such.
            JsonNode all = JSON.readTree(text);
            if (!all.isObject()) {
                throw unlike(name, "the document");
            }
            Form form = JSON.treeToValue(all, Form.class);
            if (form.trend() != VERSION) {
                throw new TrendRefusal(
                        name + " is a run of version " + form.trend() + "; only version " + VERSION + " is supported");
            }
            if (form.run().rounds().isEmpty()) {
                throw new TrendRefusal(name + " has no rounds");
            }
            return form.run();
        } catch (JsonMappingException unlike) {
            throw unlike(name, place(unlike));
        } catch (JsonProcessingException broken) {
            JsonLocation at = broken.getLocation();
            throw new TrendRefusal(name + " is no stored run: line " + at.getLineNr() + ", column " + at.getColumnNr()
                    + " is no JSON");
        }
    }

    private static TrendRefusal unlike(String name, String place) {
        return new TrendRefusal(name + " is no stored run: " + place + " has another form than `bench --store` writes");
    }

    /** Returns the wrong field, as {@code run.rounds[2].cpu}. */
    private static String place(JsonMappingException unlike) {
        StringBuilder place = new StringBuilder();
        for (JsonMappingException.Reference step : unlike.getPath()) {
            String field = step.getFieldName();
            if (field == null) {
                place.append('[').append(step.getIndex()).append(']');
            } else {
                place.append(place.isEmpty() ? "" : ".").append(field);
            }
        }
        return place.isEmpty() ? "the document" : place.toString();
    }

    /** Reads a run; throws TrendRefusal if the file can't be read or is not a run. */
    static TrendRun read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new TrendRefusal(file + " is no file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new TrendRefusal(file + " is no stored run: it has more than " + MAX_BYTES + " bytes");
            }
            return read(file.toString(), Files.readString(file));
        } catch (IOException unreadable) {
            throw new TrendRefusal(file + " cannot be read: " + unreadable.getMessage());
        }
    }

    /** Writes a run; throws TrendRefusal if that fails. */
    static void write(Path file, TrendRun run) {
        try {
            Files.writeString(file, text(run));
        } catch (IOException unwritable) {
            throw new TrendRefusal(file + " cannot be written: " + unwritable.getMessage());
        }
    }
}
