// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.hcaactors.api.completion.Status;

/**
 * What a scenario came to.
 *
 * @param completions of what was posted, by status
 * @param receives that completed, by status
 * @param messages with tags
 * @param counters of each adapter that moved
 * @param nanos virtual time of the last thing that happened
 * @param packets sent
 * @param broken what ended the run early: an invariant that broke, or a wait that would never end
 */
public record ScenarioOutcome(
        List<Check> checks,
        Map<Status, Long> completions,
        Map<Status, Long> receives,
        TaggedOutcome messages,
        SortedMap<String, SortedMap<String, Long>> counters,
        long nanos,
        long packets,
        Optional<String> broken) {
    /**
     * An expectation that was looked at.
     *
     * @param expected in words
     * @param got what it was instead, or what it was
     */
    public record Check(String expected, boolean holds, String got) {}

    public boolean holds() {
        return broken.isEmpty() && checks.stream().allMatch(Check::holds);
    }
}
