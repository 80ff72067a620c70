// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of messages with tags.
 *
 * @param sends as their senders know it
 * @param arrivals of receives
 * @param statistics of the endpoints of each adapter that moved
 */
public record TaggedOutcome(
        Map<SendEnd, Long> sends, Map<Arrival, Long> arrivals, SortedMap<String, SortedMap<String, Long>> statistics) {
    /** Of the figures; {@code copied-bytes}, {@code synchronizations} and {@code late-deletions} of their endpoints. */
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
                        statistics.computeIfAbsent(end.adapter(), any -> new TreeMap<>())
                                .merge(FIGURES.get(i), values.get(i), Long::sum);
                    }
                }
            }
        }
        return new TaggedOutcome(sends, arrivals, statistics);
    }

    /** What became of a send. */
    public enum SendEnd {
        /** Its buffer may be used again. */
        DONE,
        FAILED,
        WAITING
    }

    /** What became of a receive. */
    public enum Arrival {
        /** The adapter put the message into its buffer. */
        EXPECTED,
        /** The program copied it there. */
        COPIED,
        /** The adapter fetched the data from their sender. */
        FETCHED,
        /** The program did. */
        FETCHED_BY_PROGRAM,
        CANCELLED,
        FAILED,
        WAITING
    }
}
