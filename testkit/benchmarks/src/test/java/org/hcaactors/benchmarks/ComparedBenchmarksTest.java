// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.benchmarks.trend.ComparedBenchmark;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

class ComparedBenchmarksTest {
    @Test
    void everyFigureAndItsFloorIsABenchmark() {
        assertThat(ComparedBenchmarks.FIGURES)
                .flatExtracting(figure -> List.of(figure.benchmark(), figure.floor()))
                .allSatisfy(name -> assertThat(benchmarks(name)).contains(name));
    }

    /** Returns the benchmarks of the class that the name begins with. */
    private static Stream<String> benchmarks(String name) throws ClassNotFoundException {
        String type = name.substring(0, name.indexOf('.'));
        Class<?> found = Class.forName(ComparedBenchmarksTest.class.getPackageName() + "." + type);
        return Arrays.stream(found.getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(method -> type + "." + method.getName());
    }

    @Test
    void figuresHaveUniqueNames() {
        assertThat(ComparedBenchmarks.FIGURES)
                .extracting(ComparedBenchmark::name)
                .doesNotHaveDuplicates();
    }

    @Test
    void oneToThreeFiguresAreQuick() {
        assertThat(ComparedBenchmarks.FIGURES)
                .filteredOn(ComparedBenchmark::isQuick)
                .hasSizeBetween(1, 3);
    }
}
