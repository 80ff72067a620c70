// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.mutation.MutationPoint;

/**
 * How long an initiator waits for the answer to a CONNECT or a DISCONNECT behind which nothing is outstanding, and how often it
 * asks again. Where something is, RC's own recovery waits (rule dc-connect-lost).
 */
final class ConnectTimer {
    static final long NEVER = Long.MAX_VALUE;

    private final QpSettings settings;
    private final boolean retrySevenIsForEver;
    private int retriesLeft;
    private int waitsLeft;
    private long deadline = NEVER;

    @MutationPoint("connect-timer.backing-off")
    private boolean backingOff;

    ConnectTimer(QpSettings settings, Profile profile) {
        this.settings = settings;
        retrySevenIsForEver = profile.has(Quirk.RETRY_SEVEN_IS_FOREVER);
    }

    /** Something was heard: both counts begin afresh. */
    void refill() {
        retriesLeft = settings.retryCount;
        waitsLeft = settings.rnrRetry;
        stop();
    }

    /** Nothing is waited for any more. */
    void stop() {
        deadline = NEVER;
        backingOff = false;
    }

    /** An answer is waited for; without effect where one is already. */
    void await(long now) {
        if (deadline == NEVER && settings.timeoutNanos() > 0) {
            deadline = now + settings.timeoutNanos();
        }
    }

    boolean isBackingOff() {
        return backingOff;
    }

    long deadline() {
        return deadline;
    }

    /** True where it may ask again, and then one retry is spent. */
    boolean asksAgain() {
        deadline = NEVER;
        boolean forEver = settings.retriesForEver(retrySevenIsForEver);
        if (!forEver && retriesLeft == 0) {
            return false;
        }
        retriesLeft -= forEver ? 0 : 1;
        return true;
    }

    // rule dc-cnak
    /** True where it may come again after that time, and then one retry is spent. */
    @MutationPoint("connect-timer.comes-again")
    boolean comesAgain(long now, long nanos) {
        deadline = NEVER;
        if (waitsLeft == 0) {
            return false;
        }
        waitsLeft -= settings.rnrRetriesForEver() ? 0 : 1;
        backingOff = true;
        deadline = now + nanos;
        return true;
    }
}
