// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Range of an axis between two powers of ten; only powers of ten have labels. */
record Decades(double min, double max) {
    /** Returns the range if the points span fewer than two powers of ten; otherwise empty. */
    static Optional<Decades> around(Chart chart, ToDoubleFunction<Chart.Point> coordinate) {
        double min = Math.log10(chart.all(coordinate).min().orElse(1));
        double max = Math.log10(chart.all(coordinate).max().orElse(1));
        if (Math.floor(max) > Math.ceil(min)) {
            return Optional.empty();
        }
        double floor = Math.floor(min);
        return Optional.of(new Decades(Math.pow(10, floor), Math.pow(10, Math.max(floor + 1, Math.ceil(max)))));
    }
}
