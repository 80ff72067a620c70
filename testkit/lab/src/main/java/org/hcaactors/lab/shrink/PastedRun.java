// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import org.hcaactors.lab.world.Pace;

/**
 * Source of a shrunk run for a program that {@code RdmaTests} runs: the builder calls and the first lines of the program. It
 * fails for the same reason until the bug is fixed.
 */
public final class PastedRun {
    private static final String INDENT = "    ";

    private PastedRun() {}

    /** Returns {@code RdmaTests.seed(7)}, the further builder calls, and the first lines of the program. */
    public static String source(Shrunk shrunk, Language language) {
        Attempt attempt = shrunk.attempt();
        StringBuilder text =
                new StringBuilder("RdmaTests.seed(").append(attempt.seed()).append(")");
        attempt.schedule()
                .ifPresent(
                        schedule -> text.append(".schedule(\"").append(schedule).append("\")"));
        if (!attempt.pace().equals(Pace.DRAWN)) {
            text.append(".longestPauseNanos(")
                    .append(attempt.pace().longestPauseNanos())
                    .append(")");
        }
        text.append("  // and the settings of the test\n")
                .append(INDENT)
                .append(language.lambda("world"))
                .append("\n");
        for (String snapshot : PastedMethod.statements(attempt, language, "world")) {
            text.append(INDENT)
                    .append(INDENT)
                    .append(snapshot)
                    .append(language.end())
                    .append("\n");
        }
        return text.append(INDENT).append(INDENT).append("// the program\n").toString();
    }
}
