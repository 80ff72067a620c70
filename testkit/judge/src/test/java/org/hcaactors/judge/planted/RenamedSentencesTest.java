// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.judge.sweep.MixedTraffic;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.hcaactors.lab.world.World;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks that renaming every sentence changes no explanation, no ladder and no verdict except in these sentences, whether of an
 * adapter, of the fabric or of an explanation. It detects code that compares or parses sentences.
 */
@Tag("nightly")
class RenamedSentencesTest {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");

    private static final long FIRST_SEED = 2;
    private static final long LAST_SEED = 6;

    /** RNR NAKs are lost, too: which of both causes made the requester give up determines what is reported first. */
    private static final String LAST_STRAW = """
            title = "The last straw"
            adapters { a {}, b {} }
            objects { pair { type = rc, between = [a, b], timeout = 8, rnr-retry = 2, rnr-timer = 1, receives = 0 } }
            traffic = [ { on = pair, send = 100 } ]
            faults = [ { drop { says = RNR, nth = 1 } } ]
            """;

    /** A request waits without limit, so a scenario that expects none to wait has something to check. */
    private static final String WAITS = """
            title = "It waits without end"
            adapters { a {}, b {} }
            objects { pair { type = rc, between = [a, b], timeout = 0 } }
            traffic = [ { on = pair, send = 100 } ]
            faults = [ { drop { opcode = RC_SEND_ONLY, nth = 1 } } ]
            expect = [ no-stall ]
            """;

    /** A type with texts for people, other than reasons. */
    private record Words(Class<?> type, Set<String> methods) {}

    private static final List<Words> WORDS = List.of(
            new Words(FabricEvent.Dropped.class, Set.of("reason")),
            new Words(FabricEvent.Corrupted.class, Set.of("what")),
            new Words(FabricEvent.Disturbed.class, Set.of("what")),
            new Words(FabricEvent.Forged.class, Set.of("what")),
            new Words(Explanation.class, Set.of("what", "root")));

    /** Puts every sentence in brackets, which show its beginning and end. */
    static final class Bracketed {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) String words) {
            // A sentence may contain another one.
            words = "«" + words.replace("«", "").replace("»", "") + "»";
        }
    }

    /** Replaces every sentence by a number, the same for the same reason. */
    static final class Numbered {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Reason reason, @Advice.Return(readOnly = false) String words) {
            words = "«" + Integer.toHexString(reason.toString().hashCode()) + "»";
        }
    }

    /** Replaces the other sentences by numbers, too, the same for the same text. */
    static final class NumberedWords {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) String words) {
            words = "«" + Integer.toHexString(words.hashCode()) + "»";
        }
    }

    private static <T> T under(Class<?> sentences, Class<?> others, Callable<T> told) throws Exception {
        List<Patch> patches = new ArrayList<>();
        patches.add(Patch.of(ReasonTexts.class, Set.of("of"), sentences));
        WORDS.forEach(each -> patches.add(Patch.of(each.type(), each.methods(), others)));
        Deque<Patch.Planting> renamed = new ArrayDeque<>();
        try {
            for (Patch patch : patches) {
                renamed.push(patch.apply());
            }
            return told.call();
        } finally {
            for (Patch.Planting each : renamed) {
                each.close();
            }
        }
    }

    /** Results by name: with the original sentences and with renamed ones. Each renaming is made once. */
    private record Told(Map<String, String> inWords, Map<String, String> bracketed, Map<String, String> numbered) {
        static Told of(Map<String, Callable<String>> cases) throws Exception {
            return new Told(
                    all(cases),
                    under(Bracketed.class, Bracketed.class, () -> all(cases)),
                    under(Numbered.class, NumberedWords.class, () -> all(cases)));
        }

        private static Map<String, String> all(Map<String, Callable<String>> cases) throws Exception {
            Map<String, String> told = new LinkedHashMap<>();
            for (Map.Entry<String, Callable<String>> each : cases.entrySet()) {
                told.put(each.getKey(), each.getValue().call());
            }
            return told;
        }

        Stream<DynamicTest> each() {
            return inWords.keySet().stream().map(name -> DynamicTest.dynamicTest(name, () -> isTheSame(name)));
        }

        private void isTheSame(String name) {
            String inBrackets = bracketed.getOrDefault(name, "");
            assertThat(withoutBrackets(inBrackets)).isEqualTo(inWords.get(name));
            assertThat(frame(numbered.getOrDefault(name, ""))).isEqualTo(frame(inBrackets));
        }

        private static String withoutBrackets(String told) {
            return told.replaceAll("[«»]", "");
        }

        /** Returns the text without its sentences. */
        private static String frame(String told) {
            return told.replaceAll("«[^»]*»", "«»");
        }
    }

    @TestFactory
    Stream<DynamicTest> aScenarioIsDescribedAlike() throws Exception {
        Map<String, Callable<String>> cases = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            for (Path file : files.sorted().toList()) {
                Scenario scenario = Scenario.parse(Files.readString(file), file.toString());
                cases.put(file.getFileName().toString(), () -> told(scenario));
            }
        }
        cases.put("the last straw", () -> told(Scenario.parse(LAST_STRAW, "the last straw")));
        cases.put("it waits without end", () -> told(Scenario.parse(WAITS, "it waits without end")));
        return Told.of(cases).each();
    }

    @Test
    void aWaitingRequestFailsEveryExpectation() {
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(WAITS, "it waits without end"), 1)) {
            assertThat(run.outcome().checks()).noneMatch(check -> check.holds());
        }
    }

    private static String told(Scenario scenario) {
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            List<String> lines = told(run.world().trace().events());
            lines.add(run.outcome().broken().orElse("nothing is broken"));
            // A scenario that expects an explanation compares its words, also for unfetched completions.
            run.outcome().checks().stream()
                    .filter(check -> !check.expected().startsWith("explained")
                            && !check.expected().startsWith("unfetched"))
                    .forEach(check -> lines.add(check.toString()));
            return String.join("\n", lines);
        }
    }

    @TestFactory
    Stream<DynamicTest> aSeedIsDescribedAlike() throws Exception {
        Map<String, Callable<String>> cases = new LinkedHashMap<>();
        for (long seed = FIRST_SEED; seed <= LAST_SEED; seed++) {
            long own = seed;
            cases.put("seed " + seed, () -> told(own));
        }
        Told told = Told.of(cases);
        assertThat(told.bracketed.values())
                .as("there were sentences to be renamed")
                .allMatch(each -> each.contains("«"));
        return told.each();
    }

    private static String told(long seed) {
        Swarm swarm = seed % 2 == 0 ? Swarm.HOSTILE : Swarm.DISASTER;
        World world = World.of(seed);
        try {
            world.faults().arm(Sweep.of(1).with(swarm).plan(seed));
            MixedTraffic.run(world);
        } finally {
            world.close();
        }
        return String.join("\n", told(world.trace().events()));
    }

    private static List<String> told(List<TraceEvent> events) {
        List<String> lines = new ArrayList<>(Ladder.detailed(events));
        Explainer explainer = Explainer.of(events);
        for (TraceEvent event : events) {
            explainer.explain(event.stamp().id()).map(Explanation::lines).ifPresent(lines::addAll);
        }
        explainer.failures().forEach(failure -> lines.addAll(failure.lines()));
        explainer.waiting().forEach(waiting -> lines.addAll(waiting.lines()));
        return lines;
    }

    /** Repeats the hunts of bugs whose finder refers to reasons. */
    @TestFactory
    Stream<DynamicTest> aPlantedBugIsFoundAlike() throws Exception {
        Map<String, Callable<String>> cases = new LinkedHashMap<>();
        for (ProtocolBug bug : ProtocolBug.values()) {
            if (NamesReasons.finderOf(found(bug))) {
                cases.put(bug.name(), () -> found(bug).toString());
            }
        }
        assertThat(cases).hasSizeGreaterThan(3);
        return Told.of(cases).each();
    }

    private static Hunt.Find found(ProtocolBug bug) throws Exception {
        Patch.Planting planted = bug.plant();
        try (planted) {
            return bug.hunt().find(0).orElseThrow();
        }
    }
}
