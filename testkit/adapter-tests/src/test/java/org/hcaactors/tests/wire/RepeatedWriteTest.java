// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.lab.scenario.Scenario;
import org.hcaactors.lab.scenario.ScenarioRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A requester's handling of a duplicate acknowledgement of a WRITE or SEND that is followed by a READ. */
class RepeatedWriteTest {
    private static void holds(String text, String type, String verb) {
        Scenario scenario = Scenario.parse(text.formatted(type, verb), type);
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            assertThat(run.outcome().holds())
                    .as("%s %s: %s", type, verb, run.outcome())
                    .isTrue();
        }
    }

    /** Over DC the first acknowledgement is that of the CONNECT. */
    // rule rc-duplicate
    @ParameterizedTest
    @ValueSource(strings = {"rc", "xrc", "dc"})
    void ifItsAnswersAreLostOnceAReadIsRequestedTwice(String type) {
        for (String verb : new String[] {"write", "send"}) {
            holds("""
                    title = "t"
                    adapters { a {}, b {} }
                    objects  { pair { type = %s, between = [a, b], timeout = 8, first-psn = 30 } }
                    traffic  = [ { on = pair, %s = 64 }, { on = pair, read = 1024 } ]
                    faults   = [ { drop { opcode = RC_ACKNOWLEDGE, nth = 1 } }, { drop { opcode = XRC_ACKNOWLEDGE, nth = 1 } }
                                 { drop { opcode = DC_ACKNOWLEDGE, nth = 2 } }, { drop { family = READ_RESPONSE, nth = 1 } } ]
                    expect   = [ { completions { success = 2 } }, exactly-once, same-bytes
                                 { counters { a { implied_nak_seq_err = 0, local_ack_timeout_err = 1 }
                                              b { rx_read_requests = 1, duplicate_request = 2 } } } ]
                    """, type, verb);
        }
    }

    // rules rc-duplicate, rc-retry-count
    @ParameterizedTest
    @ValueSource(strings = {"rc", "xrc", "dc"})
    void withoutLossAReadNeedsNoRetry(String type) {
        for (String verb : new String[] {"write", "send"}) {
            holds("""
                    title = "t"
                    adapters { a {}, b {} }
                    objects  { pair { type = %s, between = [a, b], retry-count = 0, timeout = 8, first-psn = 30 } }
                    traffic  = [ { on = pair, %s = 64 }, { on = pair, read = 1024 } ]
                    faults   = [ { duplicate { family = [WRITE, SEND], nth = 1, after = 5us } }
                                 { delay { family = READ_RESPONSE, by = 50us } } ]
                    expect   = [ { completions { success = 2 } }, exactly-once, same-bytes
                                 { counters { b { duplicate_request = 1 } } }, { retransmissions = 0 } ]
                    """, type, verb);
        }
    }
}
