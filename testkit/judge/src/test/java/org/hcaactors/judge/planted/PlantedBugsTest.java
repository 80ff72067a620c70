// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that each deliberate bug is found by its own hunt, and that nothing is found without it. {@code -Dplanted.first=1000}
 * begins every hunt at that seed; {@code -Dplanted.only=A_BUG,ANOTHER} hunts only these.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PlantedBugsTest {
    private static final long FIRST = Long.getLong("planted.first", 0);

    /** Names of bugs; empty means all. */
    private static final Set<String> ONLY = Pattern.compile(",")
            .splitAsStream(System.getProperty("planted.only", ""))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet());

    /** Seeds that ran without a bug: many bugs are found by one seed of one hunt. */
    private final Map<CleanRun, Optional<Throwable>> cleanRuns = new ConcurrentHashMap<>();

    private record CleanRun(Hunt hunt, long seed) {
        Optional<Throwable> failure() {
            return hunt.failure(seed);
        }
    }

    static List<Planted> all() {
        return Arrays.stream(Planted.class.getPermittedSubclasses())
                .flatMap(kind -> Arrays.stream(kind.getEnumConstants()))
                .map(Planted.class::cast)
                .toList();
    }

    static List<Planted> requested() {
        List<Planted> requested = all().stream()
                .filter(bug -> ONLY.isEmpty() || ONLY.contains(bug.toString()))
                .toList();
        assertThat(requested).as("bugs among " + ONLY).hasSizeGreaterThanOrEqualTo(ONLY.size());
        return requested;
    }

    @ParameterizedTest
    @MethodSource("requested")
    void everyPlantedBugIsFoundByItsHunt(Planted bug) {
        PatchErrors.take();
        Hunt.Find found = found(bug);
        assertThat(PatchErrors.take()).as("what %s throws by itself", bug).isEmpty();
        assertThat(found.reason()).as("what finds %s", bug).message().doesNotContain("the checker itself failed");
        assertThat(cleanRuns.computeIfAbsent(new CleanRun(bug.hunt(), found.seed()), CleanRun::failure))
                .as("seed %d of %s, without a bug", found.seed(), bug.hunt())
                .isEmpty();
        System.out.println(bug + " found by " + found);
    }

    private static Hunt.Find found(Planted bug) {
        Patch.Planting planted = bug.plant();
        try (planted) {
            return bug.hunt()
                    .find(FIRST)
                    .orElseThrow(() -> new AssertionError(bug.hunt() + " finds nothing of " + bug));
        }
    }

    @Test
    void everyMutationPointIsOfABug() {
        assertThat(MutationPoints.names())
                .isEqualTo(Stream.concat(all().stream().map(Planted::patch), PlantedBreaksTest.PATCHES.stream())
                        .map(Patch::points)
                        .flatMap(List::stream)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void noTwoBugsAreTheSame() {
        assertThat(all().stream().map(bug -> bug.patch().toString())).doesNotHaveDuplicates();
    }
}
