// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import org.hcaactors.lab.world.Pace;

/** A shrunk run as what goes before and into a program that a builder runs: it fails for the same reason as long as the reason is there. */
public final class PastedRun {
    private static final String INDENT = "    ";

    private PastedRun() {}

    /** {@code RdmaTests.seed(7)}, what stood behind it, and the first lines of the program. */
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
