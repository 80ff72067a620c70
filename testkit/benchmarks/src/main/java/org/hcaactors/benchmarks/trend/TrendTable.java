// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Comparison of two runs, and whether a figure changed. */
public final class TrendTable {
    /** Minimum change, however significant: a different memory layout of the same code has this effect. */
    static final double MIN_CHANGE = 0.03;

    /** The same if the stored rounds ran at another time than the new ones. */
    static final double MIN_CHANGE_APART = 0.10;

    private final TrendRun stored;
    private final TrendRun now;
    private final Optional<BenchMachine> apart;
    private final List<TrendLine> lines = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /**
     * Creates the comparison.
     *
     * @param figures names of the figures, in order
     * @param apart machine of the stored rounds, if they ran at another time than the new ones; empty: the rounds of both
     *     alternated
     */
    TrendTable(List<String> figures, TrendRun stored, TrendRun now, Optional<BenchMachine> apart) {
        this.stored = stored;
        this.now = now;
        this.apart = apart;
        List<String> both = new ArrayList<>();
        for (String figure : figures) {
            (isIn(stored, figure) && isIn(now, figure) ? both : missing).add(figure);
        }
        TrendLine.Bar bar = new TrendLine.Bar(minChange(), Noise.max(comparisons(both.size())));
        for (String figure : both) {
            for (TrendMeasure measure : TrendMeasure.values()) {
                lines.add(TrendLine.of(figure, measure, stored.of(figure, measure), now.of(figure, measure), bar));
            }
        }
    }

    /** Returns the number of comparisons of a run with the given number of figures. */
    static int comparisons(int figures) {
        return figures * TrendMeasure.values().length;
    }

    private static boolean isIn(TrendRun run, String figure) {
        return run.of(figure, TrendMeasure.CPU).length > 0;
    }

    private double minChange() {
        return apart.isEmpty() ? MIN_CHANGE : MIN_CHANGE_APART;
    }

    List<TrendLine> lines() {
        return lines;
    }

    boolean gotWorse() {
        return lines.stream().anyMatch(line -> line.finding() == Finding.WORSE);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(row("times the floor; more is better", "by", "stored", "now", "change", ""));
        for (TrendLine line : lines) {
            text.append(row(
                    line.measure() == TrendMeasure.CPU ? line.figure() : "",
                    line.measure().label(),
                    number("%.3f", line.stored()),
                    number("%.3f", line.now()),
                    number("%+.1f %%", 100 * line.change()),
                    line.finding().words()));
        }
        missing.forEach(figure -> text.append(row(figure, "", "", "", "", "measured by only one of the two builds")));
        return text.append(rule()).toString();
    }

    private static String row(String figure, String by, String then, String now, String change, String finding) {
        return String.format(Locale.ROOT, "%-44s %-5s %9s %9s %9s  %s", figure, by, then, now, change, finding)
                        .stripTrailing()
                + "\n";
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }

    private String rule() {
        String rule = String.format(
                Locale.ROOT,
                "Moved: the medians of %s differ by %.0f %% or more, and chance alone separates the ranks of the rounds so far in less than one of"
                        + " %.0f comparisons (Mann-Whitney, exact): in one of %.0f runs of all %d.%n",
                rounds(),
                100 * minChange(),
                1 / Noise.max(lines.size()),
                1 / Noise.CHANCE_OF_A_RUN,
                lines.size());
        return apart.map(machine -> rule + weaker(machine)).orElse(rule);
    }

    private String rounds() {
        return stored.rounds().size() == now.rounds().size()
                ? now.rounds().size() + " rounds each"
                : stored.rounds().size() + " stored rounds and " + now.rounds().size() + " new ones";
    }

    private String weaker(BenchMachine machine) {
        String reason = "Less certain: the stored build was removed, so its rounds ran at another time";
        return machine.equals(now.machine())
                ? reason + ".\n"
                : reason + ", and on another machine than this one (" + now.machine() + ").\n";
    }
}
