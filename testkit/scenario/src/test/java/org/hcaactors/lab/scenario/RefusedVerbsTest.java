// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.lab.hocon.RefusedException;
import org.junit.jupiter.api.Test;

/** Verbs that a scenario's faults refuse: what is refused is not done, and is counted. */
class RefusedVerbsTest {
    private static final String HEAD = """
            title    = "Verbs are refused"
            adapters { a {}, b {} }
            objects  { pair { type = rc, between = [a, b]%s } }
            traffic  = [ { on = pair, write = 64, times = 4, at = 10us } ]
            """;

    private static ScenarioOutcome outcome(String more, String rest) {
        Scenario scenario = Scenario.parse(HEAD.formatted(more) + rest, "test");
        try (ScenarioRun run = ScenarioRun.of(scenario, 1)) {
            return run.outcome();
        }
    }

    @Test
    void aRefusedRequestIsCountedAndNotPosted() {
        ScenarioOutcome outcome = outcome("", """
                faults = [ { fail { verb = post-send, adapter = a, process = app, nth = 2, errno = ENOMEM } } ]
                expect = [ { completions { success = 3 } }, { refused { post-send = 1 } }, no-stall ]
                """);
        assertThat(outcome.checks()).allMatch(ScenarioOutcome.Check::holds);
    }

    @Test
    void aConnectionThatCantBeMadeLeavesNoObject() {
        ScenarioOutcome outcome = outcome(", opened-at = 5us", """
                faults = [ { fail { verb = [create-qp, create-cq], nth = 2, errno = EAGAIN } } ]
                expect = [ { completions {} }, { refused { create-cq = 1 } }, no-stall ]
                """);
        assertThat(outcome.checks()).allMatch(ScenarioOutcome.Check::holds);
    }

    @Test
    void expectedRefusalsThatDidNotHappenAreReported() {
        ScenarioOutcome outcome = outcome("", "expect = [ { refused { post-send = 1 } } ]");
        assertThat(outcome.checks())
                .singleElement()
                .satisfies(check -> assertThat(check.holds()).isFalse());
    }

    @Test
    void unknownNamesAndErrnosAreRefused() {
        assertThatThrownBy(() -> outcome("", "faults = [ { fail { process = store, errno = ENOMEM } } ]"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("there is no process store; there are app");
        assertThatThrownBy(() -> outcome("", "faults = [ { fail { verb = create-cq, errno = EBUSY } } ]"))
                .hasMessageContaining("create_cq cannot fail with EBUSY; EAGAIN, ENOMEM, EINVAL, EIO, EOPNOTSUPP");
        assertThatThrownBy(() -> outcome("", "faults = [ { fail { verb = make-cq, errno = EBUSY } } ]"))
                .hasMessageContaining("there is no make-cq; allowed are OPEN_DEVICE, ALLOC_PD");
    }
}
