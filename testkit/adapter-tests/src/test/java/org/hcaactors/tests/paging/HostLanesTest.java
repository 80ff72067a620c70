// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.Mermaid;
import org.junit.jupiter.api.Test;

/** Ladders of runs in which pages are mapped and invalidated. */
class HostLanesTest {
    private static List<TraceEvent> run(Paged paged, boolean onDemand) {
        paged.world.faults().now().evict(paged.pair.b().context(), paged.b.memory());
        paged.world.await(paged.pair
                .a()
                .qp()
                .submit(RdmaWrite.of(
                        1,
                        paged.pair.a().slice(0, 64),
                        onDemand ? paged.b.remote(0) : paged.pair.b().remote(0))));
        return paged.world.trace().events();
    }

    private static void standsUnder(String head, String host, List<String> lines, String what) {
        assertThat(lines)
                .filteredOn(line -> line.contains(what))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line.indexOf("· ")).isEqualTo(head.indexOf(host)));
    }

    @Test
    void aPagingHostHasALaneNextToItsAdapter() {
        try (Paged paged = Paged.of(1)) {
            List<String> lines = Ladder.of(run(paged, true));
            String head = lines.getFirst();
            assertThat(head).contains("b's host").doesNotContain("a's host");
            standsUnder(head, "b's host", lines, " waits for 64 bytes");
            standsUnder(head, "b's host", lines, "1 page of key");
            standsUnder(head, "b's host", lines, "! evict");
            standsUnder(head, "b  ", lines, "can't proceed: the page at");
        }
    }

    @Test
    void aHostWithoutPagingHasNoLane() {
        try (Paged paged = Paged.withoutPaging()) {
            List<String> lines = Ladder.of(run(paged, false));
            assertThat(lines.getFirst()).doesNotContain("host");
            standsUnder(lines.getFirst(), "b", lines, "! evict");
            assertThat(Mermaid.of(paged.world.trace().events())).doesNotContain("host");
        }
    }

    @Test
    void inADiagramThePagesOfAHostAreMessages() {
        try (Paged paged = Paged.of(2)) {
            assertThat(Mermaid.of(run(paged, true)))
                    .contains("  participant b_host as b's host\n", "  Note over b_host: ! evict")
                    .containsSubsequence("  b->>b_host: qp", " waits for 64 bytes", "  b_host-->>b: 1 page of key");
        }
    }
}
