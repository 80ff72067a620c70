// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.Map;

/**
 * Statistics of the messages of an endpoint so far.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param arrivals number of messages by way
 * @param copiedBytes bytes that the program copied; expected messages are written directly to their buffers by the adapter
 * @param synchronizations operations that only reported handled messages to the adapter
 * @param lateDeletions deletions of receives that a message had taken meanwhile
 */
public record TagStatistics(
        Map<TagArrival.Way, Long> arrivals, long copiedBytes, long synchronizations, long lateDeletions) {
    public TagStatistics {
        arrivals = Map.copyOf(arrivals);
    }

    /** Number of messages that arrived this way. */
    public long of(TagArrival.Way way) {
        return arrivals.getOrDefault(way, 0L);
    }
}
