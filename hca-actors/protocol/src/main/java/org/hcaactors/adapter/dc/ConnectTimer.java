// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.mutation.MutationPoint;

/**
 * Timer and retry counts of a CONNECT or DISCONNECT that no outstanding request follows. If requests are outstanding, RC's own
 * recovery does the waiting (rule dc-connect-lost).
 */
final class ConnectTimer {
    static final long NEVER = Long.MAX_VALUE;

    private final QpSettings settings;
    private final boolean sevenIsInfinite;
    private int retriesLeft;
    private int rnrRetriesLeft;
    private long deadline = NEVER;

    @MutationPoint("connect-timer.backing-off")
    private boolean backingOff;

    ConnectTimer(QpSettings settings, Profile profile) {
        this.settings = settings;
        sevenIsInfinite = profile.has(Quirk.RETRY_SEVEN_IS_FOREVER);
    }

    /** Resets both retry counts: the target answered. */
    void refill() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
        stop();
    }

    /** Stops the timer. */
    void stop() {
        deadline = NEVER;
        backingOff = false;
    }

    /** Starts the timer; no effect if it runs already. */
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

    /** True if another attempt is allowed; uses one retry. */
    boolean useRetry() {
        deadline = NEVER;
        boolean infinite = settings.hasInfiniteRetries(sevenIsInfinite);
        if (!infinite && retriesLeft == 0) {
            return false;
        }
        retriesLeft -= infinite ? 0 : 1;
        return true;
    }

    // rule dc-cnak
    /** True if another attempt is allowed after that time; uses one RNR retry. */
    @MutationPoint("connect-timer.comes-again")
    boolean useRnrRetry(long now, long nanos) {
        deadline = NEVER;
        if (rnrRetriesLeft == 0) {
            return false;
        }
        rnrRetriesLeft -= settings.hasInfiniteRnrRetries() ? 0 : 1;
        backingOff = true;
        deadline = now + nanos;
        return true;
    }
}
