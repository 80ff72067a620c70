// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hcaactors.api.queue.QpType;

/** Number of queue pairs of one node, by type. Immutable. */
public record QueuePairCounts(SortedMap<QpType, Long> byType) {
    public QueuePairCounts {
        byType = Collections.unmodifiableSortedMap(new TreeMap<>(byType));
    }

    public static QueuePairCounts of(Map<QpType, Long> byType) {
        return new QueuePairCounts(new TreeMap<>(byType));
    }

    /** Returns the number of all types. */
    public long total() {
        return byType.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of all nodes. */
    public long inAll(Cluster cluster) {
        return total() * cluster.nodes();
    }
}
