// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Ladder;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.report.Report;
import org.hcaactors.views.rlog.Rlog;
import org.junit.jupiter.api.Test;

class RefusedVerbsTest {
    private static final String REASON = "qp304 is in RTR; sends are posted in RTS";

    private static TraceEvent refused(String element) {
        return new TestkitEvent(new Stamp(1, 5_000, 0, 0), "a", element, "ibv_post_send fails with EINVAL: " + REASON);
    }

    @Test
    void aCallThatTheAdapterRefusedIsAFailure() {
        List<Explanation> failures = Explainer.of(List.of(refused(TestkitEvent.ofCall("ibv_post_send"))))
                .failures();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.lines())
                        .containsExactly("a: ibv_post_send fails with EINVAL", "  because " + REASON));
    }

    @Test
    void aCallThatAFaultRefusedBlamesTheTestkit() {
        List<Explanation> failures = Explainer.of(List.of(refused(TestkitEvent.ofVerb("ibv_post_send"))))
                .failures();

        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.root()).isEqualTo("the testkit: " + REASON));
    }

    @Test
    void theEndOfAProcessByASignalIsAFailure() {
        TraceEvent end = new TestkitEvent(
                new Stamp(1, 5_000, 0, 0), "a", TestkitEvent.ofEnd("17"), "process 17 ended with signal 9 (SIGKILL)");

        assertThat(Explainer.of(List.of(end)).failures())
                .singleElement()
                .satisfies(failure ->
                        assertThat(failure.lines()).containsExactly("a: process 17 ended with signal 9 (SIGKILL)"));
        assertThat(Report.html(Rlog.Header.of("a"), List.of(end), 0)).contains("process 17 ended with signal 9");
    }

    @Test
    void ladderAndReportShowARefusedCall() {
        List<TraceEvent> run = List.of(refused(TestkitEvent.ofCall("ibv_post_send")));

        assertThat(Ladder.of(run).getLast()).endsWith("· ! ibv_post_send fails with EINVAL: " + REASON);
        assertThat(Report.html(Rlog.Header.of("a"), run, 0)).contains("\"how\":\"failed\"");
    }
}
