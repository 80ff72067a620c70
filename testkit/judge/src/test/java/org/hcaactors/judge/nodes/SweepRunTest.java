// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.judge.sweep.MinimalRun;
import org.hcaactors.judge.sweep.Sweep;
import org.junit.jupiter.api.Test;

class SweepRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BUILD = "b1";

    private static SweepRun<String> run(int seeds, int shrinks) {
        return new SweepRun<>(
                new NodeSweep(Sweep.of(seeds).from(10), shrinks, Duration.ofSeconds(1), PATIENCE, PATIENCE), BUILD, 0);
    }

    private static TaskResult good(long seed) {
        return new TaskResult.Ran(new Sweep.Outcome(seed, 100, Map.of(), 3, 2, Optional.empty()));
    }

    private static TaskResult bad(long seed) {
        return new TaskResult.Ran(new Sweep.Outcome(seed, 0, Map.of(), 0, 0, Optional.of("broken")));
    }

    @Test
    void theReportDoesNotDependOnTheOrderOfResults() {
        SweepRun<String> run = run(4, 0);
        run.join("a", "a", 1);
        run.join("b", "b", 1);
        run.topUp("a");
        run.topUp("b");
        run.take("b", List.of(good(12), bad(13)));
        assertThat(run.end(0)).isEmpty();
        run.take("a", List.of(bad(11), good(10), good(10)));
        NodesReport report = run.end(0).orElseThrow();
        assertThat(report.endedEarly()).isEmpty();
        assertThat(report.report().ran()).isEqualTo(4);
        assertThat(report.report().packets()).isEqualTo(200);
        assertThat(report.report().failures()).extracting(Sweep.Failure::seed).containsExactly(11L, 13L);
    }

    @Test
    void theLowestFailingSeedsAreShrunkAfterAllHaveRun() {
        SweepRun<String> run = run(4, 2);
        run.join("a", "a", 4);
        run.topUp("a");
        assertThat(run.take("a", List.of(bad(13), bad(12), good(10)))).isFalse();
        assertThat(run.take("a", List.of(bad(11)))).as("shrinking begins").isTrue();
        assertThat(run.topUp("a")).isEqualTo(List.of(new Task.Shrink(11), new Task.Shrink(12)));
        MinimalRun minimal = new MinimalRun(12, "text");
        run.take(
                "a",
                List.of(new TaskResult.Shrunk(12, Optional.of(minimal)), new TaskResult.Shrunk(11, Optional.empty())));
        assertThat(run.end(0).orElseThrow().minimal()).isEqualTo(List.of(minimal));
    }

    @Test
    void withoutNodesItEndsAfterItsPatience() {
        SweepRun<String> run = run(4, 0);
        run.join("a", "a", 1);
        run.topUp("a");
        run.take("a", List.of(good(10)));
        long later = PATIENCE.toNanos();
        assertThat(run.end(3 * later)).as("a node is there").isEmpty();
        run.leave("a", later);
        assertThat(run.end(2 * later - 1)).isEmpty();
        NodesReport report = run.end(2 * later).orElseThrow();
        assertThat(report.endedEarly()).map(EndedEarly::words).contains("no node was there for 60 s");
        assertThat(report.report().ran()).isEqualTo(1);
    }

    @Test
    void aSeedThatEndsThreeNodesEndsTheSweep() {
        SweepRun<String> run = run(1, 0);
        for (String node : List.of("a", "b", "c")) {
            assertThat(run.end(0)).isEmpty();
            run.join(node, node, 1);
            run.runs(node, run.topUp(node));
            run.leave(node, 0);
        }
        assertThat(run.end(0).orElseThrow().endedEarly()).contains(new EndedEarly.SeedEndsNodes(10, 3));
    }

    @Test
    void aStoppedSweepReportsWhatRan() {
        SweepRun<String> run = run(9, 1);
        run.join("a", "a", 1);
        run.runs("a", run.topUp("a"));
        assertThat(run.stop()).isTrue();
        assertThat(run.stop()).isFalse();
        assertThat(run.end(0)).as("two seeds run").isEmpty();
        run.take("a", List.of(bad(10), good(11)));
        NodesReport report = run.end(0).orElseThrow();
        assertThat(report.report().ran()).isEqualTo(2);
        assertThat(report.endedEarly()).isEmpty();
    }

    @Test
    void anotherBuildIsRefusedInWords() {
        assertThat(run(1, 0).whyNot("a", "b2", 1))
                .contains("the classes of this node are those of build b2, and those of the sweep of build b1;"
                        + " the same build is required");
    }

    @Test
    void aNodeThatWasTakenForDeadIsRefused() {
        SweepRun<String> run = run(1, 0);
        assertThat(run.join("a", "a", 1)).isTrue();
        assertThat(run.join("a", "a", 1)).isFalse();
        assertThat(run.whyNot("a", BUILD, 1)).isEmpty();
        run.leave("a", 0);
        assertThat(run.whyNot("a", BUILD, 1))
                .contains("the sweep took this node for dead, as it was silent for too long");
    }

    @Test
    void progressNamesEveryNodeInOneLine() {
        SweepRun<String> run = run(4, 0);
        assertThat(run.progress().line()).isEqualTo("  0%  no node");
        run.join("a", "worker 1", 1);
        run.join("b", "worker 2", 1);
        run.topUp("a");
        run.take("a", List.of(good(10)));
        assertThat(run.progress().line()).isEqualTo(" 25%  2 nodes: worker 1 1, worker 2 0");
    }
}
