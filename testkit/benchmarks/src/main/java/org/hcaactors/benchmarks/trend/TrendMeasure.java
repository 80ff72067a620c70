// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

import java.util.function.ToDoubleFunction;

/** Measures by which a figure is judged. */
public enum TrendMeasure {
    CPU("CPU", FloorRatio::cpu),
    CLOCK("clock", FloorRatio::clock);

    private final String label;
    private final ToDoubleFunction<FloorRatio> part;

    TrendMeasure(String label, ToDoubleFunction<FloorRatio> part) {
        this.label = label;
        this.part = part;
    }

    public String label() {
        return label;
    }

    public double of(FloorRatio ratio) {
        return part.applyAsDouble(ratio);
    }
}
