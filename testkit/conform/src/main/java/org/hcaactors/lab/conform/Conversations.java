// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * Conversations in the packets of one interface. A packet names its receiver only, so responses are assigned by what they
 * answer.
 */
final class Conversations {
    record Way(PortAddress from, PortAddress to) {
        Way back() {
            return new Way(to, from);
        }
    }

    /** The requests, or the responses, to one queue pair. */
    record Stream(TransportClass transport, Way way, int qp, boolean answers) {
        static Stream of(Route route, Bth bth) {
            return new Stream(
                    bth.opcode().transport(),
                    new Way(route.source(), route.destination()),
                    bth.destQp(),
                    bth.opcode().operation().isResponse());
        }
    }

    /** The packets of a stream. */
    record Seen(List<CapturedPacket> packets, List<SkippedPacket> skipped) {
        static Seen nothing() {
            return new Seen(new ArrayList<>(), new ArrayList<>());
        }

        boolean isIntact() {
            return !skipped.isEmpty() || packets.stream().anyMatch(CapturedPacket::isIntact);
        }

        int size() {
            return packets.size() + skipped.size();
        }

        PayloadLengths payloads() {
            return PayloadLengths.of(packets, skipped);
        }
    }

    /** @param order of the responses' stream */
    private record Pair(Stream requests, Stream answers, int fit, int order) {}

    private final Map<Stream, Seen> streams = new LinkedHashMap<>();

    /** Payload lengths of responses, by the direction of their requests. */
    private final Map<Way, PayloadLengths> answered = new HashMap<>();

    private final List<PacketDirection> directions = new ArrayList<>();
    private final List<CapturedPacket> unassigned = new ArrayList<>();
    private boolean isUndecided;

    /**
     * @param packets of one interface, in order
     * @param skipped packets of the same interface
     */
    Conversations(List<CapturedPacket> packets, List<SkippedPacket> skipped) {
        for (CapturedPacket packet : packets) {
            Stream stream = Stream.of(packet.packet().route(), packet.packet().bth());
            streams.computeIfAbsent(stream, any -> Seen.nothing()).packets.add(packet);
        }
        for (SkippedPacket packet : skipped) {
            Stream stream = Stream.of(packet.route(), packet.bth());
            streams.computeIfAbsent(stream, any -> Seen.nothing()).skipped.add(packet);
        }
        Set<Way> intact = new HashSet<>();
        streams.forEach((stream, seen) -> {
            if (seen.isIntact()) {
                intact.add(stream.way);
            }
            if (stream.answers && stream.transport == TransportClass.RC) {
                answered.merge(stream.way.back(), seen.payloads(), PayloadLengths::plus);
            }
        });
        Map<Stream, Stream> answersOf = pairs();
        Set<Stream> answering = new HashSet<>(answersOf.values());
        streams.forEach((stream, seen) -> {
            if (stream.answers ? !answering.contains(stream) : isNoise(stream, seen, intact)) {
                unassigned.addAll(seen.packets);
            } else if (!stream.answers) {
                directions.add(direction(stream, Optional.ofNullable(answersOf.get(stream))));
            }
        });
    }

    /** Returns every direction in which requests were captured, in the order of the first. */
    List<PacketDirection> directions() {
        return List.copyOf(directions);
    }

    /** Returns packets that belong to no direction: responses without requests, and packets misdirected by bit errors. */
    List<CapturedPacket> unassigned() {
        return List.copyOf(unassigned);
    }

    /** True if there were so many queue pairs that unassigned responses may belong to one of them. */
    boolean isUndecided() {
        return isUndecided;
    }

    private PacketDirection direction(Stream requests, Optional<Stream> answers) {
        Seen requestsSeen = streams.getOrDefault(requests, Seen.nothing());
        Seen responsesSeen = answers.map(streams::get).orElseGet(Seen::nothing);
        List<SkippedPacket> skipped = new ArrayList<>(requestsSeen.skipped);
        skipped.addAll(responsesSeen.skipped);
        return PacketDirection.of(
                requests.transport,
                requests.way.from,
                answers.map(Stream::qp).orElse(0),
                requests.way.to,
                requests.qp,
                requestsSeen.packets,
                responsesSeen.packets,
                skipped);
    }

    /**
     * True if no packet is intact while others use the same direction: bit errors may have changed the queue pair number or the
     * opcode.
     */
    private static boolean isNoise(Stream stream, Seen seen, Set<Way> intact) {
        return !seen.isIntact() && intact.contains(stream.way);
    }

    /** Assigns each stream of responses to the requests that it fits best, at most one each. */
    private Map<Stream, Stream> pairs() {
        RequestsByPsn questions = new RequestsByPsn();
        streams.forEach((stream, seen) -> {
            if (!stream.answers && stream.transport == TransportClass.RC) {
                PayloadLengths there = seen.payloads().plus(answered.getOrDefault(stream.way, PayloadLengths.NONE));
                questions.add(stream, seen, there.mtu().bytes());
            }
        });
        List<Pair> possible = new ArrayList<>();
        int order = 0;
        for (Map.Entry<Stream, Seen> each : streams.entrySet()) {
            if (each.getKey().answers && each.getKey().transport == TransportClass.RC) {
                order++;
                int size = each.getValue().size();
                for (Map.Entry<Stream, Integer> fit :
                        questions.fits(each.getKey(), each.getValue()).entrySet()) {
                    possible.add(new Pair(fit.getKey(), each.getKey(), 3 * fit.getValue() - 2 * size, order));
                }
            }
        }
        isUndecided = questions.isSpent();
        possible.sort(Comparator.comparingInt(Pair::fit)
                .reversed()
                .thenComparingInt(pair -> questions.order(pair.requests))
                .thenComparingInt(Pair::order));
        Map<Stream, Stream> answersOf = new HashMap<>();
        Set<Stream> taken = new HashSet<>();
        for (Pair pair : possible) {
            if (!answersOf.containsKey(pair.requests) && taken.add(pair.answers)) {
                answersOf.put(pair.requests, pair.answers);
            }
        }
        return answersOf;
    }
}
