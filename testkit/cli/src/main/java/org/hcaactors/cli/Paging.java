// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.hcaactors.lab.world.World;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "paging",
        description = {
            "Writes into regions whose pages come when they are used, beside a pinned one, in virtual time;",
            "then the files in which a kernel tells what it counted of that."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Paging implements Callable<Integer> {
    private static final long MOST_BYTES = 1L << 28;

    @Option(
            names = {"-s", "--size"},
            defaultValue = "67108864",
            description = "bytes that each WRITE carries (default: 67108864)")
    @Allowed(least = 1, most = MOST_BYTES)
    private long bytes;

    @Option(names = "--seed", defaultValue = "0", description = "of the world (default: 0)")
    @Allowed
    private long seed;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Parameters(paramLabel = "FILE", description = "print what stands in this file, and nothing else, as cat does")
    private @Nullable List<String> files;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (World world = PagingTour.world(seed)) {
            PagingTour tour = new PagingTour(world, (int) bytes);
            List<PagingTour.Row> rows = tour.run();
            print(rows, PagingFiles.of(tour.target(), 0), spec.commandLine().getOut());
        }
        return Hca.OK;
    }

    private void print(List<PagingTour.Row> rows, SortedMap<String, Long> counted, PrintWriter out) {
        if (files != null) {
            files.forEach(file -> out.println(content(file, counted)));
        } else if (json) {
            out.println(document(rows, counted));
        } else {
            table(rows, out);
            counted.forEach((file, value) -> out.println(file + ": " + value));
        }
        out.flush();
    }

    private long content(String file, SortedMap<String, Long> counted) {
        Long value = counted.get(file);
        if (value == null) {
            throw new ParameterException(
                    spec.commandLine(), file + ": no such file; there are " + String.join(", ", counted.keySet()));
        }
        return value;
    }

    private static ObjectNode document(List<PagingTour.Row> rows, SortedMap<String, Long> counted) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode writes = node.putArray("writes");
        rows.forEach(row -> writes.addObject()
                .put("region", row.name())
                .put("nanos", row.nanos())
                .put("pageFaults", row.faults())
                .put("pages", row.pages())
                .put("packets", row.packets()));
        counted.forEach(node.putObject("files")::put);
        return node;
    }

    private void table(List<PagingTour.Row> rows, PrintWriter out) {
        out.println("a WRITE of " + bytes + " bytes:");
        out.println("  region on demand        time [us]   faults    pages  packets");
        rows.forEach(row -> out.printf(
                "  %-18s %14.3f %8d %8d %8d%n",
                row.name(), row.nanos() / 1000.0, row.faults(), row.pages(), row.packets()));
        out.println();
    }
}
