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
 * Run of a machine as the requester: it gets the work that the real one must have had, and the real responder's responses. Each
 * packet that it sends is compared with the captured one, and its completions with those of the real program.
 *
 * <p>A response is delivered as late as the capture allows: when only it can explain a captured packet. So the machine acts
 * when the real requester did, however long that took to act.
 */
final class RequesterTrial {
    private static final int REMEMBERED = 256;
    private static final int MAX_ROUNDS = 8;

    /** Maximum number of requests of the machine, including those that fill gaps of the capture. */
    static final int MAX_REQUESTS = 1 << 17;

    /** Maximum number of the machine's packets that a captured one is compared with field by field. */
    private static final int MAX_COMPARED = 256;

    /** Work id of requests that only fill the PSNs of gaps in the capture. */
    private static final long FILLER = -1;

    private final PacketDirection direction;
    private final LaterEvidence laterEvidence;
    private final Notes notes;
    private final ComparisonBuilder tally;
    private final StandaloneQueuePair qp;
    private final Host host;
    private final int firstPsn;
    private final RequesterEnd end;
    private final List<Piece> pieces;

    /** The first PSN after those that the machine gets; empty if it gets all. */
    private final OptionalInt far;

    private final TreeMap<Integer, Piece> byOffset = new TreeMap<>();
    private final List<Message> posted = new ArrayList<>();

    /** First PSNs of all requests of the machine, in order. */
    private final List<Integer> firstPsns = new ArrayList<>();

    private final Set<Integer> unknownPsns = new HashSet<>();
    private final TreeMap<Long, Pending> ours = new TreeMap<>();

    private final Map<Integer, TreeMap<Long, Pending>> oursByPsn = new HashMap<>();

    /** Packets of the machine that were not captured before later ones; they may still follow, if the network delayed them. */
    private final Deque<Pending> passed = new ArrayDeque<>();

    /** Captured responses that are not delivered yet. */
    private final TreeMap<Integer, CapturedPacket> waiting = new TreeMap<>();

    /** Responses that the requester had not received when it retransmitted: lost or late. */
    private final TreeMap<Integer, CapturedPacket> late = new TreeMap<>();

    private final Deque<CapturedPacket> seen = new ArrayDeque<>();
    private final ComparisonLimits effort;
    private int nextPiece;
    private long serials;
    private boolean takenLoosely;

    private record Pending(long serial, Packet packet, int frame) {}

    RequesterTrial(PacketDirection direction, Notes notes, Profiles profiles, ComparisonBuilder tally) {
        this.direction = direction;
        this.notes = notes;
        this.tally = tally;
        laterEvidence = new LaterEvidence(direction);
        firstPsn = laterEvidence.firstPsn(notes.firstPsn(direction.requester(), direction.requesterQp()));
        effort = tally.effort();
        List<Piece> all = Messages.of(direction, firstPsn);
        pieces = upToLimit(all);
        far = pieces.size() == all.size()
                ? OptionalInt.empty()
                : OptionalInt.of(all.get(pieces.size()).firstPsn());
        pieces.forEach(piece -> byOffset.put(Psn.compare(piece.firstPsn(), firstPsn), piece));
        end = RequesterEnd.of(direction, notes, profiles, tally);
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

    /** Each PSN of a gap is filled by a request without data. */
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
        for (CapturedPacket packet : direction.packets()) {
            if (packet.isResponse()) {
                waiting.put(packet.frame(), packet);
            } else if (effort.isSpent()) {
                tally.leaves(NotCompared.EFFORT, 1);
            } else {
                request(packet);
            }
        }
        ours.values().forEach(mine -> tally.lacks(Difference.CUT_OFF));
        conclude();
        runOut();
        if (effort.isSpent()) {
            // Packets that the machine has not processed are not mismatches.
            return;
        }
        passed.forEach(mine -> tally.lacks(Difference.LOST_BEFORE));
        new RequestEndings(direction, laterEvidence, notes, tally, posted).compare(completions());
    }

    /**
     * Delivers the remaining responses, and then all of them again if the machine requested data in another order than the real
     * requester: duplicates have no effect, and responses that it dropped are available again.
     */
    private void conclude() {
        late.putAll(waiting);
        late.values().forEach(this::deliver);
        int due = laterEvidence.done(posted);
        for (int i = 0; i < MAX_ROUNDS && completions().size() < due && qp.waits() && !effort.isSpent(); i++) {
            qp.timeout();
            direction.answers().forEach(this::deliver);
        }
    }

    /** Returns the completions of posted work, in order. */
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

    /** An unreliable receiver shows no loss, unless its program reported that it received everything. */
    private boolean isMissed(CapturedPacket captured) {
        return direction.transport() == TransportClass.RC
                ? laterEvidence.isMissed(captured)
                : !notes.confirmsComplete();
    }

    private boolean isFar(CapturedPacket captured) {
        return far.isPresent() && Psn.compare(captured.psn(), firstPsn) >= Psn.compare(far.getAsInt(), firstPsn);
    }

    /** Returns the message of that PSN, if the capture has every packet of it. */
    private Optional<Message> message(int psn) {
        Map.Entry<Integer, Piece> entry = byOffset.floorEntry(Psn.compare(psn, firstPsn));
        return entry != null && entry.getValue() instanceof Message message && Psn.compare(psn, message.lastPsn()) <= 0
                ? Optional.of(message)
                : Optional.empty();
    }

    private void inPart(CapturedPacket captured) {
        boolean last =
                pieces.isEmpty() || Psn.compare(captured.psn(), pieces.getLast().lastPsn()) > 0;
        if (direction.unknown().isSomething()) {
            tally.differs(Difference.UNTOLD);
        } else if (notes.confirmsComplete()) {
            tally.oneSided(
                    captured.frame(),
                    "request",
                    Wording.of(captured.packet()),
                    "no packet, because the capture lacks a packet of this message or of the one before");
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
        } else if (isUnexplained(captured, again)) {
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

    /** True if the machine may lack what made the real requester send the packet. */
    private boolean isUnexplained(CapturedPacket captured, boolean again) {
        return direction.unknown().isSomething() && (again || !oursByPsn.containsKey(captured.psn()));
    }

    /** Returns the machine's packets with that PSN, in order. */
    private Stream<Pending> same(int psn) {
        return oursByPsn.getOrDefault(psn, new TreeMap<>()).values().stream();
    }

    private boolean isPosted(int psn) {
        return nextPiece > 0 && Psn.compare(psn, pieces.get(nextPiece - 1).lastPsn()) <= 0;
    }

    /** True if the machine sent the packet before others that were captured since: the network reordered them. */
    private boolean isOvertaken(CapturedPacket captured) {
        takenLoosely = false;
        return passed.removeIf(mine -> isSame(mine.packet, captured.packet()));
    }

    /** True if the machine sends the packet when it has only its message: then the network delayed it. */
    private boolean isSentByItself(CapturedPacket captured) {
        return message(captured.psn())
                .map(message -> new SingleMessageReplay(end, laterEvidence, message, effort).sends(captured))
                .orElse(false);
    }

    /** Delivers responses until the machine, which waits for one, sends the packet. */
    private boolean isReleased(CapturedPacket captured) {
        while (!waiting.isEmpty()) {
            deliver(waiting.pollFirstEntry().getValue());
            if (take(captured)) {
                return true;
            }
        }
        return !isBehindWindow(captured) && isFoundAfterTimeout(captured);
    }

    // rule rc-window
    /** True if all captured responses are delivered, and the machine still waits for others before it may send the packet. */
    private boolean isBehindWindow(CapturedPacket captured) {
        int done = qp.sendCompletions().size();
        return waiting.isEmpty()
                && done < firstPsns.size()
                && Psn.compare(captured.psn(), firstPsns.get(done)) >= PsnWindow.MAX_PACKETS;
    }

    /** True if the machine retransmits as well: because of a NAK that names the packet, or after a timeout. */
    private boolean isRepeated(CapturedPacket captured) {
        effort.takes(waiting.size());
        boolean named = waiting.values().stream().anyMatch(answer -> isRequestedAgain(answer, captured));
        while (named) {
            CapturedPacket answer = waiting.pollFirstEntry().getValue();
            named = !isRequestedAgain(answer, captured);
            if (wasLost(answer, captured)) {
                late.put(answer.frame(), answer);
            } else {
                deliver(answer);
            }
        }
        deliverAcknowledgementsBefore(captured);
        return take(captured) || isFoundAfterTimeout(captured) || isRest(captured);
    }

    /** A requester that restarts at a packet has usually received the acknowledgements before it. */
    private void deliverAcknowledgementsBefore(CapturedPacket captured) {
        effort.takes(waiting.size());
        for (CapturedPacket answer : List.copyOf(waiting.values())) {
            if (answer.operation() == Operation.ACKNOWLEDGE && !answer.isRefusal() && !wasLost(answer, captured)) {
                waiting.remove(answer.frame());
                deliver(answer);
            }
        }
    }

    private static boolean isRequestedAgain(CapturedPacket answer, CapturedPacket captured) {
        return answer.isIntact() && answer.isRefusal() && answer.psn() == captured.psn();
    }

    /** True if the machine requests the rest of a READ after receiving its responses up to there, and no others. */
    private boolean isRest(CapturedPacket captured) {
        late.putAll(waiting);
        waiting.clear();
        effort.takes(late.size());
        for (CapturedPacket answer : List.copyOf(late.values())) {
            if (!wasLost(answer, captured)) {
                late.remove(answer.frame());
                deliver(answer);
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
            tally.takenFromCapture(TakenFromCapture.LOSS);
        }
        tally.takenFromCapture(TakenFromCapture.TIMEOUT);
        send(qp.timeout(), captured.frame());
        return take(captured);
    }

    /** True if a requester that retransmits that packet cannot have received this response. */
    private static boolean wasLost(CapturedPacket answer, CapturedPacket again) {
        Packet packet = answer.packet();
        int distance = Psn.compare(answer.psn(), again.psn());
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> Syndrome.isAck(packet.aeth().syndrome()) ? distance >= 0 : distance > 0;
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> distance >= 0;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
        };
    }

    private void deliver(CapturedPacket answer) {
        if (answer.isIntact() && !effort.isSpent()) {
            send(qp.deliver(answer.packet(), answer.nanos()), answer.frame());
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

    /** Removes the packet from those that the machine sent; earlier ones were lost before the capture. */
    private boolean take(CapturedPacket captured) {
        Optional<Pending> exact = find(captured, RequesterTrial::isSame);
        Optional<Pending> taken = exact.or(() -> find(captured, RequesterTrial::differsOnlyInAckReq));
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
    /** True if only the AckReq bit differs, inside a message: whether it is set there depends on the sender's history. */
    private static boolean differsOnlyInAckReq(Packet mine, Packet captured) {
        Bth one = mine.bth();
        Bth other = captured.bth();
        return one.ackReq() != other.ackReq()
                && !mine.operation().ends()
                && mine.opcode() == captured.opcode()
                && isSame(mine.withBth(one.withAckReq(true)), captured.withBth(other.withAckReq(true)));
    }

    private static boolean isSame(Packet mine, Packet captured) {
        return mine.bth().equals(captured.bth())
                && mine.extended().equals(captured.extended())
                && mine.payload().equals(captured.payload());
    }

    /** If the real program saw its retries exhausted, the machine's are exhausted as well. */
    private void runOut() {
        boolean ranOut = notes.completions(direction.requester()).stream()
                .anyMatch(printed -> printed.status() == Status.RETRY_EXC_ERR.code());
        if (ranOut && qp.waits()) {
            send(qp.timeout(), direction.packets().getLast().frame());
        }
    }
}
