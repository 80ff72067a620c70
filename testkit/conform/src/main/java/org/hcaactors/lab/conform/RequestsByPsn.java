// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.lab.conform.Conversations.Seen;
import org.hcaactors.lab.conform.Conversations.Stream;
import org.hcaactors.lab.conform.Conversations.Way;

/** Index of requests by PSN and by stream of requests. Not thread-safe. */
final class RequestsByPsn {
    /** Maximum number of further PSNs of READs; responses to the rest fit nothing. */
    private static final int MAX_READ = 1 << 18;

    /**
     * Maximum number of comparisons of a response with a stream, a new pair of streams counting {@value #PAIR_EFFORT}; the rest
     * fits nothing.
     */
    private static final int MAX_EFFORT = 1 << 24;

    private static final int PAIR_EFFORT = 16;

    private record Question(Way way, int psn) {}

    private final Map<Question, Map<Stream, Set<Family>>> requests = new HashMap<>();
    private final Map<Stream, Integer> order = new HashMap<>();
    private final Map<Way, List<Stream>> byWay = new HashMap<>();
    private int read;
    private int effort;

    void add(Stream stream, Seen requests, int mtuBytes) {
        order.put(stream, order.size());
        byWay.computeIfAbsent(stream.way(), any -> new ArrayList<>()).add(stream);
        for (CapturedPacket request : requests.packets()) {
            Family family = request.operation().family();
            add(stream, request.psn(), family);
            if (request.operation() == Operation.READ_REQUEST) {
                int packets = Psn.packets(request.packet().reth().lengthUnsigned(), mtuBytes);
                for (int i = 1; i < packets && read < MAX_READ; i++) {
                    read++;
                    add(stream, Psn.plus(request.psn(), i), family);
                }
            }
        }
        requests.skipped().forEach(packet -> add(stream, packet.psn(), packet.family()));
    }

    private void add(Stream stream, int psn, Family family) {
        requests.computeIfAbsent(new Question(stream.way(), psn), any -> new LinkedHashMap<>())
                .computeIfAbsent(stream, any -> EnumSet.noneOf(Family.class))
                .add(family);
    }

    /** Returns the position of a stream of requests among all, by first request. */
    int order(Stream requests) {
        return order.getOrDefault(requests, 0);
    }

    /** True if some responses were not compared with all streams. */
    boolean isSpent() {
        return effort >= MAX_EFFORT;
    }

    /** Returns how many of the responses each stream of requests may have caused. */
    Map<Stream, Integer> fits(Stream stream, Seen answers) {
        Map<Stream, Integer> fits = new LinkedHashMap<>();
        Way way = stream.way().back();
        int gaps = 0;
        for (CapturedPacket answer : answers.packets()) {
            if (answer.isSequenceNak()) {
                gaps++;
            } else {
                fit(way, answer.psn(), answer.operation().family(), fits);
            }
        }
        answers.skipped().forEach(answer -> fit(way, answer.psn(), answer.family(), fits));
        return gaps == 0 ? fits : withGaps(gaps, way, fits);
    }

    /** The packet that a sequence NAK names may have been lost before the capture: it fits all streams. */
    private Map<Stream, Integer> withGaps(int gaps, Way way, Map<Stream, Integer> fits) {
        Map<Stream, Integer> all = new LinkedHashMap<>();
        if (fits.isEmpty()) {
            for (Stream requests : byWay.getOrDefault(way, List.of())) {
                if (effort < MAX_EFFORT) {
                    effort += PAIR_EFFORT;
                    all.put(requests, gaps);
                }
            }
        }
        fits.forEach((requests, count) -> all.put(requests, count + gaps));
        return all;
    }

    private void fit(Way way, int psn, Family answer, Map<Stream, Integer> fits) {
        Map<Stream, Set<Family>> candidates = requests.getOrDefault(new Question(way, psn), Map.of());
        for (Map.Entry<Stream, Set<Family>> each : candidates.entrySet()) {
            if (effort >= MAX_EFFORT) {
                return;
            }
            effort++;
            if (isAnsweredBy(each.getValue(), answer)) {
                effort += fits.merge(each.getKey(), 1, Integer::sum) == 1 ? PAIR_EFFORT : 0;
            }
        }
    }

    private static boolean isAnsweredBy(Set<Family> requested, Family answer) {
        return switch (answer) {
            case READ_RESPONSE -> requested.contains(Family.READ);
            case ATOMIC_ACKNOWLEDGE -> requested.contains(Family.ATOMIC);
            case ACKNOWLEDGE -> true;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
        };
    }
}
