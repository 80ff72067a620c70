// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Connections by communication management in scenarios. */
class ManagedScenarioTest {
    private static ScenarioOutcome outcome(String rest) {
        Scenario scenario = Scenario.parse("title = \"t\"\nadapters { a {}, b {} }\n" + rest, "t");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            return run.outcome();
        }
    }

    private static void holds(String rest) {
        ScenarioOutcome outcome = outcome(rest);
        assertThat(outcome.holds())
                .as("%s %s", outcome.broken(), outcome.checks())
                .isTrue();
    }

    @Test
    void aConnectionStaysEstablished() {
        holds("""
                listen  = [ { on = b, port = 7174 } ]
                connect { pair { from = a, to = b, port = 7174 } }
                traffic = [ { on = pair, write = 64 } ]
                expect  = [ { connections { pair = established } }, { completions { success = 1 } }, same-bytes, no-stall ]
                """);
    }

    @Test
    void trafficWaitsForTheConnection() {
        holds("""
                listen  = [ { on = b, port = 7174, answers-at = 3ms } ]
                connect { pair { from = a, to = b, port = 7174, shared = yes, limit = 1, closed-at = 5ms } }
                traffic = [ { on = pair, send = 64, times = 3 }, { on = pair, fetch-add = 8, offset = 128 } ]
                expect  = [
                  { connections { pair = closed } }, { completions { success = 4 } }, { receives { success = 3 } }
                  { events { srq-limit-reached = 1 } }, exactly-once, no-stall
                ]
                """);
    }

    @Test
    void receivesAndPollingBeginLater() {
        holds("""
                listen  = [ { on = b, port = 7174 } ]
                connect { pair {
                  from = a, to = b, port = 7174, receives-at = 2ms, polled-at = 4ms, rnr-timer = 12, closed-at = 10ms, closed-by = b
                } }
                traffic = [ { on = pair, send = 64 }, { on = pair, send = 64, from = b, at = 3ms } ]
                expect  = [
                  { connections { pair = closed-by-peer } }, { completions { success = 2 } }, { receives { success = 2 } }
                  { counters { b { out_of_buffer = { at-least = 1 } } } }, exactly-once, no-stall
                ]
                """);
    }

    @Test
    void connectionsAndObjectsHaveTheirOwnTraffic() {
        holds("""
                listen  = [ { on = b, port = 7174 }, { on = a, port = 7174 } ]
                connect {
                  there { from = a, to = b, port = 7174, closed-at = 1ms }
                  back  { from = b, to = a, port = 7174, mtu = 256, closed-at = 1ms }
                }
                objects { pair { type = rc, between = [a, b] } }
                traffic = [
                  { on = pair, write = 64, times = 2 }, { on = there, write = 64, offset = 64 }, { on = back, read = 600 }
                ]
                expect  = [
                  { connections { there = closed, back = closed } }, { completions { success = 4 } }, same-bytes, no-stall
                ]
                """);
    }

    // rule cm-listen
    @Test
    void aListenerThatOpensLaterIsFoundByARepeatedRequest() {
        holds("""
                listen  = [ { on = b, port = 7174, at = 1s } ]
                connect {
                  early { from = a, to = b, port = 7174 }
                  late  { from = a, to = b, port = 7174, at = 1us, closed-at = 10s }
                }
                faults  = [ { drop { cm = [REQ], nth = 2 } } ]
                expect  = [ { connections { early { rejected = 8 }, late = closed } }, { lost-packets = 1 } ]
                """);
    }

    @Test
    void requestsOnAConnectionThatIsNotMadeAreRefused() {
        Scenario scenario = Scenario.parse("""
                title   = "t"
                adapters { a {}, b {} }
                connect { pair { from = a, to = b, port = 7174 } }
                traffic = [ { on = pair, write = 64, times = 2 } ]
                expect  = [ { connections { pair = established } }, { completions { success = 2 } } ]
                """, "t");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            assertThat(run.outcome().checks())
                    .noneMatch(ScenarioOutcome.Check::holds)
                    .extracting(ScenarioOutcome.Check::got)
                    .containsExactly("rejected 8", "none");
            assertThat(run.refusals())
                    .containsExactlyEntriesOf(java.util.Map.of("write: EINVAL: \"pair\" was not opened", 2L));
            assertThat(run.failures())
                    .containsOnlyKeys("connect pair: ECONNREFUSED: the peer at 10.0.0.2 rejected the"
                            + " connection with reason 8: nothing listens at the service ID");
        }
    }

    // rule cm-listen
    @Test
    void outcomesOfUndecidedRequests() {
        holds("""
                listen  = [ { on = b, port = 7174, backlog = 1, answer = ignore, closed-at = 110s } ]
                connect {
                  first  { from = a, to = b, port = 7174 }
                  second { from = a, to = b, port = 7174, at = 1us }
                }
                expect  = [
                  { connections { first { rejected = 28 }, second = unanswered } }, no-stall
                  { explained { connection = first, root = "b's program stopped listening at TCP port 7174" } }
                  { explained { connection = second, root = "b's program had not decided on the request of 10.0.0.1" } }
                ]
                """);
    }

    @Test
    void aConnectionThatWaitsAtTheEndIsAStall() {
        ScenarioOutcome outcome = outcome("""
                listen  = [ { on = b, port = 7174, answer = ignore } ]
                connect { pair { from = a, to = b, port = 7174 } }
                expect  = [ { connections { pair = waiting } }, no-stall ]
                """);
        assertThat(outcome.checks()).extracting(ScenarioOutcome.Check::holds).containsExactly(true, false);
        assertThat(outcome.checks().getLast().got()).contains("is not connected to 10.0.0.2 yet");
    }

    @Test
    void faultsEndConnectionsAndRefuseTheirQueuePairs() {
        holds("""
                listen  = [ { on = b, port = 7174 } ]
                connect {
                  made    { from = a, to = b, port = 7174 }
                  refused { from = a, to = b, port = 7174, at = 1ms }
                }
                faults  = [ { fail { verb = create-qp, adapter = a, nth = 2, errno = ENOMEM } }, { kill { at = 2ms, adapter = b, process = app } } ]
                expect  = [ { connections { made = closed-by-peer, refused = failed } }, { refused { create-qp = 1 } }, no-stall ]
                """);
    }
}
