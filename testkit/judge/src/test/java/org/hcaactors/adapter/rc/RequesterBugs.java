// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of a requester, in its package. */
public final class RequesterBugs {
    private RequesterBugs() {}

    public static final class OneAboveTheLast {
        public static boolean isOutstanding(PsnWindow window, int psn) {
            return window.isOutstanding(psn) || psn == window.sentEnd();
        }
    }

    /** Behaves as if a few more packets had been acknowledged. */
    public static final class UsesEarly {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) int psn) {
            psn = Psn.plus(psn, 16);
        }
    }

    /** Checks the local key of a READ or an atomic before sending it. */
    public static final class LooksAtItsOwnKey {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) Turn turn,
                @MarkedField("rc-requester.ledger") SendLedger ledger,
                @MarkedField("rc-requester.memory") LocalMemory memory,
                @MarkedField(value = "rc-requester.broken-at", readOnly = false) long brokenAt,
                @MarkedField(value = "rc-requester.broken-by", readOnly = false) Status brokenBy) {
            if (ledger.nextToStart() == ledger.tail() || brokenAt != Long.MAX_VALUE) {
                return false;
            }
            PostedRequest posted = ledger.at(ledger.nextToStart());
            if (!posted.awaitsResponse()) {
                return false;
            }
            Accessibility reach = memory.checkAccess(posted.work().local(), 0, posted.lengthBytes(), true, turn);
            if (reach == Accessibility.FORBIDDEN) {
                brokenAt = ledger.nextToStart();
                brokenBy = Status.LOC_PROT_ERR;
            }
            return reach != Accessibility.READY;
        }
    }

    public static final class UsesARetry {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "rc-recovery.retries-left", readOnly = false) int retriesLeft) {
            retriesLeft = Math.max(0, retriesLeft - 1);
        }
    }
}
