// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Kinds of faults, named as in fault plans. Later versions may add more. */
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
    PAUSE,
    SLOW,
    FAIL_VERB;

    /** Returns the name in plans: {@code power-cycle}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns a readable text, most frequent first: {@code drop 500, unplug 12}. */
    public static String words(Map<FaultKind, Long> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<FaultKind, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey().word(), each.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return word();
    }
}
