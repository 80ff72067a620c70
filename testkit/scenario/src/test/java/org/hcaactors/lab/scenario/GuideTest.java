// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The gallery of the user guide: every scenario holds, and its page says what happens. With {@code -Dguide.write=true} the pages
 * are written; without, they must be as they would be written.
 */
class GuideTest {
    private static final Path GUIDE = Path.of("../guide");
    private static final Path SCENARIOS = GUIDE.resolve("scenarios");

    static List<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.sorted().toList();
        }
    }

    private static String name(Path scenario) {
        return scenario.getFileName().toString().replace(".conf", "");
    }

    private static void isOnThePage(Path page, String expected) throws IOException {
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(page, expected);
        }
        assertThat(page).as("made anew by -Dguide.write=true").exists();
        if (page.toString().endsWith(".md")) {
            assertThat(page).hasContent(expected);
        } else {
            // Of a report the difference is too long to be read.
            assertThat(Files.readString(page).equals(expected))
                    .as("%s is as it would be made", page)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyScenarioHoldsAndItsPageSaysWhatHappens(Path scenario) throws IOException {
        String text = Files.readString(scenario);
        String file = "scenarios/" + scenario.getFileName();
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(text, file), 1)) {
            assertThat(run.outcome().broken()).isEmpty();
            assertThat(run.outcome().checks())
                    .isNotEmpty()
                    .allSatisfy(check -> assertThat(check.holds())
                            .as("%s: %s", check.expected(), check.got())
                            .isTrue());
            String report = "gallery.html#run=" + name(scenario);
            isOnThePage(GUIDE.resolve(name(scenario) + ".md"), GuidePage.of(file, text, report, run));
        }
    }

    @Test
    void theReportsOfAllScenariosAreOneFile() throws IOException {
        SequencedMap<String, Rlog> runs = new LinkedHashMap<>();
        for (Path scenario : scenarios()) {
            Scenario parsed = Scenario.parse(Files.readString(scenario), scenario.toString());
            try (ScenarioRun run = ScenarioRun.of(parsed, 1)) {
                Rlog.Header header = WorldPictures.header(parsed.title(), run.world());
                runs.put(name(scenario), new Rlog(header, run.world().trace().events(), 0, Optional.empty()));
            }
        }
        isOnThePage(GUIDE.resolve("gallery.html"), Report.gallery("A gallery of scenarios", runs));
    }

    /** What a page says must not hang on its seed. */
    @ParameterizedTest
    @MethodSource("scenarios")
    void everyScenarioHoldsWithOtherSeeds(Path scenario) throws IOException {
        Scenario parsed = Scenario.parse(Files.readString(scenario), scenario.toString());
        for (long seed = 2; seed <= 12; seed++) {
            try (ScenarioRun run = ScenarioRun.of(parsed, seed)) {
                assertThat(run.outcome().holds())
                        .as("seed %d: %s", seed, run.outcome().checks())
                        .isTrue();
            }
        }
    }

    @Test
    void theGalleryNamesThemAll() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# A gallery of scenarios");
        lines.add("");
        lines.add(
                "Each page shows one thing that an RDMA adapter does, with everything that happens drawn as a ladder. The");
        lines.add(
                "build makes the pages by running the scenarios; each can be run, changed and run again with `testkit/hca run`.");
        lines.add(
                "[How to write a scenario](writing-scenarios.md), [the recorded run](rlog.md) that every run leaves,");
        lines.add("[its report in a browser](report.md), [that run in other tools](exports.md), and");
        lines.add("[the settings of an adapter's firmware](firmware.md). For those who keep a service running:");
        lines.add("[meters and flight recordings](operations.md). For those who test a program of theirs:");
        lines.add(
                "[programs with bugs, and what finds them](programs.md), [what is checked](invariants.md), [whose buffer it is](buffers.md), [how to write tests](writing-tests.md).");
        lines.add("");
        for (Path scenario : scenarios()) {
            String title = Scenario.parse(Files.readString(scenario), "").title();
            lines.add("- [" + title + "](" + name(scenario) + ".md)");
        }
        isOnThePage(GUIDE.resolve("README.md"), String.join("\n", lines) + "\n");
        assertThat(scenarios()).hasSizeGreaterThanOrEqualTo(15);
    }
}
