// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Content of a chart, independent of its drawing.
 *
 * @param title title that says what is compared
 * @param lines lines, each in its own colour
 */
public record Chart(String title, Axis x, Axis y, List<Line> lines) {
    /**
     * An axis.
     *
     * @param title title with the unit
     */
    public record Axis(String title, Scale scale) {}

    /** Scale of an axis; logarithmic unless stated otherwise. No more will be added. */
    public enum Scale {
        /** Labels at powers of two. */
        DOUBLING,
        /** Labels at powers of ten. */
        DECIMAL,
        /** Linear from 0, with equidistant labels. */
        LINEAR
    }

    /**
     * One of the compared lines.
     *
     * @param points points by ascending x
     */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /**
     * A point. Coordinates are above 0; along a linear axis, they may be 0.
     *
     * @param measured false if the value is computed
     */
    public record Point(double x, double y, boolean measured) {}

    public Chart {
        lines = List.copyOf(lines);
    }

    /** True if no point is computed. */
    boolean isMeasured() {
        return lines.stream().flatMap(line -> line.points().stream()).allMatch(Point::measured);
    }

    /** Returns one coordinate of every point. */
    DoubleStream all(ToDoubleFunction<Point> coordinate) {
        return lines.stream().flatMap(line -> line.points().stream()).mapToDouble(coordinate);
    }
}
