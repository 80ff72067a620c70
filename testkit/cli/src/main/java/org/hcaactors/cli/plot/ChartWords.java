// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.stream.Collectors;

/** Every point of a chart as text, for readers who cannot see it. */
final class ChartWords {
    private static final MathContext DIGITS = new MathContext(6);

    private ChartWords() {}

    static String of(Chart chart) {
        return chart.lines().stream()
                .map(ChartWords::of)
                .collect(Collectors.joining(
                        "; ", chart.y().title() + " by " + chart.x().title() + "; ", ""));
    }

    private static String of(Chart.Line line) {
        return line.points().stream()
                .map(point ->
                        number(point.x()) + ": " + number(point.y()) + (point.measured() ? " measured" : " computed"))
                .collect(Collectors.joining(", ", line.name() + ": ", ""));
    }

    private static String number(double value) {
        return new BigDecimal(value, DIGITS).stripTrailingZeros().toPlainString();
    }
}
