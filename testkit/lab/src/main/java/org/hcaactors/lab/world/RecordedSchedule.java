// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;

/**
 * Recorded choices of the scheduler: one for each moment at which more than one task was ready. Equal runs have equal records.
 * As text: {@code schedule-1:} followed by the choices in base 64.
 */
public final class RecordedSchedule {
    /** Maximum number of recorded choices. A longer run can be replayed only by its seed. */
    public static final int MAX_CHOICES = 1 << 24;

    /** No choices: every task runs in order. */
    public static final RecordedSchedule IN_ORDER = of();

    private static final String PREFIX = "schedule-1:";

    /** Prefix of the name of a file that holds a recorded schedule. */
    public static final String FILE = "file:";

    /** Maximum characters of a file: four for three bytes, and a choice takes at most five bytes. */
    static final long MAX_CHARACTERS = 4L * 5 / 3 * MAX_CHOICES + PREFIX.length();

    private static final int LARGE = 0x7F;

    private final byte[] choices;
    private final boolean complete;

    /** @param choices numbers in groups of seven bits, least significant first; the eighth bit says that more follow */
    private RecordedSchedule(byte[] choices, boolean complete) {
        this.choices = choices;
        this.complete = complete;
    }

    /** Returns a record of these choices, each the index of a task among the ready ones. Trailing zeros are dropped. */
    public static RecordedSchedule of(int... choices) {
        int length = choices.length;
        while (length > 0 && choices[length - 1] == 0) {
            length--;
        }
        Writer writer = new Writer();
        for (int i = 0; i < length; i++) {
            writer.add(choices[i]);
        }
        return writer.recorded();
    }

    /** Returns the choices one by one. */
    public int[] choices() {
        Reader reader = new Reader();
        IntStream.Builder all = IntStream.builder();
        while (reader.at < choices.length) {
            all.add(reader.next());
        }
        return all.build().toArray();
    }

    /** Returns how many choices departed from the order in which tasks became ready. */
    public long departures() {
        return Arrays.stream(choices()).filter(choice -> choice != 0).count();
    }

    /** False if the run was longer than {@link #MAX_CHOICES}. */
    public boolean isComplete() {
        return complete;
    }

    /**
     * Parses the text of {@link #toString}.
     *
     * @throws IllegalArgumentException if the text is not one that {@link #toString} wrote
     */
    public static RecordedSchedule parse(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("the text is no recorded schedule; it must begin with " + PREFIX);
        }
        return new RecordedSchedule(Base64.getUrlDecoder().decode(text.substring(PREFIX.length())), true);
    }

    /**
     * Parses the text of {@link #toString}, or {@code file:} and the name of a file that holds it, relative to the JVM's
     * working directory.
     *
     * @throws IllegalArgumentException if the text is not one that {@link #toString} wrote, or if the file cannot be read
     */
    public static RecordedSchedule named(String text) {
        return text.startsWith(FILE) ? parse(read(text.substring(FILE.length()))) : parse(text);
    }

    private static String read(String name) {
        try {
            Path file = Path.of(name);
            if (Files.size(file) > MAX_CHARACTERS) {
                throw new IllegalArgumentException(FILE + name + " has " + Files.size(file) + " bytes; at most "
                        + MAX_CHARACTERS + " are allowed");
            }
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    FILE + name + " cannot be read from " + Path.of("").toAbsolutePath() + ": " + unreadable,
                    unreadable);
        }
    }

    @Override
    public String toString() {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(choices);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordedSchedule that && Arrays.equals(choices, that.choices);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(choices);
    }

    Reader reader() {
        return new Reader();
    }

    /** Returns the choices one by one, and 0 after the last one. */
    final class Reader {
        private int at;

        int next() {
            int value = 0;
            int shift = 0;
            while (at < choices.length) {
                int part = choices[at++];
                value |= (part & LARGE) << shift;
                if (part >= 0) {
                    return value;
                }
                shift += 7;
            }
            return value;
        }
    }

    /** Records choices. */
    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long count;

        void add(int choice) {
            if (count++ >= MAX_CHOICES) {
                return;
            }
            int rest = choice;
            while (rest > LARGE) {
                bytes.write(rest & LARGE | 0x80);
                rest >>>= 7;
            }
            bytes.write(rest);
        }

        RecordedSchedule recorded() {
            return new RecordedSchedule(bytes.toByteArray(), count <= MAX_CHOICES);
        }
    }
}
