// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the messages of an endpoint so far.
 *
 * <p>Immutable; components are added in minor versions.
 */
public final class TagStatistics {
    private final Map<TagArrival.DeliveryPath, Long> arrivals;
    private final long copiedBytes;
    private final long synchronizations;
    private final long lateDeletions;

    TagStatistics(
            Map<TagArrival.DeliveryPath, Long> arrivals, long copiedBytes, long synchronizations, long lateDeletions) {
        this.arrivals = Map.copyOf(arrivals);
        this.copiedBytes = copiedBytes;
        this.synchronizations = synchronizations;
        this.lateDeletions = lateDeletions;
    }

    /** Number of messages by path. */
    public Map<TagArrival.DeliveryPath, Long> arrivals() {
        return arrivals;
    }

    /** Number of messages that arrived by this path. */
    public long arrivals(TagArrival.DeliveryPath path) {
        return arrivals.getOrDefault(path, 0L);
    }

    /** Bytes that the program copied; expected messages are written directly to their buffers by the adapter. */
    public long copiedBytes() {
        return copiedBytes;
    }

    /** Operations that only reported handled messages to the adapter. */
    public long synchronizations() {
        return synchronizations;
    }

    /** Deletions of receives that a message had taken meanwhile. */
    public long lateDeletions() {
        return lateDeletions;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TagStatistics same && values().equals(same.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "TagStatistics" + values();
    }

    private List<Object> values() {
        return List.of(arrivals, copiedBytes, synchronizations, lateDeletions);
    }
}
