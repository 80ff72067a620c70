// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.hcaactors.api.completion.Status;

/**
 * Outcome of a scenario.
 *
 * @param completions send completions by status
 * @param receives receive completions by status
 * @param messages outcome of tagged messages
 * @param connections outcome of each connection by communication management, by its name
 * @param counters counters of each adapter that are not 0
 * @param nanos virtual time of the last event
 * @param packets number of packets sent
 * @param broken the violated invariant or endless wait that ended the run early
 */
public record ScenarioOutcome(
        List<Check> checks,
        Map<Status, Long> completions,
        Map<Status, Long> receives,
        TaggedOutcome messages,
        SortedMap<String, ConnectionOutcome> connections,
        SortedMap<String, SortedMap<String, Long>> counters,
        long nanos,
        long packets,
        Optional<String> broken) {
    /**
     * A checked expectation.
     *
     * @param expected the expectation in words
     * @param got the actual value
     */
    public record Check(String expected, boolean holds, String got) {}

    public boolean holds() {
        return broken.isEmpty() && checks.stream().allMatch(Check::holds);
    }
}
