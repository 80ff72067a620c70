// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;

/** A diagram as it grows, line by line; what is beyond its bound is counted. */
final class DiagramText {
    /** Mermaid refuses more than 50,000 characters, and PlantUML draws no picture of so many lines that one could read. */
    private static final int MAX_CHARACTERS = 45_000;

    private final StringBuilder text;
    private int left;

    DiagramText(String head) {
        text = new StringBuilder(head);
    }

    /** It is there, whatever the bound. */
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

    /** What the lines that did not fit are told as. */
    Optional<String> rest() {
        return left == 0 ? Optional.empty() : Optional.of(left + " more events");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
