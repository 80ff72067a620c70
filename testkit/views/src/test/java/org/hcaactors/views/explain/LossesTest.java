// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossesTest {
    private final LossyRun run = new LossyRun();

    @Test
    void lossesAreCountedByReasonAndRepetitionsByRequest() {
        for (int round = 0; round < 3; round++) {
            long posting = run.posts(7);
            run.loses(posting, round, "dropped by a fault");
            run.repeats(posting, round);
        }
        run.loses(run.posts(8), 3, "no route");

        assertThat(Explainer.of(run.events()).losses())
                .containsExactly(
                        "3 packets were lost on the way from a: dropped by a fault",
                        "1 packet was lost on the way from a: no route",
                        "3 requests were sent again: 7 of a/17 (3 times); --request 7 --qp a/17 explains the first");
    }

    @Test
    void manyReasonsAreOneLine() {
        long posting = run.posts(7);
        for (int psn = 0; psn < 50; psn++) {
            run.loses(posting, psn, "reason " + psn);
        }

        assertThat(Explainer.of(run.events()).losses())
                .hasSize(7)
                .last()
                .isEqualTo("44 more packets were lost on the way");
    }

    @Test
    void aRunWithoutLossesSaysNothing() {
        run.repeats(0, 1);

        assertThat(Explainer.of(run.events()).losses()).isEmpty();
    }
}
