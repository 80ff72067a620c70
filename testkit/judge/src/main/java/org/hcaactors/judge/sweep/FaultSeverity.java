// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.Faults;

/** What the armed faults may do to requests. A program does the same at each; only what it accepts as right differs. */
enum FaultSeverity {
    /** No faults: what keeps the rules succeeds. */
    CALM,
    /** Packets are lost, late, doubled; receivers are not ready: retries may be used up. */
    ROUGH,
    /**
     * A packet came that nobody sent and that looks like a real one: it may end the requests of any queue pair, and write. No
     * packet makes a part crash, or a verb fail that is none of a queue pair's work.
     */
    HOSTILE,
    /** Parts end or crash, or worse: a request ends, and no more is promised. */
    DISASTER;

    private static final Set<Fault.Drawn.What> OF_PROGRAMS = EnumSet.of(
            Fault.Drawn.What.PAUSE, Fault.Drawn.What.SLOW, Fault.Drawn.What.END_WAITER, Fault.Drawn.What.NOTIFY_OFF);

    /** How severe it is up to now: a forgery that has not been sent yet did nothing. */
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

    /** Of when programs go on, and of nobody's requests. */
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
