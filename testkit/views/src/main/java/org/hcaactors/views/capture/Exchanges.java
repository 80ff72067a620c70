// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.fabric.packet.Operation.Place;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** Assigns responses to requests. A packet names only its receiver. */
final class Exchanges {
    record Way(PortAddress from, PortAddress to) {
        static Way of(ObservedPacket packet) {
            return new Way(packet.route().source(), packet.route().destination());
        }

        Way back() {
            return new Way(to, from);
        }
    }

    /** Packets to one queue pair: requests or responses. */
    record Stream(TransportClass transport, Way way, int qp, boolean answers) {
        static Stream of(ObservedPacket packet) {
            return new Stream(
                    packet.transport(),
                    Way.of(packet),
                    packet.bth().destQp(),
                    packet.operation().isResponse());
        }
    }

    private record Fit(Stream requests, Stream answers, long fit, long distance) {}

    private Exchanges() {}

    /** Returns the exchanges of RC, XRC and UC, in the order of their first packets. */
    static List<Exchange> of(List<ObservedPacket> packets) {
        Map<Stream, List<ObservedPacket>> streams = new LinkedHashMap<>();
        for (ObservedPacket packet : packets) {
            if (isConnected(packet.transport())) {
                streams.computeIfAbsent(Stream.of(packet), any -> new ArrayList<>())
                        .add(packet);
            }
        }
        Map<Stream, Stream> backs = pairs(streams);
        Map<ObservedPacket, Exchange> of = new IdentityHashMap<>();
        List<Exchange> all = new ArrayList<>();
        streams.forEach((stream, requests) -> {
            if (!stream.answers) {
                Stream back = backs.get(stream);
                List<ObservedPacket> answers = back == null ? List.of() : streams.getOrDefault(back, List.of());
                Exchange exchange = new Exchange(requests.getFirst(), mtu(requests, answers), back != null);
                requests.forEach(packet -> of.put(packet, exchange));
                answers.forEach(packet -> of.put(packet, exchange));
                all.add(exchange);
            }
        });
        for (ObservedPacket packet : packets) {
            Exchange exchange = of.get(packet);
            if (exchange != null) {
                exchange.take(packet);
            }
        }
        return all;
    }

    /** True for a transport whose exchanges are analyzed. */
    static boolean isConnected(TransportClass transport) {
        return transport == TransportClass.RC || transport == TransportClass.XRC || transport == TransportClass.UC;
    }

    /**
     * Assigns each stream of responses to the stream of requests that it matches best, then to the nearest in time; none is
     * assigned twice.
     */
    private static Map<Stream, Stream> pairs(Map<Stream, List<ObservedPacket>> streams) {
        RequestOwners initiators = new RequestOwners();
        streams.forEach((stream, packets) -> {
            if (!stream.answers) {
                packets.forEach(packet -> initiators.addRequest(stream, packet));
            }
        });
        List<Fit> fits = new ArrayList<>();
        streams.forEach((stream, answers) -> {
            if (stream.answers) {
                fits.addAll(fits(stream, answers, initiators, streams));
            }
        });
        fits.sort(Comparator.comparingLong(Fit::fit).reversed().thenComparingLong(Fit::distance));
        Map<Stream, Stream> backs = new HashMap<>();
        Set<Stream> taken = new HashSet<>();
        for (Fit fit : fits) {
            if (!backs.containsKey(fit.requests) && taken.add(fit.answers)) {
                backs.put(fit.requests, fit.answers);
            }
        }
        return backs;
    }

    private static List<Fit> fits(
            Stream stream,
            List<ObservedPacket> answers,
            RequestOwners initiators,
            Map<Stream, List<ObservedPacket>> streams) {
        Map<Stream, Integer> fitting = new LinkedHashMap<>();
        int named = 0;
        for (ObservedPacket answer : answers) {
            if (answer.operation().starts()) {
                named++;
                initiators.of(answer).forEach(initiator -> fitting.merge(initiator, 1, Integer::sum));
            }
        }
        List<Fit> fits = new ArrayList<>();
        long from = answers.getFirst().nanos();
        for (Map.Entry<Stream, Integer> each : fitting.entrySet()) {
            List<ObservedPacket> requests = streams.getOrDefault(each.getKey(), List.of());
            long distance = Math.abs(from - requests.getFirst().nanos());
            fits.add(new Fit(each.getKey(), stream, 3L * each.getValue() - 2L * named, distance));
        }
        return fits;
    }

    /** Returns the path MTU, as every packet of a message but the last is full; 0 if no full packet was captured. */
    private static int mtu(List<ObservedPacket> requests, List<ObservedPacket> answers) {
        int full = 0;
        for (List<ObservedPacket> side : List.of(requests, answers)) {
            for (ObservedPacket packet : side) {
                Place place = packet.operation().place();
                if (place == Place.FIRST || place == Place.MIDDLE) {
                    full = Math.max(full, packet.payloadBytes());
                }
            }
        }
        return full;
    }
}
