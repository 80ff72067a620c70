// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.rlog.JoinedRun;
import org.hcaactors.views.rlog.NodeClock;
import org.hcaactors.views.rlog.Rlog;
import org.hcaactors.views.rlog.RlogWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "join",
        description = {
            "Joins the recorded runs of several JVMs, which a cable or a cluster joins, to one run: a packet that left one and"
                    + " entered another is one packet. hca flow and hca explain read it, and find causes in another JVM.",
            "The packets bound the clocks of the runs: none arrives before it was sent."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Join implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "2..*",
            description = "the recorded runs; times are on the clock of the first one")
    private List<Path> files;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "the joined run")
    private Path joinedFile;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        JoinedRun joined = joined();
        write(joined.run());
        if (json) {
            out.println(asJson(joined));
        } else {
            joined.clocks().stream().skip(1).map(Join::words).forEach(out::println);
            out.println(joined.run().events().size() + " events in " + joinedFile);
        }
        out.flush();
        RecordedRun.notes(joined.run()).forEach(spec.commandLine().getErr()::println);
        return Hca.OK;
    }

    private JoinedRun joined() throws BadInputException {
        List<JoinedRun.Part> parts = new ArrayList<>();
        List<String> names = names();
        for (int i = 0; i < files.size(); i++) {
            parts.add(new JoinedRun.Part(names.get(i), RecordedRun.read(files.get(i))));
        }
        try {
            return JoinedRun.of(parts);
        } catch (IllegalArgumentException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        }
    }

    /** Returns the names of the files without their ending; those of their folders, too, if two are alike. */
    private List<String> names() {
        List<String> names = files.stream()
                .map(file -> file.getFileName().toString().replaceFirst("\\.rlog$", ""))
                .toList();
        return new HashSet<>(names).size() == names.size()
                ? names
                : files.stream().map(Path::toString).toList();
    }

    private void write(Rlog run) throws BadInputException {
        long forgotten = run.trailer().map(Rlog.Trailer::forgotten).orElse(0L);
        try {
            RlogWriter.write(run.header(), run.events(), forgotten, joinedFile);
        } catch (IOException refused) {
            throw BadInputException.unwritable(joinedFile, refused);
        }
    }

    private static String words(NodeClock clock) {
        String packets = "%s: %d packets to and from %s".formatted(clock.name(), clock.packets(), clock.reference());
        if (clock.packets() == 0) {
            return packets + ": its times are its own";
        }
        String offset = ", %s us %s its times"
                .formatted(
                        Wording.micros(Math.abs(clock.offsetNanos())),
                        clock.offsetNanos() < 0 ? "taken from" : "added to");
        if (!clock.isConsistent()) {
            return packets + offset + "; the two clocks run at different speeds, so that times may be wrong by "
                    + Wording.micros(clock.uncertaintyNanos().orElse(0)) + " us and more";
        }
        return packets
                + offset
                + clock.uncertaintyNanos().stream()
                        .mapToObj(nanos -> ", within " + Wording.micros(nanos) + " us")
                        .findFirst()
                        .orElse("; packets in one direction only, so that its times may be too early or too late");
    }

    private static ObjectNode asJson(JoinedRun joined) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("events", joined.run().events().size());
        for (NodeClock clock : joined.clocks()) {
            ObjectNode node = root.withArray("runs")
                    .addObject()
                    .put("name", clock.name())
                    .put("reference", clock.reference())
                    .put("offsetNanos", clock.offsetNanos())
                    .put("packets", clock.packets())
                    .put("isConsistent", clock.isConsistent());
            clock.uncertaintyNanos().ifPresent(nanos -> node.put("uncertaintyNanos", nanos));
        }
        return root;
    }
}
