// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Profile;
import org.hcaactors.cli.plot.Chart;
import org.hcaactors.judge.scale.BuiltMesh;
import org.hcaactors.judge.scale.Cluster;
import org.hcaactors.judge.scale.Measurement;
import org.hcaactors.judge.scale.Row;
import org.hcaactors.judge.scale.Scheme;
import org.hcaactors.judge.scale.Schemes;
import org.hcaactors.judge.scale.SideBySide;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "scale",
        description =
                "Computes how many queue pairs and how much heap are needed to connect each process to each process of every"
                        + " other node: by the formula of each transport, and measured by building small clusters. With"
                        + " a dynamically connected transport (DC), also the benefit of more initiators for"
                        + " each policy of a pool, always on ConnectX-6. Writes a chart of each result."
                        + " With the default options it takes a minute or two; the rows of each transport are printed when they"
                        + " are ready.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Scale implements Callable<Integer> {
    private static final int MAX_TO_MEASURE = 2_000_000;
    private static final int MAX_JVMS = 16;

    /** Options that the JVMs of a cluster get, too. */
    private static final Set<String> OF_THE_MODEL = Set.of("--profile", "--with");

    /** Limits the length of the output. */
    private static final int MAX_CLUSTERS = 100;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            defaultValue = "2,4,8,16,32,64,128,256,512,1024",
            description = "sizes of clusters, 2 to " + Cluster.MAX_NODES + " each (default: ${DEFAULT-VALUE})")
    private List<Integer> nodes;

    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "8",
            description = "processes of each node (default: 8)")
    @AllowedRange(min = 1, max = Cluster.MAX_PROCESSES)
    private int processes;

    @Option(
            names = "--transports",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "rc,xrc,dc8,dc32",
            converter = ByName.class,
            description = "rc, xrc, dc8 and dc32, where the number is that of the initiators of each process (default:"
                    + " ${DEFAULT-VALUE})")
    private List<Scheme> transports;

    @Option(
            names = "--measure-up-to",
            paramLabel = "QPS",
            defaultValue = "20000",
            description = "queue pairs of all nodes together: larger clusters are computed (default: 20000). For"
                    + " 100000 of them the JVM needs a heap of 1 GB")
    @AllowedRange(min = 0, max = MAX_TO_MEASURE)
    private int measureUpTo;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the pools of initiators (default: 1)")
    @AllowedRange
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/hca-scale",
            description = "folder of the charts (default: target/hca-scale)")
    private Path directory;

    @Option(
            names = "--cluster",
            paramLabel = "JVMS",
            description =
                    "build instead, for each transport, the largest mesh of --nodes that --measure-up-to allows, over so many"
                            + " JVMs of this machine that form a cluster, and print queue pairs and heap of each beside those"
                            + " of the same mesh in one JVM. No charts")
    @AllowedRange(min = 2, max = MAX_JVMS)
    private @Nullable Integer cluster;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Mixin
    private ModelOptions model;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        checkOptions();
        Profile profile = model.profile();
        PrintWriter out = spec.commandLine().getOut();
        if (cluster != null) {
            new ScaleOverNodes(nodes, processes, measureUpTo, cluster)
                    .run(transports, profile, modelArguments(), out, json);
            return Hca.OK;
        }
        ScaleCharts.check(directory);
        List<Row> rows = measure(profile, out);
        ScaleTradeoff tradeoff = ScaleTradeoff.of(seed, transports.stream().anyMatch(Schemes::isDynamic));
        List<Path> files = ScaleCharts.write(charts(rows, tradeoff), directory);
        if (json) {
            out.println(asJson(rows, tradeoff, files));
        } else {
            tradeoff.print(out);
            out.println();
            out.println("charts: " + files.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        out.flush();
        return Hca.OK;
    }

    private Map<String, Chart> charts(List<Row> rows, ScaleTradeoff tradeoff) {
        Map<String, Chart> charts = new ScaleCharts(rows, processes).charts();
        charts.putAll(tradeoff.charts());
        return charts;
    }

    private List<String> modelArguments() {
        List<String> all = new ArrayList<>();
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (OF_THE_MODEL.contains(option.longestName())) {
                option.originalStringValues().forEach(value -> all.addAll(List.of(option.longestName(), value)));
            }
        }
        return all;
    }

    private void checkOptions() {
        Checks check = new Checks(spec);
        check.that(
                nodes.size() <= MAX_CLUSTERS,
                "--nodes has " + nodes.size() + " sizes; 1 to " + MAX_CLUSTERS + " are allowed");
        for (int count : nodes) {
            check.that(
                    count >= 2 && count <= Cluster.MAX_NODES,
                    "--nodes has " + count + "; a whole number from 2 to " + Cluster.MAX_NODES + " is allowed");
        }
        check.that(
                transports.stream().distinct().count() == transports.size(),
                "--transports contains a transport twice; " + ByName.all() + " are allowed, each once");
    }

    /** Prints the rows of each transport when they are ready; prints nothing if an adapter refuses the first one. */
    private List<Row> measure(Profile profile, PrintWriter out) {
        SideBySide schemes = new SideBySide(nodes, processes, measureUpTo);
        List<Row> rows = new ArrayList<>();
        for (Scheme scheme : transports) {
            boolean isFirst = rows.isEmpty();
            List<Row> ready = rows(schemes, scheme, profile);
            rows.addAll(ready);
            if (!json) {
                if (isFirst) {
                    printHead(out);
                }
                print(out, ready);
            }
        }
        return rows;
    }

    private List<Row> rows(SideBySide schemes, Scheme scheme, Profile profile) {
        AtomicLong built = new AtomicLong();
        BuiltMesh gauge = new BuiltMesh(profile, System::nanoTime, built::addAndGet);
        try (Progress progress = new Progress(!json, schemes.queuePairs(scheme), built::get)) {
            return schemes.rows(scheme, gauge);
        }
    }

    private void printHead(PrintWriter out) {
        out.printf(
                "%d process%s a node, each connected to all processes of every other node; heap is that of a node's idle"
                        + " queue pairs; over DC no queue pair is connected%n%n",
                processes, processes == 1 ? "" : "es");
        out.printf(
                "%-9s  %6s  %12s  %18s  %8s  %12s  %s%n",
                "transport", "nodes", "qps a node", "qps in all", "bytes/qp", "KiB a node", "heap is");
    }

    private static void print(PrintWriter out, List<Row> rows) {
        for (Row row : rows) {
            out.printf(
                    "%-9s  %,6d  %,12d  %,18d  %,8.0f  %,12d  %s%n",
                    row.scheme(),
                    row.cluster().nodes(),
                    row.ofNode().total(),
                    row.ofNode().inAll(row.cluster()),
                    row.by().bytesEach(),
                    row.heapBytesOfNode() >> 10,
                    origin(row));
        }
        out.flush();
    }

    private static String origin(Row row) {
        Measurement by = row.by();
        return switch (row.origin()) {
            case MEASURED -> String.format("measured; ready in %.2f s", by.nanos() / 1e9);
            case BEYOND_THE_BOUND -> "computed with the bytes/qp of " + words(by.cluster());
            case BEYOND_THE_HEAP ->
                "computed with the bytes/qp of " + words(by.cluster()) + ": this JVM's heap is too small";
        };
    }

    private static String words(Cluster cluster) {
        return cluster.nodes() + " nodes of " + cluster.processes();
    }

    private ObjectNode asJson(List<Row> rows, ScaleTradeoff tradeoff, List<Path> files) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("processes", processes);
        root.put("measureUpTo", measureUpTo);
        ArrayNode list = root.putArray("rows");
        rows.forEach(row -> put(list.addObject(), row));
        tradeoff.putInto(root);
        ArrayNode charts = root.putArray("charts");
        files.forEach(file -> charts.add(file.toString()));
        return root;
    }

    private static void put(ObjectNode node, Row row) {
        node.put("transport", row.scheme())
                .put("nodes", row.cluster().nodes())
                .put("queuePairsOfNode", row.ofNode().total());
        ObjectNode types = node.putObject("ofNodeByType");
        row.ofNode().byType().forEach((type, count) -> types.put(type.name(), count));
        node.put("queuePairsInAll", row.ofNode().inAll(row.cluster()))
                .put("measured", row.isMeasured())
                .put("bytesOfQueuePair", row.by().bytesEach())
                .put("heapBytesOfNode", row.heapBytesOfNode());
        if (row.isMeasured()) {
            node.put("secondsToConnect", row.by().nanos() / 1e9);
        } else {
            node.put("heapIsTooSmall", row.origin() == Row.Origin.BEYOND_THE_HEAP);
            node.putObject("computedFrom")
                    .put("nodes", row.by().cluster().nodes())
                    .put("processes", row.by().cluster().processes());
        }
    }

    /** Converter of a scheme's name. */
    static final class ByName implements ITypeConverter<Scheme> {
        static String all() {
            return Schemes.ALL.stream().map(Scheme::name).collect(Collectors.joining(", "));
        }

        @Override
        public Scheme convert(String text) {
            return Schemes.named(text)
                    .orElseThrow(() ->
                            new TypeConversionException("'" + text + "' is no transport; " + all() + " are allowed"));
        }
    }
}
