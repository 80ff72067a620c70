// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedLedgerTest {
    private static final NodeResult FAILED = new NodeResult.Failed("a", "no");

    private static SeedLedger ledger(int seeds) {
        return new SeedLedger(LongStream.range(0, seeds).boxed().toList());
    }

    @Test
    void piecesShrinkSoThatNodesEndTogether() {
        SeedLedger ledger = ledger(1000);
        assertThat(ledger.handOut("a", 2)).hasSize(SeedLedger.MAX_PIECE).startsWith(0L, 1L);
        while (ledger.hasNext()) {
            assertThat(ledger.handOut("b", 2)).isNotEmpty();
        }
        assertThat(ledger(9).handOut("a", 2)).containsExactly(0L, 1L);
        assertThat(ledger(3).handOut("a", 2)).containsExactly(0L);
    }

    @Test
    void aResultIsTakenOnce() {
        SeedLedger ledger = ledger(4);
        ledger.handOut("a", 1);
        ledger.end("a", 0, FAILED);
        assertThat(ledger.take(0)).contains(FAILED);
        assertThat(ledger.take(0)).isEmpty();
        assertThat(ledger.take(1)).isEmpty();
    }

    @Test
    void aResultOfASeedThatTheNodeLacksIsIgnored() {
        SeedLedger ledger = ledger(4);
        ledger.handOut("a", 1);
        ledger.end("b", 0, FAILED);
        ledger.end("a", 3, FAILED);
        assertThat(ledger.take(0)).isEmpty();
        assertThat(ledger.take(3)).isEmpty();
    }

    @Test
    void seedsOfANodeThatHasGoneAreHandedOutFirst() {
        SeedLedger ledger = ledger(8);
        assertThat(ledger.handOut("a", 1)).containsExactly(0L, 1L, 2L, 3L);
        ledger.begin("a", 0);
        ledger.end("a", 0, FAILED);
        ledger.begin("a", 1);
        ledger.giveBack("a", "ended with exit code 1");
        assertThat(ledger.handOut("b", 1)).startsWith(1L, 2L, 3L);
        assertThat(ledger.take(0)).contains(FAILED);
    }

    @Test
    void aSeedThatTwoNodesRanWhenTheyEndedFails() {
        SeedLedger ledger = ledger(4);
        for (String node : List.of("a", "b")) {
            assertThat(ledger.handOut(node, 1)).startsWith(0L, 1L);
            ledger.begin(node, 0);
            ledger.giveBack(node, "ended with exit code 1");
        }
        assertThat(ledger.take(0))
                .contains(new NodeResult.EndsJvms(
                        "while seed 0 ran, a ended with exit code 1, and b ended with exit code 1"));
        assertThat(ledger.handOut("c", 1)).containsExactly(1L);
    }

    @Test
    void aNodeThatEndedBeforeItsSeedsBlamesNone() {
        SeedLedger ledger = ledger(4);
        for (int i = 0; i < SeedLedger.MAX_RETURNS; i++) {
            ledger.handOut("a", 1);
            ledger.giveBack("a", "ended with exit code 1");
        }
        assertThat(ledger.take(0)).isEmpty();
        assertThat(ledger.handOut("b", 1)).startsWith(0L);
    }

    @Test
    void theStateCountsTheSeedsOfEachNode() {
        SeedLedger ledger = ledger(4);
        ledger.handOut("a", 1);
        ledger.end("a", 0, FAILED);
        ledger.handOut("b", 1);
        ledger.end("b", 2, FAILED);
        ledger.end("a", 1, FAILED);
        assertThat(ledger.progress().line()).isEqualTo(" 75%  2 nodes: a 2, b 1");
    }
}
