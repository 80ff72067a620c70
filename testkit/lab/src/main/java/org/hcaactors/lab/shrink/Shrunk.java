package org.hcaactors.lab.shrink;

/**
 * What shrinking came to.
 *
 * @param attempt the smallest run found that fails
 * @param symptom how it fails
 * @param story its failure's message
 * @param faultsBefore that struck in the run it began with
 * @param runs that were tried
 * @param complete nothing smaller is left to try; else it was stopped
 */
public record Shrunk(Attempt attempt, Symptom symptom, String story, int faultsBefore, int runs, boolean complete) {
    public int faults() {
        return attempt.plan().faults().size();
    }

    private String order() {
        return attempt.schedule()
                .map(schedule -> schedule.departures() == 0
                        ? "tasks in order"
                        : "tasks in order but for " + schedule.departures() + " turns")
                .orElse("tasks as the seed draws");
    }

    /** {@code minimal   2 faults of 31 (212 runs), tasks in order: drop ...}. */
    @Override
    public String toString() {
        return "minimal   " + faults() + " faults of " + faultsBefore + " (" + runs + " runs"
                + (complete ? "" : ", stopped early") + "), " + order() + ": " + attempt.plan();
    }
}
