// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.views.flow.Wording;

/** What our responder has answered, and what of it was captured. */
final class OwnResponses {
    private static final int REMEMBERED = 256;

    /** Answers of ours at most that a captured one is compared with field by field. */
    private static final int MAX_COMPARED = 256;

    /**
     * @param serial counts what our machine sent
     * @param turn counts the requests that it was given
     * @param after the request that it followed
     * @param again the request was answered before; only a captured answer shows that it arrived once more
     */
    private record Own(long serial, long turn, Packet packet, CapturedPacket after, boolean again) {}

    private final LaterEvidence foresight;
    private final UnknownNumbers unknown;
    private final ComparisonBuilder tally;

    /** Not captured so far. */
    private final TreeMap<Long, Own> open = new TreeMap<>();

    private final Map<Integer, TreeMap<Long, Own>> openByPsn = new HashMap<>();

    /** Not captured before an answer to something later was; a wire may still bring them. */
    private final Deque<Own> passed = new ArrayDeque<>();

    private OptionalInt msnOffset = OptionalInt.empty();

    /** Learned from what may have been answered again, and so counts more than when it was answered first. */
    private boolean isMsnGuessed;

    private long turns;
    private long serials;
    private long newestMatched;

    /** @param unknown what our machine is not given */
    OwnResponses(LaterEvidence foresight, UnknownNumbers unknown, ComparisonBuilder tally) {
        this.foresight = foresight;
        this.unknown = unknown;
        this.tally = tally;
    }

    /** The captured numbers of messages are ours: both count from the beginning. */
    void countFromTheBeginning() {
        msnOffset = OptionalInt.of(0);
    }

    /** Messages are counted from somewhere else now. */
    void countAnew() {
        msnOffset = OptionalInt.empty();
        isMsnGuessed = false;
    }

    /** Where the captured numbers of messages begin is known. */
    boolean isCounting() {
        return msnOffset.isPresent();
    }

    int msnOffset() {
        return msnOffset.orElse(0);
    }

    /** Those that it can be compared with: of its number, and the oldest; {@value #MOST_COMPARED} at most. */
    List<Packet> open(CapturedPacket captured) {
        return Stream.concat(same(captured), open.values().stream())
                .limit(MAX_COMPARED)
                .map(Own::packet)
                .toList();
    }

    /** With its number, in order. */
    private Stream<Own> same(CapturedPacket captured) {
        return openByPsn.getOrDefault(captured.psn(), new TreeMap<>()).values().stream();
    }

    private void closes(Own mine) {
        open.remove(mine.serial);
        TreeMap<Long, Own> same = openByPsn.get(mine.packet.psn());
        if (same != null) {
            same.remove(mine.serial);
            if (same.isEmpty()) {
                openByPsn.remove(mine.packet.psn());
            }
        }
    }

    // rule rc-duplicate
    /**
     * Our machine gave another answer with that number, and none that only counts other messages. What acknowledges or tells a gap
     * may be brought about by a packet that our machine was not given.
     */
    boolean saysOtherwise(CapturedPacket captured) {
        if (isPlainAck(captured.packet()) || captured.isSequenceNak()) {
            return false;
        }
        List<Packet> same = same(captured).limit(MAX_COMPARED).map(Own::packet).toList();
        tally.effort().takes((long) ComparisonLimits.CONTRAST * same.size());
        return !same.isEmpty()
                && same.stream()
                        .map(mine -> PacketDiff.between(captured.packet(), mine, msnOffset()))
                        .noneMatch(OwnResponses::isCountAlone);
    }

    private static boolean isCountAlone(List<FieldDifference> fields) {
        return fields.size() == 1 && fields.getFirst().field().equals(PacketDiff.MSN);
    }

    /** @param again the request is a duplicate */
    void sent(List<Packet> packets, CapturedPacket after, boolean again) {
        turns++;
        for (Packet packet : packets) {
            Own mine = new Own(++serials, turns, packet, after, again);
            open.put(mine.serial, mine);
            openByPsn.computeIfAbsent(packet.psn(), any -> new TreeMap<>()).put(mine.serial, mine);
        }
    }

    /** Takes back what it sent in its last turn, which explained nothing. */
    void takeBackTurn() {
        while (!open.isEmpty() && open.lastEntry().getValue().turn == turns) {
            closes(open.lastEntry().getValue());
        }
    }

    /** The captured answer is one that our machine gave and that is due; that is counted. */
    boolean take(CapturedPacket captured) {
        return take(same(captured), captured, this::isSame) && matched();
    }

    /** The captured answer goes on where ours begins anew; that is counted. */
    boolean takeReplay(CapturedPacket captured) {
        boolean replay = take(same(captured), captured, this::isReplay);
        if (replay) {
            tally.differs(Difference.RXE_READ_REPLAY);
        }
        return replay;
    }

    /** The captured answer is one of ours that others have overtaken; that is counted. */
    boolean takeLate(CapturedPacket captured) {
        return take(passed.stream(), captured, this::isSame) && matched();
    }

    /**
     * The captured answer is one of ours to a duplicate but for the count of messages: the real one answered earlier.
     *
     * @param messagesOf how many were complete with the one of that request
     */
    boolean isOlder(CapturedPacket captured, ToIntFunction<CapturedPacket> messagesOf) {
        return Stream.concat(same(captured), passed.stream())
                .filter(mine -> mine.again
                        && mine.packet.psn() == captured.psn()
                        && isSameButFewer(mine.packet, captured.packet()))
                .anyMatch(mine -> Psn.compare(
                                captured.packet().aeth().msn(),
                                Psn.plus(messagesOf.applyAsInt(mine.after), msnOffset()))
                        >= 0);
    }

    private boolean isSameButFewer(Packet mine, Packet captured) {
        tally.effort().takes(ComparisonLimits.CONTRAST);
        List<FieldDifference> fields = PacketDiff.between(captured, mine, msnOffset());
        return isCountAlone(fields)
                && Psn.compare(captured.aeth().msn(), Psn.plus(mine.aeth().msn(), msnOffset())) < 0;
    }

    private boolean matched() {
        tally.matched();
        return true;
    }

    private boolean take(Stream<Own> from, CapturedPacket captured, BiPredicate<Own, Packet> fits) {
        Optional<Own> taken = from.filter(mine -> {
                    tally.effort().takes(1);
                    return fits.test(mine, captured.packet());
                })
                .findFirst();
        taken.ifPresent(mine -> {
            closes(mine);
            passed.removeIf(one -> one.serial == mine.serial);
            if (captured.operation().isReadResponse()) {
                tally.given(TakenFromCapture.READ_DATA);
            }
            newestMatched = Math.max(newestMatched, mine.serial);
            pass(mine);
        });
        return taken.isPresent();
    }

    /** What our machine answered before stays without counterpart, unless the wire changed the order. */
    private void pass(Own matched) {
        while (!open.isEmpty() && open.firstKey() <= matched.serial) {
            Own mine = open.firstEntry().getValue();
            closes(mine);
            if (isCoalesced(mine, matched) && !foresight.isSentAgain(mine.after)) {
                tally.lacks(Difference.ACK_COALESCED);
            } else {
                remember(mine);
            }
        }
    }

    /** A NAK acknowledges what is before it, any other answer itself, too. */
    private static boolean isCoalesced(Own mine, Own matched) {
        int acknowledged = isPositive(matched.packet) ? matched.packet.psn() : Psn.plus(matched.packet.psn(), -1);
        return isPlainAck(mine.packet) && Psn.compare(mine.packet.psn(), acknowledged) <= 0;
    }

    private void remember(Own mine) {
        passed.addLast(mine);
        if (passed.size() > REMEMBERED) {
            unseen(passed.removeFirst());
        }
    }

    private static boolean isPlainAck(Packet packet) {
        return packet.opcode() == Opcode.RC_ACKNOWLEDGE && isPositive(packet);
    }

    private static boolean isPositive(Packet packet) {
        return packet.opcode() != Opcode.RC_ACKNOWLEDGE
                || Syndrome.isAck(packet.aeth().syndrome());
    }

    /** The capture is over. What our machine sent behind all that was captured lies behind its end. */
    void end() {
        for (Own mine : open.values()) {
            if (mine.serial > newestMatched) {
                tally.lacks(Difference.CUT_OFF);
            } else {
                unseen(mine);
            }
        }
        passed.forEach(this::unseen);
    }

    /** The capture has no counterpart: only if it was asked for or given again there was one, and it was lost. */
    private void unseen(Own mine) {
        if (isPlainAck(mine.packet) && foresight.isAcknowledgedAfter(mine.packet.psn(), mine.after)) {
            tally.lacks(Difference.ACK_COALESCED);
        } else if (mine.again
                || foresight.isRepeatedAfter(mine.packet.psn(), mine.after)
                || foresight.isAnsweredAfter(mine.packet, mine.after)) {
            tally.lacks(Difference.LOST_BEFORE);
        } else if (unknown.isSomething()) {
            tally.lacks(Difference.UNTOLD);
        } else {
            tally.mismatch(
                    mine.after.frame(),
                    "no answer to " + Wording.of(mine.after.packet()),
                    Wording.of(mine.packet),
                    new FieldDifference("answer", FieldDifference.NONE, Wording.of(mine.packet)));
        }
    }

    /** All but the place is the same, and the request asked for a part of what was asked for before. */
    private boolean isReplay(Own mine, Packet captured) {
        Operation own = mine.packet.operation();
        Operation theirs = captured.operation();
        boolean goesOn = own == Operation.READ_RESPONSE_FIRST && theirs == Operation.READ_RESPONSE_MIDDLE
                || own == Operation.READ_RESPONSE_ONLY && theirs == Operation.READ_RESPONSE_LAST;
        return goesOn
                && foresight.isPartOfEarlier(mine.after)
                && mine.packet.psn() == captured.psn()
                && mine.packet.payload().equals(captured.payload())
                && (theirs == Operation.READ_RESPONSE_MIDDLE || isSame(mine, mine.packet.aeth(), captured.aeth()));
    }

    private boolean isSame(Own own, Packet captured) {
        Packet mine = own.packet;
        if (!mine.bth().equals(captured.bth()) || !mine.payload().equals(captured.payload())) {
            return false;
        }
        // The first header has the number, and what is learned of it counts only where all others are the same.
        for (int i = mine.extended().size() - 1; i >= 0; i--) {
            if (!isSame(own, mine.extended().get(i), captured.extended().get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(Own own, ExtendedHeader mine, ExtendedHeader captured) {
        return mine instanceof ExtendedHeader.Aeth ours && captured instanceof ExtendedHeader.Aeth theirs
                ? ours.syndrome() == theirs.syndrome() && counts(own, Psn.compare(theirs.msn(), ours.msn()))
                : mine.equals(captured);
    }

    /** @param ahead what the captured number of messages is ahead of ours */
    private boolean counts(Own own, int ahead) {
        boolean again = foresight.isRepeated(own.after);
        if (msnOffset.isEmpty()) {
            isMsnGuessed = again;
            msnOffset = OptionalInt.of(ahead);
            if (ahead != 0) {
                tally.given(TakenFromCapture.FIRST_MSN);
            }
            return true;
        }
        // An answer counts at least what was complete when our machine gave it for the first time.
        if (isMsnGuessed && !own.again && ahead < msnOffset.getAsInt()) {
            msnOffset = OptionalInt.of(ahead);
        }
        boolean same = ahead == msnOffset.getAsInt();
        isMsnGuessed &= !same || again;
        return same;
    }
}
