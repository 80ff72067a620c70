// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Labels of an axis that shows exponents of two. */
final class PowersOfTwo {
    private static final double ALIKE = 1e-9;

    private PowersOfTwo() {}

    static double exponent(double value) {
        return Math.log(value) / Math.log(2);
    }

    /** Labels only the powers of two; if the points span fewer than two of them, labels every tick. */
    static Function<Double, String> over(Chart chart, ToDoubleFunction<Chart.Point> coordinate) {
        double first =
                Math.ceil(chart.all(coordinate).map(PowersOfTwo::exponent).min().orElse(0) - ALIKE);
        double last = Math.floor(
                chart.all(coordinate).map(PowersOfTwo::exponent).max().orElse(0) + ALIKE);
        boolean powersAlone = last > first;
        return exponent -> powersAlone && !isWhole(exponent) ? " " : label(exponent);
    }

    private static boolean isWhole(double exponent) {
        return Math.abs(exponent - Math.rint(exponent)) < ALIKE;
    }

    private static String label(double exponent) {
        double value = Math.pow(2, exponent);
        return isWhole(value)
                ? String.format(Locale.ROOT, "%,d", Math.round(value))
                : String.format(Locale.ROOT, "%,.1f", value);
    }
}
