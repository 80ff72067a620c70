// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Operation.Family;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;

/** Who talks with whom in what one interface saw: a packet names its receiver only, so answers are found by what they answer. */
final class Conversations {
    /** What goes to one queue pair. */
    private record Stream(TransportClass transport, PortAddress from, PortAddress to, int qp, boolean answers) {
        static Stream of(Heard heard) {
            return new Stream(
                    heard.packet().opcode().transport(),
                    heard.packet().route().source(),
                    heard.packet().route().destination(),
                    heard.packet().bth().destQp(),
                    heard.isResponse());
        }

        boolean answersTo(Stream requests) {
            return answers
                    && !requests.answers
                    && requests.transport == TransportClass.RC
                    && from.equals(requests.to)
                    && to.equals(requests.from);
        }
    }

    private record Pair(Stream requests, Stream answers, int fit) {}

    private final Map<Stream, List<Heard>> streams = new LinkedHashMap<>();
    private final List<Leg> legs = new ArrayList<>();
    private final List<Heard> strays = new ArrayList<>();

    /** @param packets of one interface, in order */
    Conversations(List<Heard> packets) {
        for (Heard heard : packets) {
            streams.computeIfAbsent(Stream.of(heard), any -> new ArrayList<>()).add(heard);
        }
        Map<Stream, Stream> answersOf = pairs();
        Set<Stream> answering = new HashSet<>(answersOf.values());
        streams.forEach((stream, heard) -> {
            if (stream.answers ? !answering.contains(stream) : isNoise(stream)) {
                strays.addAll(heard);
            } else if (!stream.answers) {
                legs.add(leg(stream, Optional.ofNullable(answersOf.get(stream))));
            }
        });
    }

    /** Every direction in which requests were captured, in order of the first. */
    List<Leg> legs() {
        return List.copyOf(legs);
    }

    /** Packets of no such direction: answers to nothing, and what bits that flipped have sent elsewhere. */
    List<Heard> strays() {
        return List.copyOf(strays);
    }

    private Leg leg(Stream requests, Optional<Stream> answers) {
        return Leg.of(
                requests.transport,
                requests.from,
                answers.map(Stream::qp).orElse(0),
                requests.to,
                requests.qp,
                streams.getOrDefault(requests, List.of()),
                answers.map(streams::get).orElse(List.of()));
    }

    /** Nothing that it holds is intact, and others go the same way: its number may be what was flipped. */
    private boolean isNoise(Stream stream) {
        return isBroken(stream)
                && streams.keySet().stream()
                        .anyMatch(other -> !isBroken(other)
                                && other.from.equals(stream.from)
                                && other.to.equals(stream.to)
                                && !other.answers);
    }

    private boolean isBroken(Stream stream) {
        return streams.getOrDefault(stream, List.of()).stream().noneMatch(Heard::isIntact);
    }

    /** Each stream of answers belongs to the requests that it fits best, and none to two. */
    private Map<Stream, Stream> pairs() {
        List<Pair> possible = new ArrayList<>();
        for (Stream requests : streams.keySet()) {
            if (requests.answers || requests.transport != TransportClass.RC) {
                continue;
            }
            Map<Integer, Set<Family>> asked = asked(requests);
            streams.forEach((answers, heard) -> {
                if (answers.answersTo(requests) && heard.stream().anyMatch(answer -> fits(answer, asked))) {
                    possible.add(new Pair(requests, answers, fit(heard, asked)));
                }
            });
        }
        possible.sort(Comparator.comparingInt(Pair::fit).reversed());
        Map<Stream, Stream> answersOf = new HashMap<>();
        for (Pair pair : possible) {
            if (!answersOf.containsKey(pair.requests) && !answersOf.containsValue(pair.answers)) {
                answersOf.put(pair.requests, pair.answers);
            }
        }
        return answersOf;
    }

    /** What was asked for under each PSN. */
    private Map<Integer, Set<Family>> asked(Stream stream) {
        List<Heard> both = new ArrayList<>();
        streams.forEach((other, heard) -> {
            if (other.equals(stream) || other.answersTo(stream)) {
                both.addAll(heard);
            }
        });
        int mtu = Leg.mtu(both).bytes();
        Map<Integer, Set<Family>> asked = new HashMap<>();
        for (Heard request : streams.getOrDefault(stream, List.of())) {
            Family family = request.operation().family();
            int packets = request.operation() == Operation.READ_REQUEST
                    ? Psn.packets(request.packet().reth().lengthUnsigned(), mtu)
                    : 1;
            for (int i = 0;
                    i < Math.min(packets, CapturedTraffic.MOST_PACKETS) && asked.size() <= CapturedTraffic.MOST_PACKETS;
                    i++) {
                asked.computeIfAbsent(Psn.plus(request.psn(), i), any -> EnumSet.noneOf(Family.class))
                        .add(family);
            }
        }
        return asked;
    }

    private static int fit(List<Heard> answers, Map<Integer, Set<Family>> asked) {
        int fitting =
                (int) answers.stream().filter(answer -> fits(answer, asked)).count();
        return 3 * fitting - 2 * answers.size();
    }

    private static boolean fits(Heard answer, Map<Integer, Set<Family>> asked) {
        Set<Family> there = asked.getOrDefault(answer.psn(), Set.of());
        return switch (answer.operation().family()) {
            case READ_RESPONSE -> there.contains(Family.READ);
            case ATOMIC_ACKNOWLEDGE -> there.contains(Family.ATOMIC);
            // What a sequence NAK names was perhaps lost before it could be captured.
            case ACKNOWLEDGE -> !there.isEmpty() || answer.isSequenceNak();
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
        };
    }
}
