// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Test;

/**
 * Every pair of features meets in a checked world, and with {@code -Dcover.strength=3} every triple; {@code -Dcover.row=} and what a failure
 * prints runs one again.
 */
class CoverTest {
    private static final int MOST_TOLD = 4000;
    private static final String STRENGTH = "cover.strength";
    private static final String ROW = "cover.row";

    private record Failure(Combination row, Throwable why) {
        @Override
        public String toString() {
            return "-D%s=%s%n  %s%n  %s".formatted(ROW, row.replay(), row, why);
        }
    }

    private static void runs(Combination row, List<Failure> failures) {
        try {
            CombinedRun.run(row, 1);
        } catch (RuntimeException | AssertionError why) {
            failures.add(new Failure(row, why));
        }
    }

    @Test
    void whateverMeetsInACheckedWorldEndsAsTheRulesSay() {
        String again = System.getProperty(ROW, "");
        if (!again.isEmpty()) {
            CombinedRun.run(Combination.read(Features.ALL, again), 1);
            return;
        }
        CoveringArray array = CoveringArray.of(new Space(Features.ALL, Exclusions.all()), Integer.getInteger(STRENGTH, 2));
        System.out.println(array.summary());
        long began = System.nanoTime();
        List<Failure> failures = new ArrayList<>();
        for (Combination row : array.rows()) {
            runs(row, failures);
            // Under faults less can be said of what must come: each of them in calm weather, too.
            if (row.get(Features.SWARM) != Swarm.OFF) {
                runs(row.with(Features.SWARM, Swarm.OFF), failures);
            }
        }
        System.out.printf("  in %d ms%n", (System.nanoTime() - began) / 1_000_000);
        assertThat(failures.size())
                .as(() -> "%d of %d combinations failed:%n%s"
                        .formatted(
                                failures.size(),
                                array.rows().size(),
                                String.join(
                                        System.lineSeparator(),
                                        failures.stream()
                                                .limit(MOST_TOLD)
                                                .map(Failure::toString)
                                                .toList())))
                .isZero();
    }
}
