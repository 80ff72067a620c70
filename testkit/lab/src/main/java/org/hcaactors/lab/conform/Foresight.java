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

/** What the later packets of a capture tell about an earlier one: whether it arrived, what it met, what memory held. */
final class Foresight {

    /** Packets at most that may have been lost before the first that was captured. */
    private static final int MOST_MISSING = 64;

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

    /** Something was sent again after that packet: it, or another, was missed. */
    boolean isFollowedByRetransmission(Heard packet) {
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

    /** A NAK for just this PSN came before it was sent again: its receiver never got it. */
    boolean wasLost(Heard request) {
        int until = nextFrameOf(request).orElse(Integer.MAX_VALUE);
        return answers(request.psn()).stream()
                .anyMatch(answer -> answer.frame() > request.frame()
                        && answer.frame() < until
                        && answer.packet().operation() == Operation.ACKNOWLEDGE
                        && answer.packet().aeth().syndrome() == Syndrome.NAK_PSN_SEQUENCE);
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

    /** The PSN of the first request: as noted, if the capture can begin there, else the first that was captured. */
    int firstPsn(OptionalInt noted) {
        int captured = leg.requests().getFirst().psn();
        boolean fits = noted.isPresent()
                && Psn.compare(captured, noted.getAsInt()) >= 0
                && Psn.compare(captured, noted.getAsInt()) < MOST_MISSING;
        return fits ? noted.getAsInt() : captured;
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
                case SEND, SEND_WITH_INVALIDATE, READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY -> {}
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

    /** The responses that a READ got, until it was asked again. */
    List<Heard> responses(Heard read) {
        int packetsOfIt =
                Psn.packets(read.packet().reth().lengthUnsigned(), leg.mtu().bytes());
        return IntStream.range(0, Math.min(packetsOfIt, Traffic.MOST_PACKETS))
                .mapToObj(i -> answers(Psn.plus(read.psn(), i)))
                .flatMap(List::stream)
                .filter(answer -> answer.frame() > read.frame()
                        && answer.packet().operation().isReadResponse())
                .toList();
    }

    Optional<Heard> atomicResponse(Heard atomic) {
        return answers(atomic.psn()).stream()
                .filter(answer ->
                        answer.frame() > atomic.frame() && answer.packet().operation() == Operation.ATOMIC_ACKNOWLEDGE)
                .findFirst();
    }
}
