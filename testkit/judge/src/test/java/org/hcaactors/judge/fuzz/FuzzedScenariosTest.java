// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.lab.hocon.RefusedException;
import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.junit.jupiter.api.Test;

/** Runs the guide's scenarios with other numbers, times and words: they run to an end, or are refused in one line. */
class FuzzedScenariosTest {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");

    /** Words, numbers, times and strings: the tokens that have a meaning. */
    private static final Pattern TOKEN = Pattern.compile("\"[^\"\n]*\"|[A-Za-z][A-Za-z0-9-]*|[0-9][0-9a-zA-Z.]*");

    private static final List<String> UNITS = List.of(
            "ns", "us", "ms", "s", "m", "h", "d", "B", "KiB", "MiB", "GiB", "Gbps", "bps", " days", "K", "%", "e9",
            "e308", ".5", "");

    private static final List<String> ODD = List.of(
            "ever",
            "true",
            "null",
            "\"\"",
            "{}",
            "[]",
            "[[]]",
            "0x7fffffffffffffff",
            "0xffffffffffffffff",
            "NaN",
            "-0.0",
            "1e400",
            "0.5",
            "\u0660",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\ud83d\ude00",
            "${adapters}",
            "${?objects.pair}",
            "\"\"\"x\"\"\"\"");

    private static final long MAX_STEPS = 30_000;
    private static final int EVERY_FEW = 8;

    private final List<String> texts = new ArrayList<>();
    private final List<String> words;

    FuzzedScenariosTest() throws IOException {
        Set<String> all = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file);
                texts.add(text);
                Matcher tokens = TOKEN.matcher(text);
                while (tokens.find()) {
                    if (Character.isLetter(tokens.group().charAt(0))) {
                        all.add(tokens.group());
                    }
                }
            }
        }
        words = List.copyOf(all);
    }

    @Test
    void everyFuzzedScenarioRunsToItsEndOrIsRefused() {
        Fuzzing.Tally tally = new Fuzzing.Tally("scenarios");
        int rounds = Fuzzing.rounds(400);
        for (int i = 0; i < rounds; i++) {
            SplittableRandom random = Fuzzing.random("scenario", i);
            String text = fuzzed(Fuzzing.one(texts, random), random);
            try {
                round(text, i, tally);
            } catch (RuntimeException | Error other) {
                tally.failed(i, other, () -> text);
            }
        }
        tally.check(rounds);
    }

    private static void round(String text, int round, Fuzzing.Tally tally) {
        try {
            Scenario scenario = Scenario.parse(text, "fuzzed.conf");
            tally.worked++;
            if (round % EVERY_FEW == 0) {
                run(scenario);
            }
        } catch (RefusedException told) {
            tally.refused++;
            assertThat(told.getMessage())
                    .startsWith("fuzzed.conf:")
                    .doesNotContain("\n")
                    .hasSizeLessThan(2_000);
        }
    }

    private static void run(Scenario scenario) {
        try (ScenarioRun run = ScenarioRun.within(scenario, 1, MAX_STEPS)) {
            assertThat(run.outcome().checks())
                    .allSatisfy(check -> assertThat(check.expected()).isNotEmpty());
            assertThat(run.ladder()).isNotNull();
        } catch (VerbsException told) {
            assertThat(told.getMessage()).isNotEmpty();
        }
    }

    private String fuzzed(String text, SplittableRandom random) {
        String changed = text;
        for (int i = 0; i <= random.nextInt(3); i++) {
            changed = random.nextInt(8) == 0 ? shuffled(changed, random) : replaced(changed, random);
        }
        return changed;
    }

    private String replaced(String text, SplittableRandom random) {
        List<int[]> places = new ArrayList<>();
        Matcher tokens = TOKEN.matcher(text);
        while (tokens.find()) {
            places.add(new int[] {tokens.start(), tokens.end()});
        }
        int[] place = Fuzzing.one(places, random);
        String before = text.substring(place[0], place[1]);
        return text.substring(0, place[0]) + other(before, random) + text.substring(place[1]);
    }

    private String other(String before, SplittableRandom random) {
        boolean number = Character.isDigit(before.charAt(0));
        return switch (random.nextInt(number ? 4 : 8)) {
            case 0 -> Fuzzing.one(ODD, random);
            case 1, 2 -> Fuzzing.one(Fuzzing.NUMBERS, random) + Fuzzing.one(UNITS, random);
            case 3 -> Fuzzing.one(Fuzzing.NUMBERS, random);
            case 4 -> before.toUpperCase(java.util.Locale.ROOT);
            case 5 -> before.substring(random.nextInt(before.length()));
            default -> Fuzzing.one(words, random);
        };
    }

    /** Removes or duplicates a line. */
    private static String shuffled(String text, SplittableRandom random) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int at = random.nextInt(lines.size());
        String line = random.nextBoolean() ? lines.remove(at) : lines.get(at);
        if (random.nextBoolean()) {
            lines.add(random.nextInt(lines.size() + 1), line);
        }
        return String.join("\n", lines) + "\n";
    }
}
