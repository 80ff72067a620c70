package org.hcaactors.lab.sweep;

import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;

/** What the armed faults may do to requests. A program acts alike in any weather; only what it takes for right differs. */
enum Weather {
    /** No faults: what keeps the rules succeeds. */
    CALM,
    /** Packets are lost, late, doubled; receivers are not ready: retries may be used up. */
    ROUGH,
    /** Parts end or crash, or worse: a request ends, and no more is promised. */
    DISASTER;

    static Weather of(FaultPlan plan) {
        if (plan.faults().isEmpty()) {
            return CALM;
        }
        return plan.faults().stream().allMatch(Weather::sparesTheParts) ? ROUGH : DISASTER;
    }

    private static boolean sparesTheParts(Fault fault) {
        return fault instanceof Fault.OnPackets
                || fault instanceof Fault.LinkDown
                || fault instanceof Fault.LinkChange
                || fault instanceof Fault.Starve
                || fault instanceof Fault.StallSubscriber;
    }
}
