// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks the layout of source files. An exception is listed next to its rule with its reason, and is removed when it is no
 * longer needed.
 */
class TidyTest {
    private static final Path ROOT = Path.of("../..");
    private static final String LICENCE = "// SPDX-License-Identifier: Apache-2.0\n";
    /** Beyond it, look for a second concept in the file; files are not split at a fixed length. */
    private static final int LONGEST_FILE = 600;

    private static final int LONGEST_METHOD = 60;

    private static final String JUDGE = "testkit/judge/src/main/";

    /** Those that need a tag; CONTRIBUTING says what is in each. */
    private static final Set<String> STAGES = Set.of("judge", "nightly");

    private static final Map<String, String> LONG_FILES = Map.of(
            "RcResponderTest", "the facts of one machine, by verb and by what arrives wrong",
            "RcRequesterTest", "the facts of one machine, by verb and by what is answered");

    private static final Map<String, String> LONG_METHODS = Map.of(
            "Entry.read",
            "a list: one line for each kind of fault",
            "PlanWriter.write",
            "a list: a line or two for each kind of fault",
            "Wording.of",
            "a list: one line for each kind of event",
            "ReceiveQueueTest.receivesCompleteFailAndAreFlushedInTheOrderOfPosting",
            "a random run beside its model: what is done and what must come of it stand side by side");

    private record Excused(int waits, String reason) {}

    /** By source; so many waits, and no more. */
    private static final Map<String, Excused> WAITS_WITHOUT_A_BOUND = Map.ofEntries(
            entry("ConnectionGroup", new Excused(1, "the join of its ground has a bound")),
            entry("WorkerEnvironment", new Excused(1, "its own join has a bound")),
            entry("CompletionConsumer", new Excused(1, "the join of its ground has a bound")),
            entry(
                    "MixedTraffic",
                    new Excused(1, "its promises are awaited in a world, which stops when nothing goes on")),
            entry("Race", new Excused(1, "both threads begin at once, in daemons that its ground joins with a bound")),
            entry("WalkRound", new Excused(1, "it spins so many times, and for nothing else")),
            entry("DirectPathOnThreadsTest", new Excused(3, "one looks at the time; two go on until the test is over")),
            entry("NetworkClosingTest", new Excused(2, "its awaiter looks at the time itself, and joins what is done")),
            entry("PagingOnThreadsTest", new Excused(1, "who evicts does so until the test says stop, in a daemon")),
            entry("RealThreadsTest", new Excused(1, "its loop looks at the time")),
            entry("SoakTest", new Excused(1, "a round that does not end is what it is about")),
            entry("StruckFaultsTest", new Excused(1, "its loop looks at the time")),
            entry("BlockedThreadDetectorTest", new Excused(1, "a latch that nobody counts down is what it is about")),
            entry("WorkRingTest", new Excused(1, "its loop looks at the time")),
            entry("CableLimitsTest", new Excused(1, "each round trip has a bound, and ends the flood")));

    private static List<SourceFile> sources;

    @BeforeAll
    static void read() throws IOException {
        sources = SourceFile.below(ROOT);
    }

    @Test
    void everySourceBeginsWithItsLicence() {
        assertThat(sources).hasSizeGreaterThan(800);
        assertThat(sources)
                .as("sources without the line %s", LICENCE.strip())
                .filteredOn(source -> !source.text().startsWith(LICENCE))
                .extracting(SourceFile::path)
                .isEmpty();
    }

    /** A tag that no stage knows excludes no test, or is misspelt. */
    @Test
    void everyTagIsAStageOrNamesATestOfOthers() {
        Pattern tag = Pattern.compile("@Tag\\(\"([^\"]*)\"\\)");
        assertThat(sources)
                .flatExtracting(source -> tag.matcher(source.text())
                        .results()
                        .map(one -> one.group(1))
                        .toList())
                .allMatch(name -> STAGES.contains(name) || name.matches("rdma-(core|unit-test):.*"));
    }

    @Test
    void noFileIsLong() {
        Map<String, Integer> tooLong = new TreeMap<>();
        for (SourceFile source : sources) {
            if (source.lines() > LONGEST_FILE) {
                tooLong.put(source.simpleName(), source.lines());
            }
        }
        assertExceptions(tooLong, LONG_FILES);
    }

    @Test
    void noMethodIsLong() throws IOException {
        Map<String, Integer> tooLong = new TreeMap<>();
        for (MethodSize size :
                MethodSize.in(sources.stream().filter(SourceFile::isJava).toList())) {
            if (size.lines() > LONGEST_METHOD) {
                tooLong.put(size.method(), size.lines());
            }
        }
        assertExceptions(tooLong, LONG_METHODS);
    }

    /** The judge runs for its tests, whose waits are its own. */
    @Test
    void noTestWaitsWithoutABound() {
        Map<String, Integer> excused = new TreeMap<>();
        WAITS_WITHOUT_A_BOUND.forEach((name, each) -> excused.put(name, each.waits()));
        Map<String, Integer> found = new TreeMap<>();
        for (SourceFile source : sources) {
            if (!source.isMain() || source.path().startsWith(JUDGE)) {
                found.merge(source.simpleName(), UnboundedWaits.in(source).size(), Integer::sum);
            }
        }
        found.values().removeIf(waits -> waits == 0);
        assertThat(found)
                .as("waits without a bound, by source; an exception has its number")
                .isEqualTo(excused);
    }

    @Test
    void aNameMeansOneThingInAModule() {
        Map<String, Long> shared = new TreeMap<>(sources.stream()
                .filter(source -> source.isMain()
                        && source.isJava()
                        && !source.simpleName().endsWith("-info"))
                .collect(groupingBy(source -> source.module() + ": " + source.simpleName(), counting())));
        shared.values().removeIf(types -> types == 1);
        assertThat(shared).isEmpty();
    }

    /** Also as part of a longer name; packages have a rule in the architecture tests. */
    @Test
    void noTypeIsNamedAfterNothing() {
        Pattern empty = Pattern.compile("(?:Utils?|Impl|Helper|Manager)(?![a-z])");
        assertThat(sources)
                .extracting(SourceFile::simpleName)
                .filteredOn(name -> empty.matcher(name).find())
                .isEmpty();
    }

    private static void assertExceptions(Map<String, ? extends Number> found, Map<String, String> reasons) {
        List<String> wrong = new ArrayList<>();
        Set<String> unneeded = reasons.keySet().stream()
                .filter(name -> !found.containsKey(name))
                .collect(toSet());
        unneeded.forEach(name -> wrong.add(name + " needs no exception any more: " + reasons.get(name)));
        found.forEach((name, count) -> {
            if (!reasons.containsKey(name)) {
                wrong.add(name + ": " + count);
            }
        });
        assertThat(wrong).isEmpty();
    }
}
