// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;

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

    Foresight(Leg leg) {
        this.leg = leg;
        packets = leg.packets();

        for (Heard heard : packets) {
            if (heard.isIntact()) {
                (heard.isResponse() ? answersByPsn : requestsByPsn)
                        .computeIfAbsent(heard.psn(), any -> new ArrayList<>())
                        .add(heard);
            }
        }
    }

    private List<Heard> answers(int psn) {
        return answersByPsn.getOrDefault(psn, List.of());
    }

    private OptionalInt nextFrameOf(Heard request) {
        return requestsByPsn.getOrDefault(request.psn(), List.of()).stream()
                .mapToInt(Heard::frame)
                .filter(frame -> frame > request.frame())
                .findFirst();
    }

    /**
     * Nobody misses that packet, whatever it was: something was sent again later, the same came once more, a later answer says
     * the same and more; or its number is so far from all others that it may be of another conversation.
     */
    boolean isMissed(Heard packet) {
        return isFollowedByRetransmission(packet)
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
        return answer.packet().payload().length() == 0
                && packets.stream()
                        .anyMatch(later -> later.isResponse() && later.isIntact() && later.frame() > answer.frame());
    }

    /** No request that arrived whole has asked for that number or one near it. */
    private boolean isFarOff(int psn) {
        int first = firstCaptured();
        int offset = Psn.compare(psn, first);
        boolean near = leg.requests().stream().filter(Heard::isIntact).anyMatch(request -> {
            int from = Psn.compare(request.psn(), first);
            return offset >= from - MOST_MISSING && offset < from + packetsOf(request) + MOST_MISSING;
        });
        return !near;
    }

    private int packetsOf(Heard request) {
        return request.operation() == Operation.READ_REQUEST
                ? Psn.packets(
                        request.packet().reth().lengthUnsigned(), leg.mtu().bytes())
                : 1;
    }

    private boolean isFollowedByRetransmission(Heard packet) {
        OptionalInt newest = OptionalInt.empty();
        for (Heard request : leg.requests()) {
            if (!request.isIntact()) {
                continue;
            }
            boolean again = newest.isPresent() && Psn.compare(request.psn(), newest.getAsInt()) <= 0;
            if (again && request.frame() > packet.frame()) {
                return true;
            }
            newest = again ? newest : OptionalInt.of(request.psn());
        }
        return false;
    }

    /** Its PSN is requested more than once. */
    boolean isRepeated(Heard request) {
        return requestsByPsn.getOrDefault(request.psn(), List.of()).size() > 1;
    }

    // rule rc-cumulative-ack
    /** An answer that was captured after that request acknowledges all up to that PSN. */
    boolean isAcknowledgedAfter(int psn, Heard request) {
        return packets.stream()
                .filter(answer -> answer.frame() > request.frame() && answer.isResponse() && answer.isIntact())
                .anyMatch(answer -> Psn.compare(answer.psn(), psn) >= (isPositive(answer) ? 0 : 1));
    }

    /** The same PSN is requested again later. */
    boolean isSentAgain(Heard request) {
        return nextFrameOf(request).isPresent();
    }

    /** A request with this PSN or one before it follows after that one. */
    boolean isRepeatedAfter(int psn, Heard request) {
        return packets.stream()
                .anyMatch(heard ->
                        !heard.isResponse() && heard.frame() > request.frame() && Psn.compare(heard.psn(), psn) <= 0);
    }

    /** The syndrome of the NAK that answered just this packet, other than for a gap. */
    OptionalInt refusal(Heard request) {
        int until = nextFrameOf(request).orElse(Integer.MAX_VALUE);
        return answers(request.psn()).stream()
                .filter(answer -> answer.frame() > request.frame()
                        && answer.frame() < until
                        && answer.packet().operation() == Operation.ACKNOWLEDGE)
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
        return leg.requests().stream()
                .filter(request ->
                        request.isIntact() && request.operation().starts() && Psn.compare(request.psn(), psn) > 0)
                .mapToInt(Heard::psn)
                .reduce((one, other) -> Psn.compare(one, other) <= 0 ? one : other);
    }

    /** The same was answered after that request, in whatever order. */
    boolean isAnsweredAfter(Packet answer, Heard request) {
        return answers(answer.psn()).stream()
                .anyMatch(other -> other.frame() > request.frame()
                        && other.operation() == answer.operation()
                        && other.packet().payload().equals(answer.payload()));
    }

    /** A READ that asks for the rest of one before. */
    boolean isPartOfEarlier(Heard read) {
        return leg.requests().stream()
                .takeWhile(earlier -> earlier.frame() < read.frame())
                .filter(earlier -> earlier.packet().operation() == Operation.READ_REQUEST)
                .anyMatch(earlier -> {
                    int offset = Psn.compare(read.psn(), earlier.psn());
                    int count = Psn.packets(
                            earlier.packet().reth().lengthUnsigned(), leg.mtu().bytes());
                    return offset > 0 && offset < count;
                });
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
        return packets.stream()
                .filter(answer -> answer.isResponse() && answer.isIntact())
                .filter(answer -> data
                        ? answer.psn() == psn && answer.packet().operation().isReadResponse()
                        : Psn.compare(answer.psn(), psn) >= 0 && isPositive(answer))
                .anyMatch(answer -> !isRepeatedAfter(psn, answer));
    }

    private static boolean isPositive(Heard answer) {
        return answer.packet().operation() != Operation.ACKNOWLEDGE
                || Syndrome.isAck(answer.packet().aeth().syndrome());
    }

    /** What a READ got from that frame on: each of its packets once. */
    List<Heard> responses(Heard read, int fromFrame) {
        int packetsOfIt =
                Psn.packets(read.packet().reth().lengthUnsigned(), leg.mtu().bytes());
        return IntStream.range(0, Math.min(packetsOfIt, CapturedTraffic.MOST_PACKETS))
                .mapToObj(i -> answers(Psn.plus(read.psn(), i)).stream()
                        .filter(answer -> answer.frame() >= fromFrame
                                && answer.operation().isReadResponse())
                        .findFirst())
                .flatMap(Optional::stream)
                .toList();
    }

    Optional<Heard> atomicResponse(Heard atomic, int fromFrame) {
        return answers(atomic.psn()).stream()
                .filter(answer -> answer.frame() >= fromFrame && answer.operation() == Operation.ATOMIC_ACKNOWLEDGE)
                .findFirst();
    }
}
