// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fast path has the same effects as the general path: each effect, observation, cause, counter and byte. */
@Tag("judge")
class RunsTest {
    private static final int SEEDS = 150;
    private static final int SHOWN = 12;

    @ParameterizedTest
    @EnumSource(BatchPlay.Kind.class)
    void aTrainWithFaultsHasTheSameEffectsAsSinglePackets(BatchPlay.Kind kind) {
        long completed = 0;
        long refused = 0;
        long sessions = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            List<String> with = new BatchPlay(kind, seed, true).play();
            assertSame(kind + ", seed " + seed, with, new BatchPlay(kind, seed, false).play());
            completed += count(with, "status=SUCCESS");
            refused += count(with, " ignores ") + count(with, " fails ") + count(with, " goes back ");
            sessions += count(with, "SESSION_ENDED") + count(with, "SESSION_REPLACED");
        }
        assertThat(completed).as("there is something to compare").isGreaterThan(10L * SEEDS);
        assertThat(sessions > SEEDS / 2).as("sessions end inside of trains").isEqualTo(kind == BatchPlay.Kind.DC);
        assertThat(refused).as("faults are met").isGreaterThan(5L * SEEDS);
    }

    private static void assertSame(String what, List<String> with, List<String> without) {
        int at = 0;
        while (at < with.size() && at < without.size() && with.get(at).equals(without.get(at))) {
            at++;
        }
        assertThat(part(with, at)).as(what + ", line " + at).isEqualTo(part(without, at));
    }

    private static List<String> part(List<String> book, int around) {
        return book.subList(Math.max(0, Math.min(book.size(), around) - SHOWN), Math.min(book.size(), around + 3));
    }

    private static long count(List<String> book, String word) {
        return book.stream().filter(line -> line.contains(word)).count();
    }
}
