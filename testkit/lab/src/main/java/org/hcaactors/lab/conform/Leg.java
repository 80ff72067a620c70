package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.api.queue.PathMtu;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * One direction of a conversation: the requests to one queue pair, and its answers.
 *
 * @param requesterQp where the answers go; 0 if there are none
 * @param packets both, in order
 */
record Leg(
        TransportClass transport,
        PortAddress requester,
        int requesterQp,
        PortAddress responder,
        int responderQp,
        List<Heard> packets) {
    private record Target(TransportClass transport, PortAddress from, PortAddress to, int qp, boolean answers) {}

    /** Every direction in which requests were captured, in order of the first. */
    static List<Leg> of(List<Heard> packets) {
        Map<Target, List<Heard>> byTarget = new LinkedHashMap<>();
        for (Heard heard : packets) {
            byTarget.computeIfAbsent(target(heard), any -> new ArrayList<>()).add(heard);
        }
        List<Leg> legs = new ArrayList<>();
        byTarget.forEach((target, requests) -> {
            if (!target.answers) {
                legs.add(leg(target, requests, byTarget));
            }
        });
        return legs;
    }

    private static Target target(Heard heard) {
        return new Target(
                heard.packet().opcode().transport(),
                heard.packet().route().source(),
                heard.packet().route().destination(),
                heard.packet().bth().destQp(),
                heard.isResponse());
    }

    /** A connection's answers are those from the same port whose PSNs its requests had. */
    private static Leg leg(Target target, List<Heard> requests, Map<Target, List<Heard>> byTarget) {
        Set<Integer> asked = new HashSet<>();
        requests.forEach(request -> asked.add(request.psn()));
        int most = 0;
        int peer = 0;
        List<Heard> answers = List.of();
        for (Map.Entry<Target, List<Heard>> other : byTarget.entrySet()) {
            Target back = other.getKey();
            boolean opposite = back.answers && back.from.equals(target.to) && back.to.equals(target.from);
            int fitting = (int) other.getValue().stream()
                    .filter(answer -> asked.contains(answer.psn()))
                    .count();
            if (opposite && target.transport == TransportClass.RC && fitting > most) {
                most = fitting;
                peer = back.qp;
                answers = other.getValue();
            }
        }
        List<Heard> both = new ArrayList<>(requests);
        both.addAll(answers);
        both.sort(Comparator.comparingInt(Heard::frame));
        return new Leg(target.transport, target.from, peer, target.to, target.qp, List.copyOf(both));
    }

    List<Heard> requests() {
        return packets.stream().filter(heard -> !heard.isResponse()).toList();
    }

    List<Heard> answers() {
        return packets.stream().filter(Heard::isResponse).toList();
    }

    /** That of its First and Middle packets; 1024 where every message fits into one packet. */
    PathMtu mtu() {
        int bytes = packets.stream()
                .filter(heard -> {
                    Operation.Place place = heard.packet().operation().place();
                    return heard.isIntact() && (place == Operation.Place.FIRST || place == Operation.Place.MIDDLE);
                })
                .mapToInt(heard -> heard.packet().payload().length())
                .max()
                .orElse(PathMtu.BYTES_1024.bytes());
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() >= bytes) {
                return mtu;
            }
        }
        return PathMtu.BYTES_4096;
    }

    @Override
    public String toString() {
        return transport + " " + requester + " to " + responder + " qp " + responderQp;
    }
}
