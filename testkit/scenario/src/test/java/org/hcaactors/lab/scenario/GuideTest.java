// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.hcaactors.lab.picture.WorldPictures;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scenarios of the guide: every one holds, and shows what it showed when that was written down with {@code
 * -Dguide.write=true}. What it shows is made into pages, and all runs into one report: {@code target/site/guide}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuideTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final Path SITE = ROOT.resolve("target/site/guide");
    private static final Path WRITTEN_DOWN = Path.of("src/test/resources/what-happened");
    private static final String REPORT = "gallery.html";

    private final SequencedMap<String, Rlog> runs = new LinkedHashMap<>();

    static List<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(GUIDE.resolve("scenarios"))) {
            return files.sorted().toList();
        }
    }

    private static String name(Path scenario) {
        return scenario.getFileName().toString().replace(".conf", "");
    }

    private static String title(Path scenario) throws IOException {
        return Scenario.parse(Files.readString(scenario), scenario.toString()).title();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyScenarioHoldsAndItsGuidePageIsCurrent(Path scenario) throws IOException {
        String text = Files.readString(scenario);
        String name = name(scenario);
        String file = ROOT.relativize(scenario).toString();
        try (ScenarioRun run = ScenarioRun.of(Scenario.parse(text, file), 1)) {
            Rlog.Header header = WorldPictures.header(run.scenario().title(), run.world());
            runs.put(name, new Rlog(header, run.world().trace().events(), 0, Optional.empty()));
            write(SITE.resolve(name + ".md"), GuidePage.of(file, text, REPORT + "#run=" + name, run));
            assertThat(run.outcome().broken()).isEmpty();
            assertThat(run.outcome().checks())
                    .isNotEmpty()
                    .allSatisfy(check -> assertThat(check.holds())
                            .as("%s: %s", check.expected(), check.got())
                            .isTrue());
            showsWhatWasWrittenDown(name, WhatHappened.of(run));
        }
    }

    private static void showsWhatWasWrittenDown(String name, WhatHappened now) throws IOException {
        Path file = WRITTEN_DOWN.resolve(name + ".txt");
        if (Boolean.getBoolean("guide.write")) {
            write(file, now.text());
        }
        WhatHappened before = WhatHappened.parse(Files.readString(file));
        assertThat(now.text()).isEqualTo(before.text()); // sorted within an instant, both of them
    }

    @AfterAll
    void makeTheReportOfAllAndTheirList() throws IOException {
        write(SITE.resolve(REPORT), Report.gallery("A gallery of scenarios", runs));
        StringBuilder index = new StringBuilder("# A gallery of scenarios\n\n");
        for (Path scenario : scenarios()) {
            index.append("- [")
                    .append(title(scenario))
                    .append("](")
                    .append(name(scenario))
                    .append(".md)\n");
        }
        write(SITE.resolve("README.md"), index.toString());
    }

    /** What a page says must not hang on its seed. */
    @Tag("nightly")
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
    void theGuideNamesEveryScenario() throws IOException {
        assertThat(scenarios()).hasSizeGreaterThanOrEqualTo(15);
        String guide = Files.readString(GUIDE.resolve("README.md"));
        for (Path scenario : scenarios()) {
            assertThat(guide).contains("- [" + title(scenario) + "](scenarios/" + scenario.getFileName() + ")\n");
        }
    }
}
