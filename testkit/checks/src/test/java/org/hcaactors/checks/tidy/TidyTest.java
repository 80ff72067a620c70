// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.tidy;

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

    /** Stages that need a tag; CONTRIBUTING describes each. */
    private static final Set<String> STAGES = Set.of("judge", "nightly");

    private static final Map<String, String> LONG_FILES = Map.of(
            "RcResponderTest", "the facts of one machine, by verb and by what arrives wrong",
            "RcRequesterTest", "the facts of one machine, by verb and by what is answered",
            "RdmaCoreTest", "a list: each test is one of rdma-core's, in its order");

    private static final Map<String, String> LONG_METHODS = Map.of(
            "Entry.read",
            "a list: one line for each kind of fault",
            "PlanWriter.write",
            "a list: a line or two for each kind of fault",
            "Wording.of",
            "a list: one line for each kind of event",
            "ReceiveQueueTest.receivesCompleteFailAndAreFlushedInTheOrderOfPosting",
            "a random run beside its model: what is done and what must come of it stand side by side");

    private static final Map<String, String> NAMES_IN_SEVERAL_ROOMS = Map.of();

    /** A line that waits without a bound. JUnit eventually interrupts a test, but a loop and a join() ignore that. */
    private static final Pattern WAIT_WITHOUT_A_BOUND = Pattern.compile(
            "^\\s*(?:\\w+\\.(?:await|join|acquire|waitFor)\\(\\)|Thread\\.(?:onSpinWait|yield)\\(\\)"
                    + "|\\w+\\.forEach\\(\\w+::join\\));$",
            Pattern.MULTILINE);

    private static final Map<String, String> WAITS_WITHOUT_A_BOUND = Map.of(
            "DirectWayOnThreadsTest", "who answers and who changes go on until the test is over, passed or failed",
            "NetworkClosingTest", "its awaiter looks at the time itself",
            "PagingOnThreadsTest", "who evicts does so until the test says stop, in a daemon");

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

    @Test
    void noTestWaitsWithoutABound() {
        Map<String, Long> waits = new TreeMap<>();
        for (SourceFile source : sources) {
            long lines = WAIT_WITHOUT_A_BOUND.matcher(source.text()).results().count();
            if (!source.isMain() && lines > 0) {
                waits.put(source.simpleName(), lines);
            }
        }
        assertExceptions(waits, WAITS_WITHOUT_A_BOUND);
    }

    @Test
    void aNameMeansOneThing() {
        Map<String, Long> shared = new TreeMap<>(sources.stream()
                .filter(source -> source.isMain()
                        && source.isJava()
                        && !source.simpleName().endsWith("-info"))
                .collect(groupingBy(SourceFile::simpleName, counting())));
        shared.values().removeIf(rooms -> rooms == 1);
        assertExceptions(shared, NAMES_IN_SEVERAL_ROOMS);
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
