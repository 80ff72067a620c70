// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/**
 * Evidence in the later packets of a capture about an earlier one: whether it arrived, and the memory contents that it found.
 */
final class LaterEvidence {

    /** Maximum number of packets that may have been lost before the first captured one. */
    private static final int MAX_MISSING = 64;

    /** Maximum number of packets by which one may be late. */
    private static final int MAX_BEHIND = 1 << 12;

    private final PacketDirection direction;
    private final List<CapturedPacket> packets;
    private final Map<Integer, List<CapturedPacket>> requestsByPsn = new HashMap<>();
    private final Map<Integer, List<CapturedPacket>> answersByPsn = new HashMap<>();
    private final Map<Integer, CapturedPacket> firstUses = new LinkedHashMap<>();
    private final Map<Long, CapturedPacket> firstAtomics = new LinkedHashMap<>();

    /** Base of PSN offsets; in ordinary captures they span far less than half of the PSN space. */
    private final int base;

    /** Last frame of a response that acknowledges at least up to this PSN offset; a NAK acknowledges the PSNs before it. */
    private final TreeMap<Integer, Integer> acknowledgedIn = new TreeMap<>();

    /** The same for responses that are not NAKs. */
    private final TreeMap<Integer, Integer> confirmedIn = new TreeMap<>();

    /** Last frame of a request with this PSN offset or a smaller one. */
    private final TreeMap<Integer, Integer> requestedIn = new TreeMap<>();

    /** PSN offsets at which messages begin. */
    private final TreeSet<Integer> starts = new TreeSet<>();

    private final TreeMap<Integer, List<CapturedPacket>> responsesAt = new TreeMap<>();
    private final NumberRanges near = new NumberRanges();
    private final Set<Integer> partsOfEarlier = new HashSet<>();
    private int lastAgain;
    private int lastAnswer;

    LaterEvidence(PacketDirection direction) {
        this.direction = direction;
        packets = direction.packets();
        base = firstCaptured();
        for (CapturedPacket packet : packets) {
            if (packet.isIntact()) {
                (packet.isResponse() ? answersByPsn : requestsByPsn)
                        .computeIfAbsent(packet.psn(), any -> new ArrayList<>())
                        .add(packet);
                if (packet.operation().isReadResponse()) {
                    responsesAt
                            .computeIfAbsent(offset(packet.psn()), any -> new ArrayList<>())
                            .add(packet);
                }
                lastAnswer = packet.isResponse() ? packet.frame() : lastAnswer;
            }
        }
        count();
        packets.reversed().forEach(this::countBack);
    }

    private void count() {
        NumberRanges read = new NumberRanges();
        OptionalInt newest = OptionalInt.empty();
        for (CapturedPacket request : direction.requests()) {
            if (request.isIntact()) {
                boolean again = newest.isPresent() && Psn.compare(request.psn(), newest.getAsInt()) <= 0;
                lastAgain = again ? request.frame() : lastAgain;
                newest = again ? newest : OptionalInt.of(request.psn());
                passes(request, read);
            }
        }
    }

    private void passes(CapturedPacket request, NumberRanges read) {
        long at = offset(request.psn());
        int count = packetsOf(request);
        near.add(at - MAX_MISSING, at + count + MAX_MISSING);
        if (request.operation().starts()) {
            starts.add((int) at);
        }
        if (request.operation() == Operation.READ_REQUEST) {
            if (read.contains(at)) {
                partsOfEarlier.add(request.frame());
            }
            read.add(at + 1, at + count);
        }
    }

    private void countBack(CapturedPacket packet) {
        int at = offset(packet.psn());
        if (!packet.isResponse()) {
            if (requestedIn.isEmpty() || at < requestedIn.firstKey()) {
                requestedIn.put(at, packet.frame());
            }
        } else if (packet.isIntact()) {
            record(acknowledgedIn, isPositive(packet) ? at : at - 1, packet.frame());
            if (isPositive(packet)) {
                record(confirmedIn, at, packet.frame());
            }
        }
    }

    private static void record(TreeMap<Integer, Integer> reached, int at, int frame) {
        if (reached.isEmpty() || at > reached.lastKey()) {
            reached.put(at, frame);
        }
    }

    private int offset(int psn) {
        return Psn.compare(psn, base);
    }

    /** Returns the responses with that PSN, in order. */
    List<CapturedPacket> answers(int psn) {
        return answersByPsn.getOrDefault(psn, List.of());
    }

    /** Returns those of a later frame. */
    private static List<CapturedPacket> after(int frame, List<CapturedPacket> inOrder) {
        int from = 0;
        int to = inOrder.size();
        while (from < to) {
            int middle = from + to >>> 1;
            if (inOrder.get(middle).frame() <= frame) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return inOrder.subList(from, inOrder.size());
    }

    private OptionalInt nextFrameOf(CapturedPacket request) {
        List<CapturedPacket> again = after(request.frame(), requestsByPsn.getOrDefault(request.psn(), List.of()));
        return again.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(again.getFirst().frame());
    }

    /**
     * True if the loss of that packet is consistent with the capture: a request was retransmitted later, the same packet was
     * captured once more, a later response covers it, or its PSN is so far from all others that it may belong to another
     * conversation.
     */
    boolean isMissed(CapturedPacket packet) {
        return lastAgain > packet.frame()
                || cameOnceMore(packet)
                || packet.isResponse() && isFollowedByAnswer(packet)
                || isFarOff(packet.psn());
    }

    /**
     * True if the packet was captured intact as well, before or after: of a packet that was requested twice or duplicated, one
     * copy may be corrupted.
     */
    private boolean cameOnceMore(CapturedPacket packet) {
        if (!packet.isResponse()) {
            return isRequested(packet.psn());
        }
        boolean plain = packet.operation() == Operation.ACKNOWLEDGE;
        return answers(packet.psn()).stream().anyMatch(other -> plain == (other.operation() == Operation.ACKNOWLEDGE));
    }

    private boolean isFollowedByAnswer(CapturedPacket answer) {
        return answer.packet().payload().length() == 0 && lastAnswer > answer.frame();
    }

    /** True if no intact request has a PSN near this one. */
    private boolean isFarOff(int psn) {
        return !near.contains(offset(psn));
    }

    private int packetsOf(CapturedPacket request) {
        return request.operation() == Operation.READ_REQUEST
                ? Psn.packets(
                        request.packet().reth().lengthUnsigned(),
                        direction.mtu().bytes())
                : 1;
    }

    /** True if its PSN is requested more than once. */
    boolean isRepeated(CapturedPacket request) {
        return requestsByPsn.getOrDefault(request.psn(), List.of()).size() > 1;
    }

    // rule rc-cumulative-ack
    /** True if a response captured after that request acknowledges all PSNs up to this one. */
    boolean isAcknowledgedAfter(int psn, CapturedPacket request) {
        return isLater(acknowledgedIn.ceilingEntry(offset(psn)), request.frame());
    }

    private static boolean isLater(Map.@Nullable Entry<Integer, Integer> last, int frame) {
        return last != null && last.getValue() > frame;
    }

    /** True if the same PSN is requested again later. */
    boolean isSentAgain(CapturedPacket request) {
        return nextFrameOf(request).isPresent();
    }

    /** True if a request with this PSN or an earlier one follows after that request. */
    boolean isRepeatedAfter(int psn, CapturedPacket request) {
        return isRepeatedAfter(psn, request.frame());
    }

    private boolean isRepeatedAfter(int psn, int frame) {
        return isLater(requestedIn.floorEntry(offset(psn)), frame);
    }

    /** Returns the syndrome of the NAK for just this packet, other than a sequence NAK. */
    OptionalInt refusal(CapturedPacket request) {
        int until = nextFrameOf(request).orElse(Integer.MAX_VALUE);
        return after(request.frame(), answers(request.psn())).stream()
                .takeWhile(answer -> answer.frame() < until)
                .filter(answer -> answer.packet().operation() == Operation.ACKNOWLEDGE)
                .mapToInt(answer -> answer.packet().aeth().syndrome())
                .filter(syndrome -> !Syndrome.isAck(syndrome) && syndrome != Syndrome.NAK_PSN_SEQUENCE)
                .findFirst();
    }

    /** Returns the noted first PSN, if the capture can begin there. */
    OptionalInt fitting(OptionalInt noted) {
        int captured = firstCaptured();
        boolean fits = noted.isPresent()
                && Psn.compare(captured, noted.getAsInt()) >= 0
                && Psn.compare(captured, noted.getAsInt()) < MAX_MISSING;
        return fits ? noted : OptionalInt.empty();
    }

    private int firstCaptured() {
        return direction.requests().stream()
                .filter(CapturedPacket::isIntact)
                .findFirst()
                .orElse(direction.requests().getFirst())
                .psn();
    }

    /** Returns the smallest requested PSN; not always that of the first packet, if the network reordered packets. */
    int firstPsn(OptionalInt noted) {
        return fitting(noted).orElseGet(() -> min(direction.requests(), firstCaptured()));
    }

    private static int min(List<CapturedPacket> requests, int first) {
        int min = first;
        for (CapturedPacket request : requests) {
            int ahead = Psn.compare(request.psn(), min);
            if (request.isIntact() && ahead < 0 && ahead > -MAX_BEHIND) {
                min = request.psn();
            }
        }
        return min;
    }

    /**
     * Returns the PSN that the responder expects at first, as far as the capture up to its first response shows; if the capture
     * begins inside a message, the PSN of the next message.
     */
    int firstExpectedPsn(OptionalInt noted) {
        if (fitting(noted).isPresent()) {
            return noted.getAsInt();
        }
        int captured = firstCaptured();
        CapturedPacket first = direction.answers().stream()
                .filter(answer -> answer.isIntact() && isNear(answer.psn(), captured))
                .findFirst()
                .orElse(direction.packets().getLast());
        List<CapturedPacket> before = direction.requests().stream()
                .filter(request -> request.frame() < first.frame())
                .toList();
        int min = min(before, before.isEmpty() ? captured : firstCaptured());
        boolean names = first.isSequenceNak() && Psn.compare(first.psn(), min) < 0;
        int expected = names ? first.psn() : min;
        return isRequested(expected) ? nextStart(Psn.plus(expected, -1)).orElse(expected) : expected;
    }

    private static boolean isNear(int psn, int other) {
        return Math.abs(Psn.compare(psn, other)) < MAX_BEHIND;
    }

    /** True if that PSN was requested at some time. */
    boolean isRequested(int psn) {
        return requestsByPsn.containsKey(psn);
    }

    /** Returns the PSN of the next message that begins after this PSN. */
    OptionalInt nextStart(int psn) {
        Integer next = starts.higher(offset(psn));
        return next == null ? OptionalInt.empty() : OptionalInt.of(Psn.plus(base, next));
    }

    /** True if the same response was captured after that request, in any order. */
    boolean isAnsweredAfter(Packet answer, CapturedPacket request) {
        return after(request.frame(), answers(answer.psn())).stream()
                .anyMatch(other -> other.operation() == answer.operation()
                        && other.packet().payload().equals(answer.payload()));
    }

    /** True for a READ that requests the rest of an earlier one. */
    boolean isPartOfEarlier(CapturedPacket read) {
        return partsOfEarlier.contains(read.frame());
    }

    /** Returns the timer code of the first RNR NAK; 12 if there is none. */
    int rnrTimer() {
        return packets.stream()
                .filter(CapturedPacket::isResponse)
                .filter(answer -> answer.packet().operation() == Operation.ACKNOWLEDGE)
                .mapToInt(answer -> answer.packet().aeth().syndrome())
                .filter(Syndrome::isRnr)
                .map(syndrome -> syndrome & 0x1F)
                .findFirst()
                .orElse(12);
    }

    /** Requests the ranges that every key must cover whose requests were not refused. */
    void acceptedKeys(Host host) {
        for (CapturedPacket request : direction.requests()) {
            if (!request.isIntact() || refusal(request).isPresent()) {
                continue;
            }
            Packet packet = request.packet();
            switch (packet.operation().family()) {
                case WRITE -> {
                    if (packet.operation().starts() && packet.reth().lengthBytes() != 0) {
                        use(
                                request,
                                packet.reth().rkey(),
                                packet.reth().address(),
                                packet.reth().lengthUnsigned(),
                                host);
                    }
                }
                case READ -> {
                    if (packet.reth().lengthBytes() != 0) {
                        use(
                                request,
                                packet.reth().rkey(),
                                packet.reth().address(),
                                packet.reth().lengthUnsigned(),
                                host);
                    }
                }
                case ATOMIC -> {
                    firstAtomics.putIfAbsent(packet.atomicEth().address(), request);
                    use(request, packet.atomicEth().rkey(), packet.atomicEth().address(), Long.BYTES, host);
                }
                case SEND_WITH_INVALIDATE -> {
                    firstUses.putIfAbsent(packet.ieth().rkey(), request);
                    host.requireWindow(packet.ieth().rkey());
                }
                case SEND, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION -> {}
            }
        }
    }

    private void use(CapturedPacket request, int key, long address, long lengthBytes, Host host) {
        firstUses.putIfAbsent(key, request);
        host.requireRange(key, address, lengthBytes);
    }

    Optional<CapturedPacket> firstUse(int key) {
        return Optional.ofNullable(firstUses.get(key));
    }

    Optional<CapturedPacket> firstAtomicAt(ExtendedHeader.AtomicEth atomic) {
        return Optional.ofNullable(firstAtomics.get(atomic.address()));
    }

    /** True if all responses of the message were captured, and none of it was requested again. */
    boolean isDone(Messages.Message message) {
        boolean read = message.family() == Operation.Family.READ;
        int from = read ? message.firstPsn() : message.lastPsn();
        for (int psn = from; Psn.compare(psn, message.lastPsn()) <= 0; psn = Psn.plus(psn, 1)) {
            if (!isAcknowledged(psn, read)) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many of these messages, in order, the capture shows to be done. */
    int done(List<Messages.Message> posted) {
        int done = 0;
        while (done < posted.size() && (direction.transport() == TransportClass.UC || isDone(posted.get(done)))) {
            done++;
        }
        return done;
    }

    private boolean isAcknowledged(int psn, boolean data) {
        return data
                ? answers(psn).reversed().stream()
                        .filter(answer -> answer.packet().operation().isReadResponse())
                        .findFirst()
                        .filter(last -> !isRepeatedAfter(psn, last))
                        .isPresent()
                : Optional.ofNullable(confirmedIn.ceilingEntry(offset(psn)))
                        .filter(last -> !isRepeatedAfter(psn, last.getValue()))
                        .isPresent();
    }

    private static boolean isPositive(CapturedPacket answer) {
        return answer.packet().operation() != Operation.ACKNOWLEDGE
                || Syndrome.isAck(answer.packet().aeth().syndrome());
    }

    /** Returns the responses to a READ from that frame on, one for each PSN. */
    List<CapturedPacket> responses(CapturedPacket read, int fromFrame, ComparisonLimits effort) {
        int from = offset(read.psn());
        List<CapturedPacket> responses = new ArrayList<>();
        for (List<CapturedPacket> same :
                responsesAt.subMap(from, from + packetsOf(read)).values()) {
            effort.takes(ComparisonLimits.TURN);
            if (effort.isSpent()) {
                break;
            }
            after(fromFrame - 1, same).stream().findFirst().ifPresent(responses::add);
        }
        return responses;
    }

    Optional<CapturedPacket> atomicResponse(CapturedPacket atomic, int fromFrame) {
        return after(fromFrame - 1, answers(atomic.psn())).stream()
                .filter(answer -> answer.operation() == Operation.ATOMIC_ACKNOWLEDGE)
                .findFirst();
    }
}
