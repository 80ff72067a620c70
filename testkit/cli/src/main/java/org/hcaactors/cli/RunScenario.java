// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.hocon.RefusedException;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioOutcome;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.picture.Pictures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description =
                "Runs a scenario (HOCON: adapters, objects, traffic, faults, expectations) in virtual time. Exit status 1"
                        + " if an expectation does not hold. The gallery in docs/guide shows examples.",
        mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills in the fields
final class RunScenario implements Callable<Integer> {
    private static final int LADDER_LINES = 32;
    /** So few further lines are printed, too. */
    private static final int FEW_LINES = 8;

    private static final int EXPLAINED = 3;

    @Parameters(paramLabel = "FILE", description = "the scenario")
    private Path file;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the run (default: 1)")
    @AllowedRange
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/hca-run",
            description = "folder of the pictures (default: target/hca-run)")
    private Path directory;

    @Option(names = "--json", description = "print one JSON document instead")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BadInputException {
        PrintWriter out = spec.commandLine().getOut();
        Scenario scenario = read();
        try (ScenarioRun run = ScenarioRun.of(scenario, seed)) {
            write(run);
            if (json) {
                out.println(asJson(run));
            } else {
                print(out, run);
            }
            out.flush();
            return run.outcome().holds() ? Hca.OK : Hca.NOT_AS_EXPECTED;
        } catch (VerbsException refused) {
            throw new BadInputException(file + ": an adapter refused a verb: " + refused.getMessage());
        }
    }

    private Scenario read() throws BadInputException {
        BadInputException.unlessReadable(file);
        try {
            return Scenario.parse(Files.readString(file), file.toString());
        } catch (RefusedException refused) {
            throw new BadInputException(String.valueOf(refused.getMessage()));
        } catch (CharacterCodingException binary) {
            throw new BadInputException(file + ": is not a text in UTF-8");
        } catch (IOException unreadable) {
            throw BadInputException.unreadable(file, unreadable);
        }
    }

    private void write(ScenarioRun run) throws BadInputException {
        try {
            WorldPictures.write(run.scenario().title(), run.world(), directory);
        } catch (IOException refused) {
            throw BadInputException.unwritable(directory, refused);
        }
    }

    private void print(PrintWriter out, ScenarioRun run) {
        ScenarioOutcome outcome = run.outcome();
        out.println(run.scenario().title());
        out.println();
        List<String> ladder = run.ladder();
        int shown = ladder.size() > LADDER_LINES + FEW_LINES ? LADDER_LINES : ladder.size();
        ladder.stream().limit(shown).forEach(out::println);
        if (ladder.size() > shown) {
            out.println("    ... " + (ladder.size() - shown) + " more lines in " + directory.resolve("ladder.txt"));
        }
        out.println();
        outcome.counters().forEach((adapter, counters) -> out.println(adapter + ": " + words(counters)));
        outcome.messages()
                .statistics()
                .forEach((adapter, statistics) -> out.println(adapter + ", tagged messages: " + words(statistics)));
        out.println();
        run.refusals().forEach((reason, count) -> out.println("refused " + count + " x " + reason));
        run.failures().forEach((reason, count) -> out.println("failed  " + count + " x " + reason));
        outcome.broken().ifPresent(broken -> out.println("BROKEN  " + broken));
        outcome.checks()
                .forEach(check -> out.printf(
                        "%-7s %s%s%n",
                        check.holds() ? "holds" : "FAILS", check.expected(), check.holds() ? "" : ": " + check.got()));
        notFired(run).forEach(words -> out.println("unused  " + words + ": armed, but never injected"));
        ignored(run).forEach(words -> out.println("ignored " + words));
        reasons(run).forEach(out::println);
        out.println();
        out.printf(
                "%d packets, %s us of virtual time, seed %d%n",
                outcome.packets(), Wording.micros(outcome.nanos()), seed);
        out.println("pictures: " + directory + "/" + Pictures.NAMES);
    }

    private static List<String> notFired(ScenarioRun run) {
        return run.world().faults().unstruck().stream().map(Fault::words).toList();
    }

    // rule pages-variables
    /** Returns the environment variables that were ignored, with their adapters. */
    private static List<String> ignored(ScenarioRun run) {
        return run.world()
                .trace()
                .of(HcaEvent.VariableIgnored.class)
                .flatMap(event -> Wording.of(event).map(words -> event.port() + ": " + words).stream())
                .toList();
    }

    /** Explains unexpected failures. */
    private static List<String> reasons(ScenarioRun run) {
        if (run.outcome().holds()) {
            return List.of();
        }
        List<Explanation> failures = run.world().explainer().failures();
        List<Explanation> waiting = run.world().explainer().waiting();
        return Stream.concat(failures.stream(), waiting.stream())
                .limit(EXPLAINED)
                .flatMap(one -> one.lines().stream())
                .map(line -> "        " + line)
                .toList();
    }

    private static String words(Map<String, Long> counters) {
        StringBuilder text = new StringBuilder();
        counters.forEach((name, value) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(value));
        return text.isEmpty() ? "no counter changed" : text.toString();
    }

    private ObjectNode asJson(ScenarioRun run) {
        ScenarioOutcome outcome = run.outcome();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("title", run.scenario().title()).put("seed", seed);
        root.put("packets", outcome.packets())
                .put("virtualNanos", outcome.nanos())
                .put("holds", outcome.holds());
        ArrayNode checks = root.putArray("expectations");
        for (ScenarioOutcome.Check check : outcome.checks()) {
            checks.addObject()
                    .put("expected", check.expected())
                    .put("holds", check.holds())
                    .put("got", check.got());
        }
        outcome.broken().ifPresent(broken -> root.put("broken", broken));
        ObjectNode completions = root.putObject("completions");
        outcome.completions().forEach((status, count) -> completions.put(status.name(), count));
        ObjectNode sends = root.putObject("sends");
        outcome.messages().sends().forEach((end, count) -> sends.put(end.name(), count));
        ObjectNode arrivals = root.putObject("arrivals");
        outcome.messages().arrivals().forEach((end, count) -> arrivals.put(end.name(), count));
        ObjectNode connections = root.putObject("connections");
        outcome.connections().forEach((name, end) -> connections.put(name, end.toString()));
        ObjectNode refused = root.putObject("refused");
        run.refusals().forEach(refused::put);
        ObjectNode failed = root.putObject("failed");
        run.failures().forEach(failed::put);
        ArrayNode unstruck = root.putArray("faultsThatStruckNothing");
        notFired(run).forEach(unstruck::add);
        ArrayNode ignored = root.putArray("variablesIgnored");
        ignored(run).forEach(ignored::add);
        ObjectNode counters = root.putObject("counters");
        outcome.counters().forEach((adapter, moved) -> moved.forEach(counters.withObject("/" + adapter)::put));
        ObjectNode statistics = root.putObject("figures");
        outcome.messages()
                .statistics()
                .forEach((adapter, moved) -> moved.forEach(statistics.withObject("/" + adapter)::put));
        root.put("out", directory.toString());
        return root;
    }
}
