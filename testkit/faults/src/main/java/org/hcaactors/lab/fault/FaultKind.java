// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

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
    PAUSE,
    SLOW,
    FAIL_VERB;

    /** {@code power-cycle}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code drop 500, unplug 12}: the most frequent one first. */
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
