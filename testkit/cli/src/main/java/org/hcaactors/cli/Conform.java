// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.capture.CaptureFormatException;
import org.hcaactors.lab.conform.CmConformance;
import org.hcaactors.lab.conform.Comparison;
import org.hcaactors.lab.conform.Conformance;
import org.hcaactors.lab.conform.Difference;
import org.hcaactors.lab.conform.FieldDifference;
import org.hcaactors.lab.conform.Mismatch;
import org.hcaactors.lab.conform.TakenFromCapture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "conform",
        description = {
            "Compares the model with real traffic: replays each end of each captured conversation with the model,"
                    + " and compares every packet. If NAME.txt is next to NAME.pcap, the output of both"
                    + " programs in it is compared as well.",
            "The model has the profile of --profile, or the one that a capture of this project names, or else soft-roce."
                    + " It reads the files that hca dissect reads; truncated packets are counted, but not compared.",
            "Exit status 1 if a packet is neither equal nor a known difference, or if no packet of a file could be compared."
        },
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class Conform implements Callable<Integer> {
    private static final int MISMATCHES_SHOWN = 10;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "captures, pcap or pcapng")
    private List<Path> files;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "profile of the model, such as connectx-5 (default: that of the capture, or soft-roce)")
    private @Nullable String profile;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        Optional<Profile> requested = profile == null ? Optional.empty() : Optional.of(ModelOptions.named(profile));
        Map<Path, Conformance.Report> reports = new LinkedHashMap<>();
        for (Path file : files) {
            reports.put(file, report(file, requested));
        }
        Comparison all =
                reports.values().stream().map(Conformance.Report::verdict).reduce(Comparison.NONE, Comparison::plus);
        if (json) {
            out.println(asJson(reports, all));
        } else {
            reports.forEach((file, report) -> print(out, file, report));
            summary(out, all);
        }
        out.flush();
        boolean isOk = reports.values().stream().allMatch(report -> report.agrees() && report.isConclusive());
        return isOk ? Hca.OK : Hca.NOT_AS_EXPECTED;
    }

    private static Conformance.Report report(Path file, Optional<Profile> profile) throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            return Conformance.of(file, profile);
        } catch (CaptureFormatException damaged) {
            throw new BadInputException(file + ": " + damaged.getMessage());
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    private static void print(PrintWriter out, Path file, Conformance.Report report) {
        Comparison verdict = report.verdict();
        out.printf(
                "%-24s %5d packets: %4d answers, %4d requests, %3d completions; %4d the same%s%s%n",
                file.getFileName(),
                report.packets(),
                verdict.answers(),
                verdict.requests(),
                verdict.completions(),
                verdict.matched(),
                named(verdict.differences()),
                verdict.agrees() ? "" : ", " + verdict.mismatches().size() + " MISMATCHES");
        management(out, report.management());
        if (!report.isConclusive()) {
            out.println("    NOT COMPARED: " + whyNothing(report.packets() + report.skipped()));
        }
        if (!verdict.agrees() && report.isAssumed()) {
            out.println("    the model had the profile " + String.join(" and ", report.profiles())
                    + ", because neither the capture nor --profile names one");
        }
        new TreeMap<>(report.outOfScope())
                .forEach((what, count) -> out.println("    not compared: " + count + " " + what));
        verdict.mismatches().stream().limit(MISMATCHES_SHOWN).forEach(mismatch -> out.println("    " + mismatch));
        if (verdict.mismatches().size() > MISMATCHES_SHOWN) {
            out.println("    and " + (verdict.mismatches().size() - MISMATCHES_SHOWN) + " more");
        }
    }

    private static void management(PrintWriter out, CmConformance.Report report) {
        if (report.messages() > 0) {
            out.println("    " + count(report.messages(), "message") + " of communication management: "
                    + report.matched() + " the same"
                    + (report.mismatches().isEmpty()
                            ? ""
                            : ", " + report.mismatches().size() + " MISMATCHES"));
        }
        report.known().forEach(difference -> out.println("    known: " + difference));
        report.mismatches().stream().limit(MISMATCHES_SHOWN).forEach(mismatch -> out.println("    " + mismatch));
    }

    /** @param packets number of packets of transports that can be judged; other lines explain the rest */
    private static String whyNothing(int packets) {
        return switch (packets) {
            case 0 -> "the capture contains no RC, UC or UD packet that could be compared";
            case 1 -> "the only packet of RC, UC or UD could not be compared";
            default -> "none of its " + packets + " packets of RC, UC and UD could be compared";
        };
    }

    private static String named(Map<Difference, Integer> differences) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(differences)
                .forEach((difference, count) ->
                        text.append(", ").append(count).append(' ').append(word(difference)));
        return text.toString();
    }

    private static String word(Enum<?> name) {
        return name.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    private static void summary(PrintWriter out, Comparison all) {
        out.println();
        out.printf(
                "%s, %s and %s compared: %d the same, %d under a named difference, %s%n",
                count(all.answers(), "answer"),
                count(all.requests(), "request"),
                count(all.completions(), "completion"),
                all.matched(),
                all.differences().values().stream().mapToInt(Integer::intValue).sum(),
                all.mismatches().size() == 1 ? "1 mismatch" : all.mismatches().size() + " mismatches");
        new TreeMap<>(all.differences())
                .forEach((difference, count) ->
                        out.printf("  %4d %-16s %s%n", count, word(difference), difference.reason()));
        if (!all.lacking().isEmpty()) {
            out.println("packets that the model sent and the capture lacks:");
            new TreeMap<>(all.lacking())
                    .forEach((difference, count) ->
                            out.printf("  %4d %-16s %s%n", count, word(difference), difference.reason()));
        }
        if (!all.takenFromCapture().isEmpty()) {
            out.println("taken from the captures, and not counted as the same:");
            new TreeMap<>(all.takenFromCapture())
                    .forEach((given, count) -> out.printf("  %4d %-16s %s%n", count, word(given), given.what()));
        }
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static ObjectNode asJson(Map<Path, Conformance.Report> reports, Comparison all) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode list = root.putArray("files");
        reports.forEach((file, report) -> {
            ObjectNode node =
                    verdict(list.addObject().put("file", String.valueOf(file.getFileName())), report.verdict());
            node.put("packets", report.packets()).put("judged", report.verdict().compared());
            ArrayNode profiles = node.putArray("profiles");
            report.profiles().forEach(profiles::add);
            node.put("profileAssumed", report.isAssumed());
            ObjectNode management = node.putObject("communicationManagement");
            management
                    .put("messages", report.management().messages())
                    .put("matched", report.management().matched());
            report.management().known().forEach(management.putArray("known")::add);
            ArrayNode different = management.putArray("mismatches");
            report.management().mismatches().forEach(mismatch -> different.add(mismatch.toString()));
            ObjectNode others = node.putObject("outOfScope");
            new TreeMap<>(report.outOfScope()).forEach(others::put);
        });
        verdict(root.putObject("total"), all);
        return root;
    }

    private static ObjectNode verdict(ObjectNode node, Comparison verdict) {
        node.put("answers", verdict.answers())
                .put("requests", verdict.requests())
                .put("completions", verdict.completions())
                .put("same", verdict.matched());
        counts(node.putObject("differences"), verdict.differences());
        counts(node.putObject("lacking"), verdict.lacking());
        ObjectNode given = node.putObject("given");
        for (Map.Entry<TakenFromCapture, Integer> each : new TreeMap<>(verdict.takenFromCapture()).entrySet()) {
            given.put(word(each.getKey()), each.getValue());
        }
        ArrayNode mismatches = node.putArray("mismatches");
        for (Mismatch mismatch : verdict.mismatches()) {
            ObjectNode json = mismatches
                    .addObject()
                    .put("frame", mismatch.frame())
                    .put("captured", mismatch.captured())
                    .put("ours", mismatch.ours());
            ArrayNode fields = json.putArray("fields");
            for (FieldDifference field : mismatch.fields()) {
                fields.addObject()
                        .put("field", field.field())
                        .put("captured", field.captured())
                        .put("ours", field.ours());
            }
        }
        return node;
    }

    private static void counts(ObjectNode node, Map<Difference, Integer> counts) {
        new TreeMap<>(counts).forEach((difference, count) -> node.put(word(difference), count));
    }
}
