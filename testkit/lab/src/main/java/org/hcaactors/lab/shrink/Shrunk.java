// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.List;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.Pace;

/**
 * What shrinking came to.
 *
 * @param attempt the smallest run found that fails
 * @param symptom how it fails
 * @param story its failure's message
 * @param left every fault in it, whoever armed it
 * @param struck what they did in it, a line each
 * @param faultsBefore that struck in the run it began with
 * @param runs that were tried
 * @param complete nothing smaller is left to try; else it was stopped
 */
public record Shrunk(
        Attempt attempt,
        Symptom symptom,
        String story,
        FaultPlan left,
        List<String> struck,
        int faultsBefore,
        int runs,
        boolean complete) {
    public Shrunk {
        struck = List.copyOf(struck);
    }

    public int faults() {
        return left.faults().size();
    }

    private String order() {
        return attempt.schedule()
                .map(schedule -> switch ((int) Math.min(2, schedule.departures())) {
                    case 0 -> "tasks in order";
                    case 1 -> "tasks in order but for 1 turn";
                    default -> "tasks in order but for " + schedule.departures() + " turns";
                })
                .orElse("tasks as the seed draws");
    }

    /** {@code minimal   2 faults of 31 (212 runs), tasks in order: drop ...}. */
    @Override
    public String toString() {
        return "minimal   " + words();
    }

    /** {@code 2 faults of 31 (212 runs), tasks in order: drop ...}. */
    public String words() {
        return faults() + (faults() == 1 ? " fault of " : " faults of ") + faultsBefore + " (" + runs
                + " runs" + (complete ? "" : ", stopped early") + "), " + order()
                + (attempt.pace().equals(Pace.INSTANT) ? "" : ", with pauses between its steps") + ": " + left;
    }
}
