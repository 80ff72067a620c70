// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hcaactors.adapter.queue.StandaloneQueuePair;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Send;
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
    private static final int MOST_ROUNDS = 8;

    /** Work that is ours alone: it takes up the PSNs of what the capture lacks. */
    private static final long FILLER = -1;

    private final Leg leg;
    private final Foresight foresight;
    private final Notes notes;
    private final Tally tally;
    private final StandaloneQueuePair qp;
    private final Host host;
    private final int firstPsn;
    private final RequesterEnd end;
    private final List<Piece> pieces;
    private final TreeMap<Integer, Piece> byOffset = new TreeMap<>();
    private final List<Message> posted = new ArrayList<>();
    private final Set<Integer> unknownPsns = new HashSet<>();
    private final List<Pending> ours = new ArrayList<>();

    /** Ours that were not captured before others were; a wire may still bring them. */
    private final Deque<Pending> passed = new ArrayDeque<>();

    /** Answers that were captured and not handed over yet. */
    private final Deque<Heard> waiting = new ArrayDeque<>();

    /** Those that the requester had not heard when it sent again: lost, or late. */
    private final List<Heard> late = new ArrayList<>();

    private final Deque<Heard> seen = new ArrayDeque<>();
    private int nextPiece;

    private record Pending(Packet packet, int frame) {}

    RequesterTrial(Leg leg, Notes notes, Profiles profiles, Tally tally) {
        this.leg = leg;
        this.notes = notes;
        this.tally = tally;
        foresight = new Foresight(leg);
        firstPsn = foresight.firstPsn(notes.firstPsn(leg.requester(), leg.requesterQp()));
        pieces = Messages.of(leg, firstPsn);
        pieces.forEach(piece -> byOffset.put(Psn.compare(piece.firstPsn(), firstPsn), piece));
        end = RequesterEnd.of(leg, notes, profiles, tally);
        qp = end.connected(requests(), firstPsn);
        host = new Host(qp, bytes());
    }

    /** Each PSN of a gap is taken up by a request without data. */
    private int requests() {
        return pieces.stream()
                .mapToInt(piece -> switch (piece) {
                    case Message message -> 1;
                    case Gap gap -> gap.packets();
                })
                .sum();
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
        for (Heard heard : leg.packets()) {
            if (heard.isResponse()) {
                waiting.addLast(heard);
            } else {
                request(heard);
            }
        }
        ours.forEach(mine -> tally.lacks(Difference.CUT_OFF));
        conclude();
        runOut();
        passed.forEach(mine -> tally.lacks(Difference.LOST_BEFORE));
        new Endings(leg, foresight, notes, tally, posted).judge(completions());
    }

    /**
     * Hands over what is left, and all of it again if our machine had asked for something in another order than the real one:
     * what comes for the second time says nothing new, and what was dropped then is there again.
     */
    private void conclude() {
        late.addAll(waiting);
        late.sort(Comparator.comparingInt(Heard::frame));
        late.forEach(this::hear);
        int due = foresight.done(posted);
        for (int i = 0; i < MOST_ROUNDS && completions().size() < due && qp.waits(); i++) {
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

    private void request(Heard captured) {
        tally.request();
        if (!captured.isIntact()) {
            tally.badIcrc(captured, isMissed(captured));
        } else if (seen.stream().anyMatch(captured::isCopyOf)) {
            tally.differs(Difference.WIRE_DUPLICATE);
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
    private boolean isMissed(Heard captured) {
        return leg.transport() == TransportClass.RC ? foresight.isMissed(captured) : !notes.saysWhole();
    }

    /** Its message, if the capture holds every packet of it. */
    private Optional<Message> message(int psn) {
        Map.Entry<Integer, Piece> there = byOffset.floorEntry(Psn.compare(psn, firstPsn));
        return there != null && there.getValue() instanceof Message message && Psn.compare(psn, message.lastPsn()) <= 0
                ? Optional.of(message)
                : Optional.empty();
    }

    private void inPart(Heard captured) {
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

    private void expect(Heard captured) {
        boolean again = isPosted(captured.psn());
        boolean found = take(captured);
        if (!found && !again) {
            postUpTo(captured);
            found = take(captured);
        }
        if (found || isOvertaken(captured) || (again ? isRepeated(captured) : isReleased(captured))) {
            tally.matched();
        } else if (again && isSentByItself(captured)) {
            tally.differs(Difference.OVERTAKEN);
        } else if (seen.stream().anyMatch(captured::mayBeCopyOf)) {
            tally.differs(Difference.PERHAPS_DUPLICATE);
        } else if (isUntold(captured, again)) {
            tally.differs(Difference.UNTOLD);
        } else {
            List<Packet> mine = ours.stream().map(Pending::packet).toList();
            tally.mismatch(captured, "request", mine, qp.state().state(), 0);
        }
    }

    /** Our machine may lack what made the real one send it. */
    private boolean isUntold(Heard captured, boolean again) {
        return leg.unknown().isSomething()
                && (again || ours.stream().noneMatch(mine -> mine.packet.psn() == captured.psn()));
    }

    private boolean isPosted(int psn) {
        return nextPiece > 0 && Psn.compare(psn, pieces.get(nextPiece - 1).lastPsn()) <= 0;
    }

    /** Our machine sent it, too, and before what was captured since: the wire changed the order. */
    private boolean isOvertaken(Heard captured) {
        return passed.removeIf(mine -> isSame(mine.packet, captured.packet()));
    }

    /** Our machine sends it when it has nothing but its message: then a wire has held it back. */
    private boolean isSentByItself(Heard captured) {
        return message(captured.psn())
                .map(message -> new LoneMessage(end, message).sends(captured))
                .orElse(false);
    }

    /** Hands over answers until our machine, which waits for something, sends the packet. */
    private boolean isReleased(Heard captured) {
        while (!waiting.isEmpty()) {
            hear(waiting.removeFirst());
            if (take(captured)) {
                return true;
            }
        }
        return isFoundAfterTimeout(captured);
    }

    /** Our machine goes back, too: because of a NAK that names the packet, or because nothing came for too long. */
    private boolean isRepeated(Heard captured) {
        boolean named = waiting.stream().anyMatch(answer -> isAskedAgain(answer, captured));
        while (named) {
            Heard answer = waiting.removeFirst();
            named = !isAskedAgain(answer, captured);
            if (wasNotHeard(answer, captured)) {
                late.add(answer);
            } else {
                hear(answer);
            }
        }
        hearAcknowledgementsBefore(captured);
        return take(captured) || isFoundAfterTimeout(captured) || isRest(captured);
    }

    /** Who starts over at a packet has heard, as a rule, that those before it arrived. */
    private void hearAcknowledgementsBefore(Heard captured) {
        for (Heard answer : List.copyOf(waiting)) {
            if (answer.operation() == Operation.ACKNOWLEDGE && !answer.isRefusal() && !wasNotHeard(answer, captured)) {
                waiting.remove(answer);
                hear(answer);
            }
        }
    }

    private static boolean isAskedAgain(Heard answer, Heard captured) {
        return answer.isIntact() && answer.isRefusal() && answer.psn() == captured.psn();
    }

    /** The rest of a READ is asked for when its responses up to there have come, and no others. */
    private boolean isRest(Heard captured) {
        late.addAll(waiting);
        waiting.clear();
        late.sort(Comparator.comparingInt(Heard::frame));
        for (Heard answer : List.copyOf(late)) {
            if (!wasNotHeard(answer, captured)) {
                late.remove(answer);
                hear(answer);
                boolean due = answer.psn() == Psn.plus(captured.psn(), -1);
                if (take(captured) || due && isFoundAfterTimeout(captured)) {
                    return true;
                }
            }
        }
        return isFoundAfterTimeout(captured);
    }

    private boolean isFoundAfterTimeout(Heard captured) {
        if (!qp.waits()) {
            return false;
        }
        if (late.stream().anyMatch(answer -> answer.psn() == captured.psn())) {
            tally.given(Given.LOSS);
        }
        tally.given(Given.TIMEOUT);
        send(qp.timeout(), captured.frame());
        return take(captured);
    }

    /** Who sends a packet again has not heard that it arrived, nor the response that is due for it. */
    private static boolean wasNotHeard(Heard answer, Heard again) {
        Packet packet = answer.packet();
        int distance = Psn.compare(answer.psn(), again.psn());
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> Syndrome.isAck(packet.aeth().syndrome()) ? distance >= 0 : distance > 0;
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> distance >= 0;
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION -> false;
        };
    }

    private void hear(Heard answer) {
        if (answer.isIntact()) {
            send(qp.arrive(answer.packet(), answer.nanos()), answer.frame());
        }
    }

    private void send(List<Packet> packets, int frame) {
        packets.stream()
                .filter(packet -> !unknownPsns.contains(packet.psn()))
                .forEach(packet -> ours.add(new Pending(packet, frame)));
    }

    private void postUpTo(Heard captured) {
        while (nextPiece < pieces.size() && Psn.compare(pieces.get(nextPiece).firstPsn(), captured.psn()) <= 0) {
            switch (pieces.get(nextPiece)) {
                case Message message -> {
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
            send(qp.post(Send.of(FILLER, host.buffer(0))), frame);
        }
    }

    /** Takes the packet out of what our machine sent; what it sent before that was lost before the capture. */
    private boolean take(Heard captured) {
        for (int i = 0; i < ours.size(); i++) {
            if (isSame(ours.get(i).packet, captured.packet())) {
                ours.remove(i);
                List<Pending> before = ours.subList(0, i);
                passed.addAll(before);
                before.clear();
                while (passed.size() > REMEMBERED) {
                    passed.removeFirst();
                    tally.lacks(Difference.LOST_BEFORE);
                }
                return true;
            }
        }
        return false;
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
