// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.util.Map;

/**
 * How messages came until now.
 *
 * <p>Immutable; components are added in minor versions.
 *
 * @param arrivals of each way
 * @param copiedBytes that the program copied; the adapter puts what is expected straight into its buffer
 * @param synchronizations operations that did nothing but tell the adapter what was dealt with
 * @param lateDeletions of receives that the adapter had given away meanwhile
 */
public record TagStatistics(
        Map<TagArrival.Way, Long> arrivals, long copiedBytes, long synchronizations, long lateDeletions) {
    public TagStatistics {
        arrivals = Map.copyOf(arrivals);
    }

    /** Messages that came that way. */
    public long of(TagArrival.Way way) {
        return arrivals.getOrDefault(way, 0L);
    }
}
