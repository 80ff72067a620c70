// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
            "Writes into regions with on-demand paging and into a pinned one, in virtual time;",
            "then prints the state of the pages of each region, and the counter files of the kernel."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Paging implements Callable<Integer> {
    private static final long MAX_BYTES = 1L << 28;

    @Option(
            names = {"-s", "--size"},
            defaultValue = "67108864",
            description = "bytes that each WRITE carries (default: 67108864)")
    @AllowedRange(min = 1, max = MAX_BYTES)
    private long bytes;

    @Option(names = "--seed", defaultValue = "0", description = "seed of the world (default: 0)")
    @AllowedRange
    private long seed;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Option(names = "--as-root", description = "read the files as root, as those of debugfs require")
    private boolean asRoot;

    @Parameters(paramLabel = "FILE", description = "print only the content of this file, as cat does")
    private @Nullable List<String> files;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try (World world = PagingTour.world(seed)) {
            PagingTour tour = new PagingTour(world, (int) bytes);
            checkFiles(PagingFiles.of(tour.devices()));
            List<PagingTour.Row> rows = tour.run();
            print(tour, rows, spec.commandLine().getOut());
        }
        return Hca.OK;
    }

    private void print(PagingTour tour, List<PagingTour.Row> rows, PrintWriter out) {
        SortedMap<String, PagingFiles.File> all = PagingFiles.of(tour.devices());
        if (files != null) {
            files.forEach(file -> content(file, all).forEach(out::println));
        } else if (json) {
            out.println(document(tour, rows, all));
        } else {
            table(rows, out);
            regions(tour, out);
            all.forEach((file, content) -> out.println(file + ": " + listed(content)));
        }
        out.flush();
    }

    /** Checks the names before the run takes its time. */
    private void checkFiles(SortedMap<String, PagingFiles.File> all) {
        if (files != null) {
            files.forEach(file -> content(file, all));
        }
    }

    private List<String> content(String file, SortedMap<String, PagingFiles.File> all) {
        PagingFiles.File found = all.get(file);
        if (found == null) {
            throw new ParameterException(
                    spec.commandLine(), file + ": no such file; there are " + String.join(", ", all.keySet()));
        }
        if (isShut(found)) {
            throw new ParameterException(
                    spec.commandLine(), file + ": permission denied; only root may read it (--as-root)");
        }
        return found.lines();
    }

    private boolean isShut(PagingFiles.File file) {
        return file.rootOnly() && !asRoot;
    }

    private String listed(PagingFiles.File file) {
        return isShut(file) ? "readable only for root" : String.join(", ", file.lines());
    }

    private ObjectNode document(PagingTour tour, List<PagingTour.Row> rows, SortedMap<String, PagingFiles.File> all) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ArrayNode writes = node.putArray("writes");
        rows.forEach(row -> writes.addObject()
                .put("region", row.name())
                .put("nanos", row.nanos())
                .put("pageFaults", row.faults())
                .put("pages", row.pages())
                .put("packets", row.packets()));
        ArrayNode regions = node.putArray("regions");
        tour.regions().forEach((name, region) -> {
            ObjectNode one = regions.addObject().put("region", name);
            region.pagingStatistics().byName().forEach(one::put);
        });
        ObjectNode document = node.putObject("files");
        all.forEach((name, file) -> {
            if (!isShut(file)) {
                document.put(name, String.join("\n", file.lines()));
            }
        });
        return node;
    }

    // rule paging-statistics
    private static void regions(PagingTour tour, PrintWriter out) {
        tour.regions()
                .forEach((name, region) -> out.printf(
                        "mr 0x%08x (%s): %s%n",
                        region.lkey(),
                        name,
                        region.pagingStatistics().byName().entrySet().stream()
                                .map(each -> each.getKey() + " " + each.getValue())
                                .collect(Collectors.joining(", "))));
        out.println();
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
