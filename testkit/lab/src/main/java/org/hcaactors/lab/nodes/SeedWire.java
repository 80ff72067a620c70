// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Messages between a JVM of tests and one that runs seeds for it, over the pipes of the latter or a TCP connection. */
final class SeedWire {
    /** Maximum number of characters of a failure; the report of the seed is that of its second run. */
    private static final int MAX_FAILURE = 4000;

    private static final int MAX_BYTES = 1 << 24;

    private enum Kind {
        BEGUN,
        ENDED,
        FAILED,
        DONE,
        RUNNING
    }

    /**
     * Seeds to run.
     *
     * @param test JUnit's unique id of the test method
     */
    record Piece(String test, List<Long> seeds) {}

    /** Message from the JVM that runs seeds. */
    sealed interface Answer {
        /** Until the next answer, this seed runs. */
        record Begun(long seed) implements Answer {}

        /** @param end as {@link SeedEndText} */
        record Ended(long seed, String end) implements Answer {}

        record Failed(long seed, String text) implements Answer {}

        /** All seeds of the piece have been answered. */
        record Done() implements Answer {}

        /** The JVM is there, and still runs its piece. */
        record Running() implements Answer {}
    }

    private SeedWire() {}

    static void write(Map<String, String> properties, DataOutputStream out) throws IOException {
        out.writeInt(properties.size());
        for (Map.Entry<String, String> each : properties.entrySet()) {
            put(each.getKey(), out);
            put(each.getValue(), out);
        }
        out.flush();
    }

    static Map<String, String> properties(DataInputStream in) throws IOException {
        Map<String, String> properties = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            properties.put(text(in), text(in));
        }
        return properties;
    }

    static void write(Piece piece, DataOutputStream out) throws IOException {
        put(piece.test(), out);
        out.writeInt(piece.seeds().size());
        for (long seed : piece.seeds()) {
            out.writeLong(seed);
        }
        out.flush();
    }

    static Piece piece(DataInputStream in) throws IOException {
        String test = text(in);
        List<Long> seeds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            seeds.add(in.readLong());
        }
        return new Piece(test, seeds);
    }

    /** Writes an answer; several threads may. */
    static void write(Answer answer, DataOutputStream out) throws IOException {
        synchronized (out) {
            switch (answer) {
                case Answer.Begun(long seed) -> put(Kind.BEGUN, seed, "", out);
                case Answer.Ended(long seed, String end) -> put(Kind.ENDED, seed, end, out);
                case Answer.Failed(long seed, String text) ->
                    put(Kind.FAILED, seed, text.substring(0, Math.min(MAX_FAILURE, text.length())), out);
                case Answer.Done done -> put(Kind.DONE, 0, "", out);
                case Answer.Running running -> put(Kind.RUNNING, 0, "", out);
            }
            out.flush();
        }
    }

    static Answer answer(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind >= Kind.values().length) {
            throw new IOException("byte " + kind + " begins no message of a JVM that runs seeds");
        }
        long seed = in.readLong();
        String text = text(in);
        return switch (Kind.values()[kind]) {
            case BEGUN -> new Answer.Begun(seed);
            case ENDED -> new Answer.Ended(seed, text);
            case FAILED -> new Answer.Failed(seed, text);
            case DONE -> new Answer.Done();
            case RUNNING -> new Answer.Running();
        };
    }

    private static void put(Kind kind, long seed, String text, DataOutputStream out) throws IOException {
        out.writeByte(kind.ordinal());
        out.writeLong(seed);
        put(text, out);
    }

    static void put(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException(length + " bytes of text; 0 to " + MAX_BYTES + " are allowed");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
