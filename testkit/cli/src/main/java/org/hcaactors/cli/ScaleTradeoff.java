// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hcaactors.cli.plot.Chart;
import org.hcaactors.judge.scale.Tradeoff;

/**
 * Results of {@code hca scale} for pools of initiators.
 *
 * @param statistics empty unless a dynamically connected transport was requested
 */
record ScaleTradeoff(long seed, List<Tradeoff.Figure> statistics) {
    private static final String CHART_CASE = "1 client, " + Tradeoff.TARGETS + " targets";

    static ScaleTradeoff of(long seed, boolean isWanted) {
        return new ScaleTradeoff(seed, isWanted ? new Tradeoff(seed).statistics() : List.of());
    }

    private static String name(Tradeoff.Traffic traffic) {
        return traffic.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the charts by file name. */
    Map<String, Chart> charts() {
        Map<String, Chart> charts = new LinkedHashMap<>();
        if (!statistics.isEmpty()) {
            for (Tradeoff.Traffic traffic : Tradeoff.Traffic.values()) {
                charts.put(
                        "connects-" + name(traffic) + ".svg",
                        chart(
                                "Connects",
                                traffic,
                                new Chart.Axis("connects per operation", Chart.Scale.LINEAR),
                                Tradeoff.Figure::connectsEach));
            }
            for (Tradeoff.Traffic traffic : Tradeoff.Traffic.values()) {
                charts.put("latency-" + name(traffic) + ".svg", latency(traffic));
            }
        }
        return charts;
    }

    /** Chooses the scale: with dense traffic, latencies range from one to hundreds of times that of a single request. */
    private Chart latency(Tradeoff.Traffic traffic) {
        Chart.Scale scale = switch (traffic) {
            case SPARSE -> Chart.Scale.LINEAR;
            case DENSE -> Chart.Scale.DECIMAL;
        };
        return chart(
                "Mean latency",
                traffic,
                new Chart.Axis("from submit to completion, virtual us", scale),
                Tradeoff.Figure::meanMicros);
    }

    private Chart chart(String what, Tradeoff.Traffic traffic, Chart.Axis y, ToDoubleFunction<Tradeoff.Figure> height) {
        Map<String, List<Chart.Point>> lines = new LinkedHashMap<>();
        statistics.stream()
                .filter(figure -> figure.traffic() == traffic)
                .forEach(figure -> lines.computeIfAbsent(figure.policy(), policy -> new ArrayList<>())
                        .add(new Chart.Point(figure.initiators(), height.applyAsDouble(figure), true)));
        return new Chart(
                "%s: %s, %s traffic, a pool of initiators, ConnectX-6".formatted(what, CHART_CASE, name(traffic)),
                new Chart.Axis("initiators", Chart.Scale.DOUBLING),
                y,
                lines.entrySet().stream()
                        .map(line -> new Chart.Line(line.getKey(), line.getValue()))
                        .toList());
    }

    /** Prints a line for each policy, with a column for each number of initiators. */
    void print(PrintWriter out) {
        if (statistics.isEmpty()) {
            return;
        }
        out.printf(
                "%nDC initiators in a pool, in virtual time: connects per operation, and mean latency in us; %s, %d RDMA"
                        + " WRITEs of 64 bytes,%nalways on ConnectX-6, links of 1 us and 100 Gbit/s, seed"
                        + " %d. Sparse: one at a time, and a pause of up to 4 us%nafter each; dense: all at once. A quota is"
                        + " of %d requests; with streams, an initiator has %d%n%n",
                CHART_CASE, Tradeoff.OPERATIONS, seed, Tradeoff.QUOTA, Tradeoff.STREAMS.channels());
        out.printf("%-8s  %-10s", "traffic", "policy");
        Tradeoff.INITIATORS.forEach(many -> out.printf("  %16s", many + (many == 1 ? " initiator" : " initiators")));
        out.println();
        statistics.stream()
                .collect(Collectors.groupingBy(
                        figure -> "%-8s  %-10s".formatted(name(figure.traffic()), figure.policy()),
                        LinkedHashMap::new,
                        Collectors.toMap(Tradeoff.Figure::initiators, figure -> figure)))
                .forEach((line, byInitiators) -> out.println(line
                        + Tradeoff.INITIATORS.stream()
                                .map(many -> cell(byInitiators, many))
                                .collect(Collectors.joining())));
    }

    private static String cell(Map<Integer, Tradeoff.Figure> byInitiators, int many) {
        Tradeoff.Figure figure = byInitiators.get(many);
        return figure == null
                ? "  %16s".formatted("-")
                : String.format(Locale.ROOT, "  %5.2f %10.2f", figure.connectsEach(), figure.meanMicros());
    }

    void putInto(ObjectNode root) {
        if (statistics.isEmpty()) {
            return;
        }
        ObjectNode node = root.putObject("initiatorTradeoff");
        node.put("seed", seed).put("targets", Tradeoff.TARGETS).put("operations", Tradeoff.OPERATIONS);
        ArrayNode list = node.putArray("figures");
        statistics.forEach(figure -> list.addObject()
                .put("policy", figure.policy())
                .put("traffic", name(figure.traffic()))
                .put("initiators", figure.initiators())
                .put("connects", figure.connects())
                .put("connectsPerOperation", figure.connectsEach())
                .put("meanLatencyMicros", figure.meanMicros())
                .put("virtualMicrosInAll", figure.nanos() / 1e3));
    }
}
