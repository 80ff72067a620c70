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

/** Responses of the machine, and which of them were captured. */
final class OwnResponses {
    private static final int REMEMBERED = 256;

    /** Maximum number of the machine's responses that a captured one is compared with field by field. */
    private static final int MAX_COMPARED = 256;

    /**
     * @param serial sequence number among the packets that the machine sent
     * @param turn sequence number of the request that the machine was handling
     * @param after the request that it followed
     * @param again the request was answered before; only a captured response shows that it arrived once more
     */
    private record Own(long serial, long turn, Packet packet, CapturedPacket after, boolean again) {}

    private final LaterEvidence laterEvidence;
    private final UnknownNumbers unknown;
    private final ComparisonBuilder tally;

    /** Not captured so far. */
    private final TreeMap<Long, Own> open = new TreeMap<>();

    private final Map<Integer, TreeMap<Long, Own>> openByPsn = new HashMap<>();

    /** Not captured before the response to a later request; they may still follow, if the network delayed them. */
    private final Deque<Own> passed = new ArrayDeque<>();

    private OptionalInt msnOffset = OptionalInt.empty();

    /**
     * True if the offset was learned from a request that may have been answered again, so that its MSN is larger than at the
     * first time.
     */
    private boolean isMsnGuessed;

    private long turns;
    private long serials;
    private long newestMatched;

    /** @param unknown packets that the machine does not receive */
    OwnResponses(LaterEvidence laterEvidence, UnknownNumbers unknown, ComparisonBuilder tally) {
        this.laterEvidence = laterEvidence;
        this.unknown = unknown;
        this.tally = tally;
    }

    /** Sets the MSN offset to 0: capture and machine both count from the beginning. */
    void countFromTheBeginning() {
        msnOffset = OptionalInt.of(0);
    }

    /** Forgets the MSN offset, because messages are counted from another PSN now. */
    void resetMsnOffset() {
        msnOffset = OptionalInt.empty();
        isMsnGuessed = false;
    }

    /** True if the MSN offset is known. */
    boolean isCounting() {
        return msnOffset.isPresent();
    }

    int msnOffset() {
        return msnOffset.orElse(0);
    }

    /** Returns the responses to compare with: those with its PSN, then the oldest; at most {@value #MAX_COMPARED}. */
    List<Packet> open(CapturedPacket captured) {
        return Stream.concat(same(captured), open.values().stream())
                .limit(MAX_COMPARED)
                .map(Own::packet)
                .toList();
    }

    /** Returns those with its PSN, in order. */
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
     * True if the machine gave other responses with that PSN, which differ in more than the MSN. An acknowledgement or a
     * sequence NAK may be caused by a packet that the machine did not receive.
     */
    boolean differs(CapturedPacket captured) {
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

    /** Takes back the packets of the machine's last turn, which explained nothing. */
    void takeBackTurn() {
        while (!open.isEmpty() && open.lastEntry().getValue().turn == turns) {
            closes(open.lastEntry().getValue());
        }
    }

    /** True if the captured response equals one of the machine that is due; counts it. */
    boolean take(CapturedPacket captured) {
        return take(same(captured), captured, this::isSame) && matched();
    }

    /** True if the captured READ response continues where the machine restarts; counts it. */
    boolean takeReplay(CapturedPacket captured) {
        boolean replay = take(same(captured), captured, this::isReplay);
        if (replay) {
            tally.differs(Difference.RXE_READ_REPLAY);
        }
        return replay;
    }

    /** True if the captured response equals one of the machine that others have overtaken; counts it. */
    boolean takeLate(CapturedPacket captured) {
        return take(passed.stream(), captured, this::isSame) && matched();
    }

    /**
     * True if the captured response equals one of the machine to a duplicate except for a smaller MSN: the real responder
     * answered earlier.
     *
     * @param messagesOf number of messages that were complete with the one of that request
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
                tally.takenFromCapture(TakenFromCapture.READ_DATA);
            }
            newestMatched = Math.max(newestMatched, mine.serial);
            pass(mine);
        });
        return taken.isPresent();
    }

    /** Earlier responses of the machine remain without counterpart, unless the network reordered them. */
    private void pass(Own matched) {
        while (!open.isEmpty() && open.firstKey() <= matched.serial) {
            Own mine = open.firstEntry().getValue();
            closes(mine);
            if (isCoalesced(mine, matched) && !laterEvidence.isSentAgain(mine.after)) {
                tally.lacks(Difference.ACK_COALESCED);
            } else {
                remember(mine);
            }
        }
    }

    /** A NAK acknowledges the PSNs before its own, any other response also its own. */
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

    /** Called at the end of the capture. Packets that the machine sent after its last captured one are after the end. */
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

    /**
     * Counts a response without counterpart: if it was requested or given again, there was one and it was lost; otherwise it is
     * a mismatch.
     */
    private void unseen(Own mine) {
        if (isPlainAck(mine.packet) && laterEvidence.isAcknowledgedAfter(mine.packet.psn(), mine.after)) {
            tally.lacks(Difference.ACK_COALESCED);
        } else if (mine.again
                || laterEvidence.isRepeatedAfter(mine.packet.psn(), mine.after)
                || laterEvidence.isAnsweredAfter(mine.packet, mine.after)) {
            tally.lacks(Difference.LOST_BEFORE);
        } else if (unknown.isSomething()) {
            tally.lacks(Difference.UNTOLD);
        } else {
            tally.mismatch(
                    mine.after.frame(),
                    "the capture contains no answer to " + Wording.of(mine.after.packet()),
                    Wording.of(mine.packet),
                    new FieldDifference("answer", FieldDifference.NONE, Wording.of(mine.packet)));
        }
    }

    /** True if only the position (First, Middle, Last, Only) differs, and the request was for the rest of an earlier READ. */
    private boolean isReplay(Own mine, Packet captured) {
        Operation own = mine.packet.operation();
        Operation theirs = captured.operation();
        boolean goesOn = own == Operation.READ_RESPONSE_FIRST && theirs == Operation.READ_RESPONSE_MIDDLE
                || own == Operation.READ_RESPONSE_ONLY && theirs == Operation.READ_RESPONSE_LAST;
        return goesOn
                && laterEvidence.isPartOfEarlier(mine.after)
                && mine.packet.psn() == captured.psn()
                && mine.packet.payload().equals(captured.payload())
                && (theirs == Operation.READ_RESPONSE_MIDDLE || isSame(mine, mine.packet.aeth(), captured.aeth()));
    }

    private boolean isSame(Own own, Packet captured) {
        Packet mine = own.packet;
        if (!mine.bth().equals(captured.bth()) || !mine.payload().equals(captured.payload())) {
            return false;
        }
        // The first header has the MSN, and the offset may be learned only if all other headers are equal.
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

    /** @param ahead captured MSN minus the machine's MSN */
    private boolean counts(Own own, int ahead) {
        boolean again = laterEvidence.isRepeated(own.after);
        if (msnOffset.isEmpty()) {
            isMsnGuessed = again;
            msnOffset = OptionalInt.of(ahead);
            if (ahead != 0) {
                tally.takenFromCapture(TakenFromCapture.FIRST_MSN);
            }
            return true;
        }
        // A response counts at least the messages that were complete when the machine gave it for the first time.
        if (isMsnGuessed && !own.again && ahead < msnOffset.getAsInt()) {
            msnOffset = OptionalInt.of(ahead);
        }
        boolean same = ahead == msnOffset.getAsInt();
        isMsnGuessed &= !same || again;
        return same;
    }
}
