// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bench finds deliberate bugs, each by its own hunt, and no others. {@code -Dplanted.all=true} skips no seeds: every hunt of seeds begins
 * at 0 and may go up to a thousand. {@code -Dplanted.write=true} notes the seeds that showed them, where every build begins then; {@code
 * -Dplanted.only=A_BUG,ANOTHER} does so for these alone, such as those whose seed has a strand that is new.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugsTest {
    private static final boolean ALL = Boolean.getBoolean("planted.all");
    private static final boolean WRITE = Boolean.getBoolean("planted.write");
    /** Names of bugs; all of them where it is empty. */
    private static final Set<String> ONLY = Pattern.compile(",")
            .splitAsStream(System.getProperty("planted.only", ""))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet());

    private final FirstSeeds seeds = FirstSeeds.read();

    @AfterAll
    void write() {
        if (WRITE) {
            seeds.write();
        }
    }

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
        return bugs().map(Planted::hunt)
                .map(hunt -> ALL ? hunt.whole() : hunt.few())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void itsHuntFindsIt(Planted bug) throws Exception {
        Hunt hunt = ALL ? bug.hunt().whole() : seeds.hunt(bug);
        Slips.take();
        AutoCloseable planted = bug.plant();
        try (planted) {
            Optional<Hunt.Find> found = hunt.find();
            assertThat(found).as("%s, hunted by %s", bug, hunt).isPresent();
            assertThat(Slips.take()).as("what %s throws by itself", bug).isEmpty();
            assertThat(found.orElseThrow().why())
                    .as("what finds %s", bug)
                    .message()
                    .doesNotContain("the checker itself failed");
            if (!ALL && bug instanceof ProtocolBug) {
                assertThat(RenamedSentencesTest.FOUND_BY_REASONS.contains(bug))
                        .as("%s is among those that are found by reasons, and hunted under other sentences", bug)
                        .isEqualTo(NamesReasons.finderOf(found.orElseThrow()));
            }
            seeds.found(bug, found.orElseThrow().seed());
            System.out.println(bug + " found by " + found.orElseThrow());
        }
    }

    @ParameterizedTest
    @MethodSource("hunts")
    void withoutABugAHuntFindsNothing(Hunt hunt) throws Exception {
        assertThat(hunt.find()).isEmpty();
    }
}
