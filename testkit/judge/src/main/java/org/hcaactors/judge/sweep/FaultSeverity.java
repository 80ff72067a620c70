// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.Faults;

/**
 * Severity of the armed faults for requests. A program acts the same at each severity; only the results that it accepts differ.
 */
enum FaultSeverity {
    /** No faults: legal requests succeed. */
    CALM,
    /** Packets are lost, delayed or duplicated, and receivers are not ready: retries may be exhausted. */
    ROUGH,
    /**
     * A forged packet arrived that looks genuine: it may end the requests of any queue pair, and write memory. No packet makes
     * a part crash, or makes a verb fail that is not a queue pair's work.
     */
    HOSTILE,
    /** Parts end, crash or lose power: a request ends, and nothing more is guaranteed. */
    DISASTER;

    private static final Set<Fault.Drawn.What> OF_PROGRAMS = EnumSet.of(
            Fault.Drawn.What.PAUSE, Fault.Drawn.What.SLOW, Fault.Drawn.What.END_WAITER, Fault.Drawn.What.NOTIFY_OFF);

    /** Returns the severity so far: a forged packet that has not been sent yet has no effect. */
    static FaultSeverity of(Faults faults) {
        List<Fault> armed = faults.plan().faults().stream()
                .filter(fault -> !isOfPrograms(fault))
                .toList();
        if (armed.isEmpty()) {
            return CALM;
        }
        if (!armed.stream().allMatch(FaultSeverity::sparesTheParts)) {
            return DISASTER;
        }
        return faults.hasForged() ? HOSTILE : ROUGH;
    }

    /** True if the fault affects only when programs continue, and no request. */
    private static boolean isOfPrograms(Fault fault) {
        return fault instanceof Fault.LoseWakeup
                || fault instanceof Fault.EndWaiter
                || fault instanceof Fault.NotifyOff
                || fault instanceof Fault.Drawn drawn && OF_PROGRAMS.contains(drawn.what())
                || fault instanceof Fault.Pause
                || fault instanceof Fault.Slow;
    }

    private static boolean sparesTheParts(Fault fault) {
        return fault instanceof Fault.OnPackets
                || fault instanceof Fault.LinkDown
                || fault instanceof Fault.LinkChange
                || fault instanceof Fault.WithholdReceives
                || fault instanceof Fault.StallSubscriber
                || fault instanceof Fault.Evict;
    }
}
