// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.scenario.TaggedOutcome.Arrival;
import org.hcaactors.lab.scenario.TaggedOutcome.SendEnd;
import org.junit.jupiter.api.Test;

/** Messages with tags in scenarios. */
class TaggedScenarioTest {
    private static ScenarioRun run(String traffic, String expect) {
        return ScenarioRun.of(Scenario.parse("""
                title = "t"
                adapters { a {}, b {} }
                objects  { mail { type = tagged, between = [a, b], listed = 2, max-eager-bytes = 128 } }
                traffic  = [ %s ]
                expect   = [ %s ]
                """.formatted(traffic, expect), "t"), 1);
    }

    @Test
    void bothEndsSendAndReceive() {
        try (ScenarioRun run =
                run("""
                { on = mail, receive = 64, tag = 1, of = a }, { on = mail, receive = 64, tag = 1 }
                { on = mail, send = 10, tag = 1 }, { on = mail, send = 20, tag = 1, from = b }
                """, "{ arrivals { expected = 2 } }, { sends { done = 2 } }, same-bytes, no-stall")) {
            assertThat(run.outcome().holds()).as("%s", run.outcome().checks()).isTrue();
        }
    }

    @Test
    void receivesBeyondTheListAreServedInOrder() {
        try (ScenarioRun run = run("""
                { on = mail, receive = 64, tag = 5, times = 6 }
                { on = mail, send = 10, tag = 5, times = 6, at = 5us, wait = true }
                """, "same-bytes")) {
            assertThat(run.outcome().holds()).as("%s", run.outcome().checks()).isTrue();
            assertThat(run.outcome().messages().sends()).containsOnlyKeys(SendEnd.DONE);
            assertThat(run.outcome().messages().arrivals()).doesNotContainKeys(Arrival.WAITING, Arrival.FAILED);
        }
    }

    @Test
    void unmetExpectationsAreReported() {
        try (ScenarioRun run = run(
                "{ on = mail, receive = 64, tag = 1 }, { on = mail, send = 200, tag = 2, at = 5us }",
                "{ arrivals { copied = 1 } }, no-stall, { figures { b { copied-bytes = 9 } } }")) {
            assertThat(run.outcome().checks())
                    .noneMatch(ScenarioOutcome.Check::holds)
                    .extracting(ScenarioOutcome.Check::got)
                    .containsExactly("{WAITING=1}", "outstanding messages with tags: 1", "0");
        }
    }

    @Test
    void anUntaggedConnectionRunsNextToATaggedOne() {
        Scenario scenario = Scenario.parse("""
                title = "t"
                adapters { a {}, b {} }
                objects  { mail { type = tagged, between = [a, b] }, pair { type = rc, between = [a, b] } }
                traffic  = [ { on = mail, receive = 64, tag = 1 }, { on = pair, send = 64 }, { on = mail, send = 64, tag = 1 } ]
                expect   = [ { completions { success = 1 } }, { arrivals { expected = 1 } }, exactly-once, same-bytes ]
                """, "t");
        try (ScenarioRun run = ScenarioRun.of(scenario, 3)) {
            assertThat(run.outcome().holds()).as("%s", run.outcome().checks()).isTrue();
        }
    }
}
