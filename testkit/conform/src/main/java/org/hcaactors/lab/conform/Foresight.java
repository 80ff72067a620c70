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

/** What the later packets of a capture tell about an earlier one: whether it arrived, what it met, what memory held. */
final class Foresight {

    /** Packets at most that may have been lost before the first that was captured. */
    private static final int MOST_MISSING = 64;

    /** Packets at most by which one may come too late. */
    private static final int MOST_BEHIND = 1 << 12;

    private final Leg leg;
    private final List<Heard> packets;
    private final Map<Integer, List<Heard>> requestsByPsn = new HashMap<>();
    private final Map<Integer, List<Heard>> answersByPsn = new HashMap<>();
    private final Map<Integer, Heard> firstUses = new LinkedHashMap<>();
    private final Map<Long, Heard> firstAtomics = new LinkedHashMap<>();

    /** Numbers count from here; those of ordinary captures lie far less than half of all apart. */
    private final int base;

    /** The last frame of an answer that acknowledges so far at least; a refusal what is before it. */
    private final TreeMap<Integer, Integer> acknowledgedIn = new TreeMap<>();

    /** The same of answers that are no refusals. */
    private final TreeMap<Integer, Integer> confirmedIn = new TreeMap<>();

    /** The last frame of a request with such a number or one before it. */
    private final TreeMap<Integer, Integer> requestedIn = new TreeMap<>();

    /** Where messages begin. */
    private final TreeSet<Integer> starts = new TreeSet<>();

    private final TreeMap<Integer, List<Heard>> responsesAt = new TreeMap<>();
    private final Stretches near = new Stretches();
    private final Set<Integer> partsOfEarlier = new HashSet<>();
    private int lastAgain;
    private int lastAnswer;

    Foresight(Leg leg) {
        this.leg = leg;
        packets = leg.packets();
        base = firstCaptured();
        for (Heard heard : packets) {
            if (heard.isIntact()) {
                (heard.isResponse() ? answersByPsn : requestsByPsn)
                        .computeIfAbsent(heard.psn(), any -> new ArrayList<>())
                        .add(heard);
                if (heard.operation().isReadResponse()) {
                    responsesAt
                            .computeIfAbsent(offset(heard.psn()), any -> new ArrayList<>())
                            .add(heard);
                }
                lastAnswer = heard.isResponse() ? heard.frame() : lastAnswer;
            }
        }
        count();
        packets.reversed().forEach(this::countBack);
    }

    private void count() {
        Stretches read = new Stretches();
        OptionalInt newest = OptionalInt.empty();
        for (Heard request : leg.requests()) {
            if (request.isIntact()) {
                boolean again = newest.isPresent() && Psn.compare(request.psn(), newest.getAsInt()) <= 0;
                lastAgain = again ? request.frame() : lastAgain;
                newest = again ? newest : OptionalInt.of(request.psn());
                passes(request, read);
            }
        }
    }

    private void passes(Heard request, Stretches read) {
        long at = offset(request.psn());
        int count = packetsOf(request);
        near.add(at - MOST_MISSING, at + count + MOST_MISSING);
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

    private void countBack(Heard heard) {
        int at = offset(heard.psn());
        if (!heard.isResponse()) {
            if (requestedIn.isEmpty() || at < requestedIn.firstKey()) {
                requestedIn.put(at, heard.frame());
            }
        } else if (heard.isIntact()) {
            record(acknowledgedIn, isPositive(heard) ? at : at - 1, heard.frame());
            if (isPositive(heard)) {
                record(confirmedIn, at, heard.frame());
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

    /** With that number, in order. */
    List<Heard> answers(int psn) {
        return answersByPsn.getOrDefault(psn, List.of());
    }

    /** Those of a later frame. */
    private static List<Heard> after(int frame, List<Heard> inOrder) {
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

    private OptionalInt nextFrameOf(Heard request) {
        List<Heard> again = after(request.frame(), requestsByPsn.getOrDefault(request.psn(), List.of()));
        return again.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(again.getFirst().frame());
    }

    /**
     * Nobody misses that packet, whatever it was: something was sent again later, the same came once more, a later answer says
     * the same and more; or its number is so far from all others that it may be of another conversation.
     */
    boolean isMissed(Heard packet) {
        return lastAgain > packet.frame()
                || cameOnceMore(packet)
                || packet.isResponse() && isFollowedByAnswer(packet)
                || isFarOff(packet.psn());
    }

    /** Before or after: what was asked for twice, or doubled by the wire, may come broken once. */
    private boolean cameOnceMore(Heard packet) {
        if (!packet.isResponse()) {
            return isRequested(packet.psn());
        }
        boolean plain = packet.operation() == Operation.ACKNOWLEDGE;
        return answers(packet.psn()).stream().anyMatch(other -> plain == (other.operation() == Operation.ACKNOWLEDGE));
    }

    private boolean isFollowedByAnswer(Heard answer) {
        return answer.packet().payload().length() == 0 && lastAnswer > answer.frame();
    }

    /** No request that arrived whole has asked for that number or one near it. */
    private boolean isFarOff(int psn) {
        return !near.contains(offset(psn));
    }

    private int packetsOf(Heard request) {
        return request.operation() == Operation.READ_REQUEST
                ? Psn.packets(
                        request.packet().reth().lengthUnsigned(), leg.mtu().bytes())
                : 1;
    }

    /** Its PSN is requested more than once. */
    boolean isRepeated(Heard request) {
        return requestsByPsn.getOrDefault(request.psn(), List.of()).size() > 1;
    }

    // rule rc-cumulative-ack
    /** An answer that was captured after that request acknowledges all up to that PSN. */
    boolean isAcknowledgedAfter(int psn, Heard request) {
        return isLater(acknowledgedIn.ceilingEntry(offset(psn)), request.frame());
    }

    private static boolean isLater(Map.@Nullable Entry<Integer, Integer> last, int frame) {
        return last != null && last.getValue() > frame;
    }

    /** The same PSN is requested again later. */
    boolean isSentAgain(Heard request) {
        return nextFrameOf(request).isPresent();
    }

    /** A request with this PSN or one before it follows after that one. */
    boolean isRepeatedAfter(int psn, Heard request) {
        return isRepeatedAfter(psn, request.frame());
    }

    private boolean isRepeatedAfter(int psn, int frame) {
        return isLater(requestedIn.floorEntry(offset(psn)), frame);
    }

    /** The syndrome of the NAK that answered just this packet, other than for a gap. */
    OptionalInt refusal(Heard request) {
        int until = nextFrameOf(request).orElse(Integer.MAX_VALUE);
        return after(request.frame(), answers(request.psn())).stream()
                .takeWhile(answer -> answer.frame() < until)
                .filter(answer -> answer.packet().operation() == Operation.ACKNOWLEDGE)
                .mapToInt(answer -> answer.packet().aeth().syndrome())
                .filter(syndrome -> !Syndrome.isAck(syndrome) && syndrome != Syndrome.NAK_PSN_SEQUENCE)
                .findFirst();
    }

    /** The first PSN as noted, if the capture can begin there. */
    OptionalInt fitting(OptionalInt noted) {
        int captured = firstCaptured();
        boolean fits = noted.isPresent()
                && Psn.compare(captured, noted.getAsInt()) >= 0
                && Psn.compare(captured, noted.getAsInt()) < MOST_MISSING;
        return fits ? noted : OptionalInt.empty();
    }

    private int firstCaptured() {
        return leg.requests().stream()
                .filter(Heard::isIntact)
                .findFirst()
                .orElse(leg.requests().getFirst())
                .psn();
    }

    /** The least PSN that was requested; not always that of the first packet, where the wire changed the order. */
    int firstPsn(OptionalInt noted) {
        return fitting(noted).orElseGet(() -> least(leg.requests(), firstCaptured()));
    }

    private static int least(List<Heard> requests, int first) {
        int least = first;
        for (Heard request : requests) {
            int ahead = Psn.compare(request.psn(), least);
            if (request.isIntact() && ahead < 0 && ahead > -MOST_BEHIND) {
                least = request.psn();
            }
        }
        return least;
    }

    /**
     * The PSN that the responder expects in the beginning, as far as what was captured up to its first answer tells; where
     * the capture begins inside of a message, that of the next one.
     */
    int firstExpectedPsn(OptionalInt noted) {
        if (fitting(noted).isPresent()) {
            return noted.getAsInt();
        }
        int captured = firstCaptured();
        Heard first = leg.answers().stream()
                .filter(answer -> answer.isIntact() && isNear(answer.psn(), captured))
                .findFirst()
                .orElse(leg.packets().getLast());
        List<Heard> before = leg.requests().stream()
                .filter(request -> request.frame() < first.frame())
                .toList();
        int least = least(before, before.isEmpty() ? captured : firstCaptured());
        boolean names = first.isSequenceNak() && Psn.compare(first.psn(), least) < 0;
        int expected = names ? first.psn() : least;
        return isRequested(expected) ? nextStart(Psn.plus(expected, -1)).orElse(expected) : expected;
    }

    private static boolean isNear(int psn, int other) {
        return Math.abs(Psn.compare(psn, other)) < MOST_BEHIND;
    }

    /** That PSN was requested at some time. */
    boolean isRequested(int psn) {
        return requestsByPsn.containsKey(psn);
    }

    /** The PSN of the next message that begins behind that one. */
    OptionalInt nextStart(int psn) {
        Integer next = starts.higher(offset(psn));
        return next == null ? OptionalInt.empty() : OptionalInt.of(Psn.plus(base, next));
    }

    /** The same was answered after that request, in whatever order. */
    boolean isAnsweredAfter(Packet answer, Heard request) {
        return after(request.frame(), answers(answer.psn())).stream()
                .anyMatch(other -> other.operation() == answer.operation()
                        && other.packet().payload().equals(answer.payload()));
    }

    /** A READ that asks for the rest of one before. */
    boolean isPartOfEarlier(Heard read) {
        return partsOfEarlier.contains(read.frame());
    }

    /** The timer code of the first RNR NAK; 12 if there is none. */
    int rnrTimer() {
        return packets.stream()
                .filter(Heard::isResponse)
                .filter(answer -> answer.packet().operation() == Operation.ACKNOWLEDGE)
                .mapToInt(answer -> answer.packet().aeth().syndrome())
                .filter(Syndrome::isRnr)
                .map(syndrome -> syndrome & 0x1F)
                .findFirst()
                .orElse(12);
    }

    /** What every key must cover that was not refused. */
    void acceptedKeys(Host host) {
        for (Heard request : leg.requests()) {
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
                    host.wantWindow(packet.ieth().rkey());
                }
                case SEND, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION -> {}
            }
        }
    }

    private void use(Heard request, int key, long address, long lengthBytes, Host host) {
        firstUses.putIfAbsent(key, request);
        host.want(key, address, lengthBytes);
    }

    Optional<Heard> firstUse(int key) {
        return Optional.ofNullable(firstUses.get(key));
    }

    Optional<Heard> firstAtomicAt(ExtendedHeader.AtomicEth atomic) {
        return Optional.ofNullable(firstAtomics.get(atomic.address()));
    }

    /** All that it waits for was captured, and nothing of it was asked for again. */
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

    /** Of these messages, in order, how many the capture shows to be done. */
    int done(List<Messages.Message> posted) {
        int done = 0;
        while (done < posted.size() && (leg.transport() == TransportClass.UC || isDone(posted.get(done)))) {
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

    private static boolean isPositive(Heard answer) {
        return answer.packet().operation() != Operation.ACKNOWLEDGE
                || Syndrome.isAck(answer.packet().aeth().syndrome());
    }

    /** What a READ got from that frame on: each of its packets once. */
    List<Heard> responses(Heard read, int fromFrame, Effort effort) {
        int from = offset(read.psn());
        List<Heard> responses = new ArrayList<>();
        for (List<Heard> same : responsesAt.subMap(from, from + packetsOf(read)).values()) {
            effort.takes(Effort.TURN);
            if (effort.isSpent()) {
                break;
            }
            after(fromFrame - 1, same).stream().findFirst().ifPresent(responses::add);
        }
        return responses;
    }

    Optional<Heard> atomicResponse(Heard atomic, int fromFrame) {
        return after(fromFrame - 1, answers(atomic.psn())).stream()
                .filter(answer -> answer.operation() == Operation.ATOMIC_ACKNOWLEDGE)
                .findFirst();
    }
}
