// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The judge finds deliberate bugs, each by its own hunt, and no others. {@code -Dplanted.first=1000} begins every hunt at that seed;
 * {@code -Dplanted.only=A_BUG,ANOTHER} hunts these alone.
 */
class PlantedBugsTest {
    /** Names of bugs; all of them where it is empty. */
    private static final Set<String> ONLY = Pattern.compile(",")
            .splitAsStream(System.getProperty("planted.only", ""))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet());

    static Stream<Planted> bugs() {
        return Stream.<List<? extends Planted>>of(
                        Arrays.asList(FirstBug.values()),
                        Arrays.asList(ProtocolBug.values()),
                        Arrays.asList(LifeBug.values()),
                        Arrays.asList(RegionBug.values()),
                        Arrays.asList(PageBug.values()),
                        Arrays.asList(PagingBug.values()),
                        Arrays.asList(InlineBug.values()),
                        Arrays.asList(NotifyBug.values()),
                        Arrays.asList(AtomicBug.values()),
                        Arrays.asList(FirmwareBug.values()),
                        Arrays.asList(OddRegionBug.values()),
                        Arrays.asList(IndirectBug.values()),
                        Arrays.asList(WindowBug.values()),
                        Arrays.asList(XrcBug.values()),
                        Arrays.asList(DcBug.values()),
                        Arrays.asList(TagBug.values()))
                .<Planted>flatMap(List::stream)
                .filter(bug -> ONLY.isEmpty() || ONLY.contains(bug.toString()));
    }

    static Stream<Hunt> hunts() {
        return bugs().map(Planted::hunt).map(Hunt::few).distinct();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void itsHuntFindsIt(Planted bug) throws Exception {
        Slips.take();
        AutoCloseable planted = bug.plant();
        try (planted) {
            Optional<Hunt.Find> found = bug.hunt().find();
            assertThat(found).as("%s, hunted by %s", bug, bug.hunt()).isPresent();
            assertThat(Slips.take()).as("what %s throws by itself", bug).isEmpty();
            assertThat(found.orElseThrow().why())
                    .as("what finds %s", bug)
                    .message()
                    .doesNotContain("the checker itself failed");
            System.out.println(bug + " found by " + found.orElseThrow());
        }
    }

    @ParameterizedTest
    @MethodSource("hunts")
    void withoutABugAHuntFindsNothing(Hunt hunt) {
        assertThat(hunt.find()).isEmpty();
    }

    @Test
    void everyMutationPointIsOfABug() {
        assertThat(MutationPoints.names())
                .isEqualTo(Stream.concat(bugs().map(Planted::patch), PlantedBreaksTest.PATCHES.stream())
                        .map(Patch::points)
                        .flatMap(List::stream)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
