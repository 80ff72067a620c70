// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Locale;

/** What a fault does, in the words of fault plans. New kinds may come. */
public enum FaultKind {
    DROP,
    DELAY,
    DUPLICATE,
    REORDER,
    CORRUPT,
    REWRITE,
    FORGE,
    UNPLUG,
    LINK,
    CRASH,
    POWER_CYCLE,
    STARVE,
    KILL,
    EVICT,
    FRAGMENT,
    END_WAITER,
    NOTIFY_OFF,
    LOSE_WAKEUP,
    STALL_SUBSCRIBER,
    FAIL_VERB;

    /** {@code power-cycle}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return word();
    }
}
