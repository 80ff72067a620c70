// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.views.report.FailedTest.Fact;

/** Facts about a failed run as lines of a message. */
final class ReportLines {
    /** Maximum faults that are listed. */
    private static final int MAX_STRIKES = 5;

    /** Width of the names column. */
    private static final int WIDTH = 10;

    private static final String INDENT = " ".repeat(WIDTH);

    private ReportLines() {}

    /** Returns {@code fault     drop ACK psn 2}; further lines of the text are indented below the first. */
    static Stream<String> lines(Fact fact) {
        String name = fact.name() + " ".repeat(Math.max(1, WIDTH - fact.name().length()));
        return (name + fact.text().replace("\n", "\n" + INDENT)).lines();
    }

    /** Returns a fact for each of the first few faults that struck. */
    static List<Fact> struck(List<String> strikes) {
        List<Fact> facts = new ArrayList<>();
        strikes.stream().limit(MAX_STRIKES).forEach(strike -> facts.add(new Fact("fault", strike)));
        if (strikes.size() > MAX_STRIKES) {
            facts.add(new Fact("", "and " + (strikes.size() - MAX_STRIKES) + " more"));
        }
        return facts;
    }
}
