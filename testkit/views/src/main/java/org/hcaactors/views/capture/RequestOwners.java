// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.views.capture.Exchanges.Stream;
import org.hcaactors.views.capture.Exchanges.Way;

/** Finds the streams of requests that a response may belong to. Not thread-safe. */
final class RequestOwners {
    /** Maximum streams of requests that a response is compared with: the latest before it. */
    private static final int MAX_COMPARED = 64;

    private record ResponseKey(TransportClass transport, Way way, int psn) {}

    private record Requester(Stream stream, long nanos) {}

    /** Time of each stream's first request. */
    private final Map<ResponseKey, Map<Stream, Long>> first = new HashMap<>();

    private final Map<ResponseKey, List<Requester>> sorted = new HashMap<>();

    void addRequest(Stream stream, ObservedPacket request) {
        first.computeIfAbsent(
                        new ResponseKey(request.transport(), Way.of(request), request.psn()),
                        any -> new LinkedHashMap<>())
                .putIfAbsent(stream, request.nanos());
    }

    /** Returns the streams that sent a matching request before the response, each once; at most {@value #MAX_COMPARED}. */
    List<Stream> of(ObservedPacket answer) {
        List<Requester> all = sorted.computeIfAbsent(
                new ResponseKey(answer.transport(), Way.of(answer).back(), answer.psn()), this::sorted);
        int end = countUntil(all, answer.nanos());
        return all.subList(Math.max(0, end - MAX_COMPARED), end).stream()
                .map(Requester::stream)
                .toList();
    }

    private List<Requester> sorted(ResponseKey key) {
        List<Requester> all = new ArrayList<>();
        first.getOrDefault(key, Map.of()).forEach((stream, nanos) -> all.add(new Requester(stream, nanos)));
        all.sort(Comparator.comparingLong(Requester::nanos));
        return all;
    }

    /** Returns how many of them had sent it by then. */
    private static int countUntil(List<Requester> all, long nanos) {
        int from = 0;
        int to = all.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (all.get(middle).nanos <= nanos) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }
}
