// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.scenario.MovedCounters;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.flow.Wording;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description =
                "Runs a tour: every operation of RC, a lost packet, a receiver that is not ready and a bad key; UC, shared"
                        + " receives, a multicast group; a re-registered region, a column of a matrix by one request,"
                        + " a memory window; on-demand paging, memory in large blocks, data in a"
                        + " completion; masked and tunneled atomics; a firmware setting, an"
                        + " adapter that restarts, a thread that a completion queue wakes; processes of a host that share an XRC"
                        + " connection; a DC initiator that connects, changes its target, becomes idle and uses a"
                        + " wrong access key; tag matching, with long messages fetched by the adapter."
                        + " In virtual time: the same seed writes the same bytes.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Demo implements Callable<Integer> {
    @Option(names = "--seed", defaultValue = "1", description = "seed of the run (default: 1)")
    @AllowedRange
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/hca-demo",
            description =
                    "folder of report.html, packets.pcapng, ladder.txt, ladder.mmd and trace.rlog (default: target/hca-demo)")
    private Path directory;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        try (World world = World.of(seed)) {
            RcTour tour = new RcTour(new WorldGround(world));
            List<RcTour.Step> steps = tour.run();
            List<TraceEvent> events = world.trace().events();
            write(world);
            if (json) {
                out.println(asJson(tour, steps, events));
            } else {
                print(out, tour, steps, events);
            }
            out.flush();
            return steps.stream().allMatch(RcTour.Step::holds) ? Hca.OK : Hca.NOT_AS_EXPECTED;
        }
    }

    private void write(World world) throws BadInputException {
        try {
            WorldPictures.write("hca demo", world, directory);
        } catch (IOException refused) {
            throw BadInputException.unwritable(directory, refused);
        }
    }

    private void print(PrintWriter out, RcTour tour, List<RcTour.Step> steps, List<TraceEvent> events) {
        StepLadder.of(steps, events).forEach(out::println);
        out.println();
        for (RcTour.Step step : steps) {
            String verdict = step.holds() ? "as expected" : "EXPECTED " + step.expected();
            out.printf("%-46s %-16s %s%n", step.what(), step.actual(), verdict);
        }
        out.println();
        printCounters(out, "alice", tour.pair().a().adapter());
        printCounters(out, "bob", tour.pair().b().adapter());
        out.println();
        out.printf(
                "%d packets, %s us of virtual time, seed %d%n",
                packets(events), Wording.micros(lastNanos(events)), seed);
        out.println("report for a browser: " + directory.resolve("report.html"));
        out.println("pictures: " + directory.resolve("ladder.txt") + ", " + directory.resolve("ladder.mmd")
                + "; capture for Wireshark: " + directory.resolve("packets.pcapng") + "; for hca explain and hca flow: "
                + directory.resolve("trace.rlog"));
    }

    private static void printCounters(PrintWriter out, String name, Adapter adapter) {
        List<String> moved = new ArrayList<>();
        MovedCounters.of(adapter).forEach((counter, value) -> moved.add(counter + " " + value));
        out.println(name + ": " + String.join(", ", moved));
    }

    private static long packets(List<TraceEvent> events) {
        return events.stream().filter(FabricEvent.Sent.class::isInstance).count();
    }

    /** Returns the time of the last event. */
    private static long lastNanos(List<TraceEvent> events) {
        return events.getLast().stamp().nanos();
    }

    private static void putCounters(ObjectNode named, Adapter adapter) {
        adapter.counters().forEach(named::put);
        MovedCounters.of(adapter).forEach(named::put);
    }

    private ObjectNode asJson(RcTour tour, List<RcTour.Step> steps, List<TraceEvent> events) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("seed", seed);
        root.put("packets", packets(events));
        root.put("virtualNanos", lastNanos(events));
        ArrayNode list = root.putArray("steps");
        for (RcTour.Step step : steps) {
            list.addObject()
                    .put("what", step.what())
                    .put("expected", step.expected())
                    .put("got", step.actual());
        }
        ObjectNode counters = root.putObject("counters");
        putCounters(counters.putObject("alice"), tour.pair().a().adapter());
        putCounters(counters.putObject("bob"), tour.pair().b().adapter());
        root.put("received", tour.received().size());
        root.putArray("files")
                .add(directory.resolve("report.html").toString())
                .add(directory.resolve("packets.pcapng").toString())
                .add(directory.resolve("ladder.txt").toString())
                .add(directory.resolve("ladder.mmd").toString())
                .add(directory.resolve("trace.rlog").toString());
        return root;
    }
}
