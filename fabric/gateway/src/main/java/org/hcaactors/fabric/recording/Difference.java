// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.recording;

import java.util.List;
import java.util.OptionalInt;

/**
 * Difference between this side and the recording: the reason why a recorded peer stopped.
 *
 * @param frame the recorded packet, by the number of its frame in the capture; empty for an unexpected packet
 * @param text in one sentence
 * @param fields the fields that differ
 */
public record Difference(Kind kind, OptionalInt frame, String text, List<Field> fields) {
    /** Kinds of differences. More may follow: a switch over them wants a default. */
    public enum Kind {
        /** A packet that was recorded has other fields. */
        OTHER_FIELDS,
        /** A packet that was not recorded. */
        UNEXPECTED,
        /** A packet that was recorded did not come. */
        MISSING
    }

    /** A field, with its values as texts. */
    public record Field(String name, String recorded, String sent) {
        /** Returns for example {@code payload bytes 64, recorded 16}. */
        @Override
        public String toString() {
            return name + " " + sent + ", recorded " + recorded;
        }
    }

    public Difference {
        fields = List.copyOf(fields);
    }

    /** Returns the sentence. */
    @Override
    public String toString() {
        return text;
    }
}
