package org.hcaactors.lab.shrink;

import org.hcaactors.lab.fault.FaultPlan;

/**
 * A run that may fail.
 *
 * @param inOrder ready tasks run in order; else as the seed draws
 * @param plan its faults
 */
public record Attempt(long seed, boolean inOrder, FaultPlan plan) {
    Attempt with(FaultPlan other) {
        return new Attempt(seed, inOrder, other);
    }

    Attempt withOrder() {
        return new Attempt(seed, true, plan);
    }
}
