// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What is drawn, without how.
 *
 * @param title says what is compared
 * @param lines each in a colour of its own
 */
public record Chart(String title, Axis x, Axis y, List<Line> lines) {
    /**
     * Where things stand along it.
     *
     * @param title with its unit
     */
    public record Axis(String title, Scale scale) {}

    /** Logarithmic, unless it is said. These are all that there are. */
    public enum Scale {
        /** Labels at powers of two. */
        DOUBLING,
        /** Labels at powers of ten. */
        DECIMAL,
        /** Not logarithmic: from 0 on, labels at equal distances. */
        LINEAR
    }

    /**
     * One of those that are compared.
     *
     * @param points by ascending x
     */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /**
     * Both coordinates are above 0; along a linear axis, they may be 0.
     *
     * @param measured else it is computed
     */
    public record Point(double x, double y, boolean measured) {}

    public Chart {
        lines = List.copyOf(lines);
    }

    /** Nothing of it is computed. */
    boolean isMeasured() {
        return lines.stream().flatMap(line -> line.points().stream()).allMatch(Point::measured);
    }

    /** One coordinate of every point. */
    DoubleStream all(ToDoubleFunction<Point> coordinate) {
        return lines.stream().flatMap(line -> line.points().stream()).mapToDouble(coordinate);
    }
}
