// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.List;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.world.Pace;

/**
 * Result of shrinking.
 *
 * @param attempt the smallest failing run that was found
 * @param symptom how it fails
 * @param story message of its failure
 * @param left all of its faults, armed by the test or by the program
 * @param struck strikes of its faults, one per line
 * @param faultsBefore number of faults that struck in the original run
 * @param runs number of runs that were tried
 * @param complete true if nothing smaller is left to try; false if the search was stopped
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

    /** Returns {@code minimal   2 faults of 31 (212 runs), tasks in order: drop ...}. */
    @Override
    public String toString() {
        return "minimal   " + words();
    }

    /** Returns {@code 2 faults of 31 (212 runs), tasks in order: drop ...}. */
    public String words() {
        return faults() + (faults() == 1 ? " fault of " : " faults of ") + faultsBefore + " (" + runs
                + " runs" + (complete ? "" : ", stopped early") + "), " + order()
                + (attempt.pace().equals(Pace.INSTANT) ? "" : ", with pauses between its steps") + ": " + left;
    }
}
