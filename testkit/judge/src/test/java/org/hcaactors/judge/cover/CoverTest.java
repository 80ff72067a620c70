// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hcaactors.judge.cover.Features.Inline;
import org.hcaactors.lab.fault.Swarm;
import org.junit.jupiter.api.Test;

/**
 * Every pair of features occurs together in a checked world, and with {@code -Dcover.strength=3} every triple. {@code
 * -Dcover.part=2/8} runs the second eighth of them, and {@code -Dcover.row=} with the value that a failure prints repeats one.
 */
class CoverTest {
    private static final int MAX_TOLD = 40;
    private static final String STRENGTH = "cover.strength";
    private static final String PART = "cover.part";
    private static final String ROW = "cover.row";
    private static final long SEED = 1;

    private record Failure(Combination row, Throwable reason) {
        @Override
        public String toString() {
            return "-D%s=%s%n  %s%n  %s".formatted(ROW, row.replay(), row, reason);
        }
    }

    private final List<Failure> failures = new ArrayList<>();

    private void runs(Combination row) {
        try {
            CombinedRun.run(row, SEED);
        } catch (RuntimeException | AssertionError reason) {
            failures.add(new Failure(row, reason));
        }
    }

    /**
     * Runs the combination also without faults, since faults allow more results. A combination with inline requests also runs
     * without them, since the refusal of data that is too long would hide the other features.
     */
    private void runsInAll(Combination row) {
        runs(row);
        Combination calm = row.with(Features.SWARM, Swarm.OFF);
        if (row.get(Features.SWARM) != Swarm.OFF) {
            runs(calm);
        }
        Inline inline = row.get(Features.INLINE);
        if (inline.request()) {
            runs(calm.with(Features.INLINE, inline.completion() ? Inline.COMPLETION : Inline.NOTHING));
        }
    }

    private static List<Combination> part(List<Combination> rows) {
        String[] part = System.getProperty(PART, "1/1").split("/");
        int which = Integer.parseInt(part[0]) - 1;
        int parts = Integer.parseInt(part[1]);
        return IntStream.range(0, rows.size())
                .filter(row -> row % parts == which)
                .mapToObj(rows::get)
                .toList();
    }

    @Test
    void everyCombinationEndsAsTheRulesRequire() {
        String again = System.getProperty(ROW, "");
        if (!again.isEmpty()) {
            CombinedRun.run(Combination.read(Features.ALL, again), SEED);
            return;
        }
        CoveringArray array =
                CoveringArray.of(new Space(Features.ALL, Exclusions.all()), Integer.getInteger(STRENGTH, 2));
        System.out.println(array.summary());
        List<Combination> rows = part(array.rows());
        rows.forEach(this::runsInAll);
        assertThat(failures.size())
                .as(() -> "%d failures of %d combinations:%n%s"
                        .formatted(
                                failures.size(),
                                rows.size(),
                                failures.stream()
                                        .limit(MAX_TOLD)
                                        .map(Failure::toString)
                                        .collect(Collectors.joining(System.lineSeparator()))))
                .isZero();
    }
}
