// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Outcome of tagged messages.
 *
 * @param sends outcomes of sends at their senders
 * @param arrivals outcomes of receives
 * @param statistics counts of each adapter's endpoints that are not 0
 */
public record TaggedOutcome(
        Map<SendEnd, Long> sends, Map<Arrival, Long> arrivals, SortedMap<String, SortedMap<String, Long>> statistics) {
    /** Names of the figures: {@code copied-bytes}, {@code synchronizations} and {@code late-deletions} of the endpoints. */
    static final List<String> FIGURES = List.of("copied-bytes", "synchronizations", "late-deletions");

    static TaggedOutcome of(Collection<TaggedTraffic> all) {
        Map<SendEnd, Long> sends = new EnumMap<>(SendEnd.class);
        Map<Arrival, Long> arrivals = new EnumMap<>(Arrival.class);
        SortedMap<String, SortedMap<String, Long>> statistics = new TreeMap<>();
        for (TaggedTraffic traffic : all) {
            traffic.sends().forEach(end -> sends.merge(end, 1L, Long::sum));
            traffic.arrivals().forEach(end -> arrivals.merge(end, 1L, Long::sum));
            for (TaggedTraffic.Counted end : traffic.statistics()) {
                List<Long> values = List.of(
                        end.statistics().copiedBytes(),
                        end.statistics().synchronizations(),
                        end.statistics().lateDeletions());
                for (int i = 0; i < values.size(); i++) {
                    if (values.get(i) > 0) {
                        statistics
                                .computeIfAbsent(end.adapter(), any -> new TreeMap<>())
                                .merge(FIGURES.get(i), values.get(i), Long::sum);
                    }
                }
            }
        }
        return new TaggedOutcome(sends, arrivals, statistics);
    }

    /** Outcome of a send. */
    public enum SendEnd {
        /** The buffer may be reused. */
        DONE,
        FAILED,
        WAITING
    }

    /** Outcome of a receive. */
    public enum Arrival {
        /** The adapter wrote the message into its buffer. */
        EXPECTED,
        /** The program copied the message into its buffer. */
        COPIED,
        /** The adapter fetched the data from the sender. */
        FETCHED,
        /** The program fetched the data from the sender. */
        FETCHED_BY_PROGRAM,
        CANCELLED,
        FAILED,
        WAITING
    }
}
