// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Optional;
import java.util.SplittableRandom;

/** Counter of one completion queue's notifications that decides which of them a fault loses. */
final class LostReports {
    private final int number;
    private final Fault.LoseWakeup fault;
    private final NotificationMatcher reports;
    private final SplittableRandom random;
    private long seen;

    /** @param number of the fault in the plan */
    LostReports(int number, Fault.LoseWakeup fault, SplittableRandom random) {
        this.number = number;
        this.fault = fault;
        this.random = random;
        reports = new NotificationMatcher(fault.adapter(), fault.cq());
    }

    int number() {
        return number;
    }

    /** Returns the fault without randomness if it loses this message; the message is counted in any case. */
    Optional<Fault.LoseWakeup> judge(String receiver, Object message) {
        if (!reports.isOne(receiver, message)) {
            return Optional.empty();
        }
        seen++;
        return fault.trigger().strikes(seen, random)
                ? Optional.of(new Fault.LoseWakeup(fault.adapter(), fault.cq(), new Trigger.Nth(seen)))
                : Optional.empty();
    }
}
