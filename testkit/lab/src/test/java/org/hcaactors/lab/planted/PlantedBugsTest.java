package org.hcaactors.lab.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hcaactors.lab.sweep.Sweep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bench finds deliberate bugs, each by its own hunt. {@code -Dplanted.all=true} skips no seeds: every hunt of seeds begins
 * at 0 and may go up to a thousand.
 */
class PlantedBugsTest {
    private static final boolean ALL = Boolean.getBoolean("planted.all");

    static Stream<Planted> bugs() {
        return Stream.<List<? extends Planted>>of(
                        Arrays.asList(FirstBug.values()),
                        Arrays.asList(ProtocolBug.values()),
                        Arrays.asList(LifeBug.values()))
                .flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void itsHuntFindsIt(Planted bug) throws Exception {
        Hunt hunt = ALL ? bug.hunt().whole() : bug.hunt();
        AutoCloseable planted = bug.plant();
        try (planted) {
            String found = hunt.find().orElse("");
            assertThat(found).as("%s, hunted by %s", bug, hunt).isNotEmpty();
            System.out.println(bug + " found by " + found);
        }
    }

    @Test
    void withoutABugTheSameSweepFindsNothing() {
        assertThat(Sweep.of(20).run().failures()).isEmpty();
    }
}
