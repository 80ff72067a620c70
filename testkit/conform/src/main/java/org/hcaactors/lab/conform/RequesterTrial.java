// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.lab.conform.Messages.Gap;
import org.hcaactors.lab.conform.Messages.Message;
import org.hcaactors.lab.conform.Messages.Piece;
import org.hcaactors.views.flow.Wording;

/**
 * Plays the requester: our machine is given the work that the real one must have had, and the real responder's answers; each
 * packet that it sends is compared with the one that was captured, and its completions with what the program there saw.
 *
 * <p>An answer is handed over as late as the capture allows: when a captured packet can only be explained by it. So our
 * machine acts when the real one did, however long that took to act.
 */
final class RequesterTrial {
    private static final int REMEMBERED = 256;
    private static final int MAX_ROUNDS = 8;

    /** Requests at most that our machine is given, with those that take up the numbers of what the capture lacks. */
    static final int MAX_REQUESTS = 1 << 17;

    /** Packets of ours at most that a captured one is compared with field by field. */
    private static final int MAX_COMPARED = 256;

    /** Work that is ours alone: it takes up the PSNs of what the capture lacks. */
    private static final long FILLER = -1;

    private final PacketDirection leg;
    private final LaterEvidence foresight;
    private final Notes notes;
    private final ComparisonBuilder tally;
    private final StandaloneQueuePair qp;
    private final Host host;
    private final int firstPsn;
    private final RequesterEnd end;
    private final List<Piece> pieces;

    /** The first number behind what our machine is given; empty if that is all. */
    private final OptionalInt far;

    private final TreeMap<Integer, Piece> byOffset = new TreeMap<>();
    private final List<Message> posted = new ArrayList<>();

    /** Of all that our machine was given, in order. */
    private final List<Integer> firstPsns = new ArrayList<>();

    private final Set<Integer> unknownPsns = new HashSet<>();
    private final TreeMap<Long, Pending> ours = new TreeMap<>();

    private final Map<Integer, TreeMap<Long, Pending>> oursByPsn = new HashMap<>();

    /** Ours that were not captured before others were; a wire may still bring them. */
    private final Deque<Pending> passed = new ArrayDeque<>();

    /** Answers that were captured and not handed over yet. */
    private final TreeMap<Integer, CapturedPacket> waiting = new TreeMap<>();

    /** Those that the requester had not heard when it sent again: lost, or late. */
    private final TreeMap<Integer, CapturedPacket> late = new TreeMap<>();

    private final Deque<CapturedPacket> seen = new ArrayDeque<>();
    private final ComparisonLimits effort;
    private int nextPiece;
    private long serials;
    private boolean takenLoosely;

    private record Pending(long serial, Packet packet, int frame) {}

    RequesterTrial(PacketDirection leg, Notes notes, Profiles profiles, ComparisonBuilder tally) {
        this.leg = leg;
        this.notes = notes;
        this.tally = tally;
        foresight = new LaterEvidence(leg);
        firstPsn = foresight.firstPsn(notes.firstPsn(leg.requester(), leg.requesterQp()));
        effort = tally.effort();
        List<Piece> all = Messages.of(leg, firstPsn);
        pieces = upToLimit(all);
        far = pieces.size() == all.size()
                ? OptionalInt.empty()
                : OptionalInt.of(all.get(pieces.size()).firstPsn());
        pieces.forEach(piece -> byOffset.put(Psn.compare(piece.firstPsn(), firstPsn), piece));
        end = RequesterEnd.of(leg, notes, profiles, tally);
        qp = end.connected(requests(), firstPsn);
        host = new Host(qp, bytes(), effort);
    }

    private static List<Piece> upToLimit(List<Piece> all) {
        int requests = 0;
        for (int i = 0; i < all.size(); i++) {
            requests += requests(all.get(i));
            if (requests > MAX_REQUESTS) {
                return List.copyOf(all.subList(0, i));
            }
        }
        return all;
    }

    /** Each PSN of a gap is taken up by a request without data. */
    private static int requests(Piece piece) {
        return switch (piece) {
            case Message message -> 1;
            case Gap gap -> gap.packets();
        };
    }

    private int requests() {
        return pieces.stream().mapToInt(RequesterTrial::requests).sum();
    }

    private long bytes() {
        return pieces.stream()
                .mapToLong(piece -> switch (piece) {
                    case Message message -> message.lengthBytes() + 8;
                    case Gap gap -> 0;
                })
                .sum();
    }

    void run() {
        for (CapturedPacket heard : leg.packets()) {
            if (heard.isResponse()) {
                waiting.put(heard.frame(), heard);
            } else if (effort.isSpent()) {
                tally.leaves(NotCompared.EFFORT, 1);
            } else {
                request(heard);
            }
        }
        ours.values().forEach(mine -> tally.lacks(Difference.CUT_OFF));
        conclude();
        runOut();
        if (effort.isSpent()) {
            // What our machine has not come to is no mismatch.
            return;
        }
        passed.forEach(mine -> tally.lacks(Difference.LOST_BEFORE));
        new RequestEndings(leg, foresight, notes, tally, posted).judge(completions());
    }

    /**
     * Hands over what is left, and all of it again if our machine had asked for something in another order than the real one:
     * what comes for the second time says nothing new, and what was dropped then is there again.
     */
    private void conclude() {
        late.putAll(waiting);
        late.values().forEach(this::hear);
        int due = foresight.done(posted);
        for (int i = 0; i < MAX_ROUNDS && completions().size() < due && qp.waits() && !effort.isSpent(); i++) {
            qp.timeout();
            leg.answers().forEach(this::hear);
        }
    }

    /** Those of what was posted, in order. */
    private List<WorkCompletion> completions() {
        return qp.sendCompletions().stream()
                .filter(completion -> completion.workId() != FILLER)
                .toList();
    }

    private void request(CapturedPacket captured) {
        tally.request();
        if (!captured.isIntact()) {
            tally.badIcrc(captured, isMissed(captured));
        } else if (seen.stream().anyMatch(captured::isCopyOf)) {
            tally.differs(Difference.WIRE_DUPLICATE);
        } else if (isFar(captured)) {
            tally.leavesRequest(NotCompared.FAR);
        } else if (Messages.isTooLong(captured.packet())) {
            tally.leavesRequest(NotCompared.LONG);
        } else if (message(captured.psn()).isEmpty()) {
            inPart(captured);
        } else {
            expect(captured);
            seen.addLast(captured);
            if (seen.size() > REMEMBERED) {
                seen.removeFirst();
            }
        }
    }

    /** Who acknowledges nothing misses nothing, unless its program said that it got everything. */
    private boolean isMissed(CapturedPacket captured) {
        return leg.transport() == TransportClass.RC ? foresight.isMissed(captured) : !notes.saysWhole();
    }

    private boolean isFar(CapturedPacket captured) {
        return far.isPresent() && Psn.compare(captured.psn(), firstPsn) >= Psn.compare(far.getAsInt(), firstPsn);
    }

    /** Its message, if the capture holds every packet of it. */
    private Optional<Message> message(int psn) {
        Map.Entry<Integer, Piece> there = byOffset.floorEntry(Psn.compare(psn, firstPsn));
        return there != null && there.getValue() instanceof Message message && Psn.compare(psn, message.lastPsn()) <= 0
                ? Optional.of(message)
                : Optional.empty();
    }

    private void inPart(CapturedPacket captured) {
        boolean last =
                pieces.isEmpty() || Psn.compare(captured.psn(), pieces.getLast().lastPsn()) > 0;
        if (leg.unknown().isSomething()) {
            tally.differs(Difference.UNTOLD);
        } else if (notes.saysWhole()) {
            tally.oneSided(
                    captured.frame(),
                    "request",
                    Wording.of(captured.packet()),
                    "none, since a packet of its message or the one before is missing");
        } else {
            tally.differs(last ? Difference.CUT_OFF : Difference.IN_PART);
        }
    }

    private void expect(CapturedPacket captured) {
        boolean again = isPosted(captured.psn());
        boolean found = take(captured);
        if (!found && !again) {
            postUpTo(captured);
            found = take(captured);
        }
        if (found || isOvertaken(captured) || (again ? isRepeated(captured) : isReleased(captured))) {
            matched();
        } else if (isBehindWindow(captured)) {
            tally.leavesRequest(NotCompared.WINDOW);
        } else if (again && isSentByItself(captured)) {
            tally.differs(Difference.OVERTAKEN);
        } else if (seen.stream().anyMatch(captured::mayBeCopyOf)) {
            tally.differs(Difference.PERHAPS_DUPLICATE);
        } else if (isUntold(captured, again)) {
            tally.differs(Difference.UNTOLD);
        } else if (effort.isSpent()) {
            tally.leavesRequest(NotCompared.EFFORT);
        } else {
            List<Packet> mine = Stream.concat(same(captured.psn()), ours.values().stream())
                    .limit(MAX_COMPARED)
                    .map(Pending::packet)
                    .toList();
            tally.mismatch(captured, "request", mine, qp.state().state(), 0);
        }
    }

    private void matched() {
        if (takenLoosely) {
            tally.differs(Difference.ACK_REQUEST);
        } else {
            tally.matched();
        }
    }

    /** Our machine may lack what made the real one send it. */
    private boolean isUntold(CapturedPacket captured, boolean again) {
        return leg.unknown().isSomething() && (again || !oursByPsn.containsKey(captured.psn()));
    }

    /** Of ours, in order. */
    private Stream<Pending> same(int psn) {
        return oursByPsn.getOrDefault(psn, new TreeMap<>()).values().stream();
    }

    private boolean isPosted(int psn) {
        return nextPiece > 0 && Psn.compare(psn, pieces.get(nextPiece - 1).lastPsn()) <= 0;
    }

    /** Our machine sent it, too, and before what was captured since: the wire changed the order. */
    private boolean isOvertaken(CapturedPacket captured) {
        takenLoosely = false;
        return passed.removeIf(mine -> isSame(mine.packet, captured.packet()));
    }

    /** Our machine sends it when it has nothing but its message: then a wire has held it back. */
    private boolean isSentByItself(CapturedPacket captured) {
        return message(captured.psn())
                .map(message -> new SingleMessageReplay(end, foresight, message, effort).sends(captured))
                .orElse(false);
    }

    /** Hands over answers until our machine, which waits for something, sends the packet. */
    private boolean isReleased(CapturedPacket captured) {
        while (!waiting.isEmpty()) {
            hear(waiting.pollFirstEntry().getValue());
            if (take(captured)) {
                return true;
            }
        }
        return !isBehindWindow(captured) && isFoundAfterTimeout(captured);
    }

    // rule rc-window
    /** All answers that were captured so far are heard, and our machine still waits for others before it may send that. */
    private boolean isBehindWindow(CapturedPacket captured) {
        int done = qp.sendCompletions().size();
        return waiting.isEmpty()
                && done < firstPsns.size()
                && Psn.compare(captured.psn(), firstPsns.get(done)) >= PsnWindow.MAX_PACKETS;
    }

    /** Our machine goes back, too: because of a NAK that names the packet, or because nothing came for too long. */
    private boolean isRepeated(CapturedPacket captured) {
        effort.takes(waiting.size());
        boolean named = waiting.values().stream().anyMatch(answer -> isAskedAgain(answer, captured));
        while (named) {
            CapturedPacket answer = waiting.pollFirstEntry().getValue();
            named = !isAskedAgain(answer, captured);
            if (wasNotHeard(answer, captured)) {
                late.put(answer.frame(), answer);
            } else {
                hear(answer);
            }
        }
        hearAcknowledgementsBefore(captured);
        return take(captured) || isFoundAfterTimeout(captured) || isRest(captured);
    }

    /** Who starts over at a packet has heard, as a rule, that those before it arrived. */
    private void hearAcknowledgementsBefore(CapturedPacket captured) {
        effort.takes(waiting.size());
        for (CapturedPacket answer : List.copyOf(waiting.values())) {
            if (answer.operation() == Operation.ACKNOWLEDGE && !answer.isRefusal() && !wasNotHeard(answer, captured)) {
                waiting.remove(answer.frame());
                hear(answer);
            }
        }
    }

    private static boolean isAskedAgain(CapturedPacket answer, CapturedPacket captured) {
        return answer.isIntact() && answer.isRefusal() && answer.psn() == captured.psn();
    }

    /** The rest of a READ is asked for when its responses up to there have come, and no others. */
    private boolean isRest(CapturedPacket captured) {
        late.putAll(waiting);
        waiting.clear();
        effort.takes(late.size());
        for (CapturedPacket answer : List.copyOf(late.values())) {
            if (!wasNotHeard(answer, captured)) {
                late.remove(answer.frame());
                hear(answer);
                boolean due = answer.psn() == Psn.plus(captured.psn(), -1);
                if (take(captured) || due && isFoundAfterTimeout(captured)) {
                    return true;
                }
            }
        }
        return isFoundAfterTimeout(captured);
    }

    private boolean isFoundAfterTimeout(CapturedPacket captured) {
        if (!qp.waits() || effort.isSpent()) {
            return false;
        }
        effort.takes(late.size());
        if (late.values().stream().anyMatch(answer -> answer.psn() == captured.psn())) {
            tally.given(TakenFromCapture.LOSS);
        }
        tally.given(TakenFromCapture.TIMEOUT);
        send(qp.timeout(), captured.frame());
        return take(captured);
    }

    /** Who sends a packet again has not heard that it arrived, nor the response that is due for it. */
    private static boolean wasNotHeard(CapturedPacket answer, CapturedPacket again) {
        Packet packet = answer.packet();
        int distance = Psn.compare(answer.psn(), again.psn());
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> Syndrome.isAck(packet.aeth().syndrome()) ? distance >= 0 : distance > 0;
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> distance >= 0;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
        };
    }

    private void hear(CapturedPacket answer) {
        if (answer.isIntact() && !effort.isSpent()) {
            send(qp.arrive(answer.packet(), answer.nanos()), answer.frame());
        }
    }

    private void send(List<Packet> packets, int frame) {
        effort.takes((long) ComparisonLimits.TURN * (1 + packets.size()));
        for (Packet packet : packets) {
            if (!unknownPsns.contains(packet.psn())) {
                Pending mine = new Pending(++serials, packet, frame);
                ours.put(mine.serial, mine);
                oursByPsn.computeIfAbsent(packet.psn(), any -> new TreeMap<>()).put(mine.serial, mine);
            }
        }
    }

    private void postUpTo(CapturedPacket captured) {
        while (nextPiece < pieces.size()
                && !effort.isSpent()
                && Psn.compare(pieces.get(nextPiece).firstPsn(), captured.psn()) <= 0) {
            switch (pieces.get(nextPiece)) {
                case Message message -> {
                    firstPsns.add(message.firstPsn());
                    send(qp.post(PostedWork.of(posted.size(), message, host)), captured.frame());
                    posted.add(message);
                }
                case Gap gap -> fill(gap, captured.frame());
            }
            nextPiece++;
        }
    }

    private void fill(Gap gap, int frame) {
        for (int i = 0; i < gap.packets(); i++) {
            unknownPsns.add(Psn.plus(gap.firstPsn(), i));
        }
        for (int i = 0; i < gap.packets(); i++) {
            firstPsns.add(Psn.plus(gap.firstPsn(), i));
            send(qp.post(Send.of(FILLER, host.buffer(0))), frame);
        }
    }

    /** Takes the packet out of what our machine sent; what it sent before that was lost before the capture. */
    private boolean take(CapturedPacket captured) {
        Optional<Pending> exact = find(captured, RequesterTrial::isSame);
        Optional<Pending> taken = exact.or(() -> find(captured, RequesterTrial::isSameButAsks));
        takenLoosely = exact.isEmpty() && taken.isPresent();
        taken.ifPresent(mine -> {
            close(mine);
            while (!ours.isEmpty() && ours.firstKey() < mine.serial) {
                Pending before = ours.firstEntry().getValue();
                close(before);
                passed.addLast(before);
            }
            while (passed.size() > REMEMBERED) {
                passed.removeFirst();
                tally.lacks(Difference.LOST_BEFORE);
            }
        });
        return taken.isPresent();
    }

    private Optional<Pending> find(CapturedPacket captured, BiPredicate<Packet, Packet> fits) {
        return same(captured.psn())
                .filter(mine -> {
                    effort.takes(1);
                    return fits.test(mine.packet, captured.packet());
                })
                .findFirst();
    }

    private void close(Pending mine) {
        ours.remove(mine.serial);
        TreeMap<Long, Pending> same = oursByPsn.get(mine.packet.psn());
        if (same != null) {
            same.remove(mine.serial);
            if (same.isEmpty()) {
                oursByPsn.remove(mine.packet.psn());
            }
        }
    }

    // rule rc-ack-request
    /** How often it asks for an acknowledgement inside of a message depends on what its sender did before. */
    private static boolean isSameButAsks(Packet mine, Packet captured) {
        Bth one = mine.bth();
        Bth other = captured.bth();
        return one.ackReq() != other.ackReq()
                && !mine.operation().ends()
                && mine.opcode() == captured.opcode()
                && isSame(mine.withBth(asking(one)), captured.withBth(asking(other)));
    }

    private static Bth asking(Bth bth) {
        return new Bth(
                bth.opcode(),
                bth.solicited(),
                bth.migReq(),
                bth.padCount(),
                bth.transportVersion(),
                bth.pkey(),
                bth.fecn(),
                bth.becn(),
                bth.reserved6(),
                bth.destQp(),
                true,
                bth.reserved7(),
                bth.psn());
    }

    private static boolean isSame(Packet mine, Packet captured) {
        return mine.bth().equals(captured.bth())
                && mine.extended().equals(captured.extended())
                && mine.payload().equals(captured.payload());
    }

    /** Where the program saw that retries ran out, ours run out, too. */
    private void runOut() {
        boolean ranOut = notes.completions(leg.requester()).stream()
                .anyMatch(printed -> printed.status() == Status.RETRY_EXC_ERR.code());
        if (ranOut && qp.waits()) {
            send(qp.timeout(), leg.packets().getLast().frame());
        }
    }
}
