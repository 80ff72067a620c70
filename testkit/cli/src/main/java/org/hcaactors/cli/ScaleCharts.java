// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.hcaactors.cli.plot.Chart;
import org.hcaactors.cli.plot.NoFontsException;
import org.hcaactors.cli.plot.SvgChart;
import org.hcaactors.judge.scale.Row;

/** Charts of the rows of {@code hca scale}. */
record ScaleCharts(List<Row> rows, int processes) {
    private static final double MEBIBYTE = 1 << 20;

    /** Returns the charts by file name. */
    Map<String, Chart> charts() {
        Map<String, Chart> charts = new LinkedHashMap<>();
        charts.put(
                "queue-pairs.svg",
                chart(
                        "Queue pairs",
                        "queue pairs of one node",
                        row -> row.ofNode().total()));
        charts.put(
                "heap.svg",
                chart(
                        "Heap of idle queue pairs",
                        "of one node, MiB; over DC no queue pair is connected",
                        row -> row.heapBytesOfNode() / MEBIBYTE));
        return charts;
    }

    /**
     * Checks before the measurements that charts can be drawn and written.
     *
     * @throws BadInputException if they cannot
     */
    static void check(Path folder) throws BadInputException {
        try {
            SvgChart.checkLetters();
            Files.createDirectories(folder);
        } catch (IOException refused) {
            throw BadInputException.unwritable(folder, refused);
        } catch (NoFontsException none) {
            throw new BadInputException(NoFontsException.ADVICE);
        }
    }

    /** Writes charts; their keys are file names. */
    static List<Path> write(Map<String, Chart> charts, Path folder) throws BadInputException {
        List<Path> files = new ArrayList<>();
        try {
            for (Map.Entry<String, Chart> each : charts.entrySet()) {
                Path file = folder.resolve(each.getKey());
                SvgChart.write(each.getValue(), file);
                files.add(file);
            }
        } catch (IOException refused) {
            throw BadInputException.unwritable(folder, refused);
        }
        return files;
    }

    private Chart chart(String what, String unit, ToDoubleFunction<Row> height) {
        Map<String, List<Chart.Point>> lines = new LinkedHashMap<>();
        for (Row row : rows) {
            lines.computeIfAbsent(row.scheme(), scheme -> new ArrayList<>())
                    .add(new Chart.Point(row.cluster().nodes(), height.applyAsDouble(row), row.isMeasured()));
        }
        String title = "%s: %d process%s a node, each connected to all processes of every other node"
                .formatted(what, processes, processes == 1 ? "" : "es");
        return new Chart(
                title,
                new Chart.Axis("nodes", Chart.Scale.DOUBLING),
                new Chart.Axis(unit, Chart.Scale.DECIMAL),
                lines.entrySet().stream()
                        .map(line -> new Chart.Line(line.getKey().toUpperCase(Locale.ROOT), line.getValue()))
                        .toList());
    }
}
