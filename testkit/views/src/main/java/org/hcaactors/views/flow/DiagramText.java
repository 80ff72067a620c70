// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;

/** Text of a diagram, built line by line; lines beyond the limit are only counted. */
final class DiagramText {
    /** Mermaid refuses more than 50,000 characters, and a PlantUML picture of as many lines would not be readable. */
    private static final int MAX_CHARACTERS = 45_000;

    private final StringBuilder text;
    private int left;

    DiagramText(String head) {
        text = new StringBuilder(head);
    }

    /** Adds a line, even beyond the limit. */
    void declare(String line) {
        text.append(line).append('\n');
    }

    void add(String line) {
        if (text.length() + line.length() + 1 > MAX_CHARACTERS) {
            left++;
        } else {
            declare(line);
        }
    }

    /** Returns a note about the omitted lines. */
    Optional<String> rest() {
        return left == 0 ? Optional.empty() : Optional.of(left + " more events");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
