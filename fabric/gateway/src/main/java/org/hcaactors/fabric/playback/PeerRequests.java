// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.playback;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/** Requests of the peer on one connection and the responses of this side, by their distance from the peer's first PSN. */
final class PeerRequests {
    /** Nothing is acknowledged. */
    private static final int NOTHING = Integer.MIN_VALUE;

    private final int firstPsn;
    private final TreeMap<Integer, Packet> entered = new TreeMap<>();
    /** Responses with data. */
    private final Map<Integer, List<Item>> responses = new LinkedHashMap<>();
    /** Refusals that a peer does not repeat its request after. */
    private final TreeMap<Integer, Item> refusals = new TreeMap<>();

    private final Map<Integer, List<Item>> acknowledgements = new LinkedHashMap<>();
    private int acknowledged = NOTHING;

    PeerRequests(int firstPsn) {
        this.firstPsn = firstPsn;
    }

    /** Returns the distance of a recorded PSN from the first one. */
    int distance(int psn) {
        return Psn.compare(psn, firstPsn);
    }

    void addResponse(Item item) {
        int distance = distance(item.packet().psn());
        if (item.packet().operation() != Operation.ACKNOWLEDGE) {
            List<Item> same = responses.computeIfAbsent(distance, any -> new ArrayList<>());
            item.optional = !same.isEmpty();
            same.add(item);
        } else {
            acknowledgements.computeIfAbsent(distance, any -> new ArrayList<>()).add(item);
            if (isRefusal(item.packet().aeth().syndrome())) {
                item.optional = refusals.containsKey(distance);
                refusals.putIfAbsent(distance, item);
            }
        }
    }

    /** True for a NAK that ends the request. */
    static boolean isRefusal(int syndrome) {
        return Syndrome.isNak(syndrome) && syndrome != Syndrome.NAK_PSN_SEQUENCE;
    }

    /** True for a NAK after which the request is sent again, and for an acknowledgement that the request did not ask for. */
    boolean isAvoidable(Packet acknowledgement) {
        int syndrome = acknowledgement.aeth().syndrome();
        boolean isAsked = Optional.ofNullable(entered.get(distance(acknowledgement.psn())))
                .filter(request -> request.bth().ackReq())
                .isPresent();
        return Syndrome.isAck(syndrome) ? !isAsked : !isRefusal(syndrome);
    }

    // rule wire-recorded-order
    boolean isSatisfied(Item response) {
        Packet packet = response.packet();
        return response.passed
                || packet.operation() == Operation.ACKNOWLEDGE
                        && !isRefusal(packet.aeth().syndrome())
                        && distance(packet.psn()) <= acknowledged;
    }

    void entered(Packet request) {
        entered.put(distance(request.psn()), request);
    }

    /** True if a READ of the peer that entered begins with that PSN. */
    boolean isRead(int distance) {
        return Optional.ofNullable(entered.get(distance))
                .filter(request -> request.operation() == Operation.READ_REQUEST)
                .isPresent();
    }

    /** True if that PSN is one of a READ of the peer that entered. */
    boolean isOfRead(int distance, int mtuBytes) {
        return Optional.ofNullable(entered.floorEntry(distance))
                .filter(read -> read.getValue().operation() == Operation.READ_REQUEST
                        && distance - read.getKey()
                                < Psn.packets(read.getValue().reth().lengthUnsigned(), mtuBytes))
                .isPresent();
    }

    /** Notes that this side has executed the requests up to there. */
    void acknowledged(int distance) {
        acknowledged = Math.max(acknowledged, distance);
    }

    /** Returns the recorded response with that PSN, with that opcode if there is one. */
    Optional<Item> response(int distance, Opcode opcode) {
        List<Item> same = responses.getOrDefault(distance, List.of());
        return same.stream()
                .filter(item -> item.packet().opcode() == opcode)
                .min(Comparator.comparing(item -> item.passed))
                .or(() -> same.stream().findFirst());
    }

    /** Returns the recorded refusal of a request up to there that this side did not send. */
    Optional<Item> refusedUpTo(int distance) {
        return refusals.headMap(distance, true).values().stream()
                .filter(item -> !item.passed)
                .findFirst();
    }

    /** Returns a recorded acknowledgement, with that syndrome if there is one. */
    Optional<Item> acknowledgement(int distance, int syndrome) {
        List<Item> same = acknowledgements.getOrDefault(distance, List.of());
        return same.stream()
                .filter(item -> !item.passed && item.packet().aeth().syndrome() == syndrome)
                .findFirst();
    }

    Optional<Item> anyAcknowledgement(int distance) {
        return acknowledgements.getOrDefault(distance, List.of()).stream().findFirst();
    }

    /** Returns the requests that entered and are not acknowledged, up to the one with that PSN. */
    List<Packet> unacknowledged(int last) {
        Integer end = entered.floorKey(last);
        if (end == null) {
            return List.of();
        }
        // The request with the missing response is the last, even if it was acknowledged in part.
        int start = acknowledged == NOTHING ? entered.firstKey() : Math.min(end, acknowledged + 1);
        return List.copyOf(entered.subMap(start, true, end, true).values());
    }
}
