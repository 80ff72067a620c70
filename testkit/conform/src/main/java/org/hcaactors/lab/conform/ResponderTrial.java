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
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.views.flow.Wording;

/**
 * Run of a machine as the responder of a reliable connection: it receives the real requester's packets, and each of its
 * responses is compared with the captured one.
 *
 * <p>A request is delivered as late as the capture allows: when only its arrival can explain a captured response. So the
 * machine has the same information as the real responder, whatever the network did to the packets after the point of capture.
 */
final class ResponderTrial {

    private static final int REMEMBERED = 256;

    private final PacketDirection direction;
    private final LaterEvidence laterEvidence;
    private final ComparisonBuilder tally;
    private final StandaloneQueuePair qp;
    private final Host host;
    private final InferredHostActions acts;
    private final PendingRequests arrivals;
    private final OwnResponses own;
    private final OptionalInt noted;
    private final Deque<CapturedPacket> answered = new ArrayDeque<>();

    /** Number of messages that were complete when a PSN was expected, by PSN offset. */
    private final TreeMap<Integer, Integer> messagesBefore = new TreeMap<>();

    /** The PSN that was expected after a READ, by the READ's own PSN. */
    private final Map<Integer, Integer> psnAfterRead = new HashMap<>();

    private final int depth;
    private int firstPsn;
    private int messages;

    /** The first PSN after a gap that was passed over. */
    private OptionalInt passedOver = OptionalInt.empty();

    /** @param shared words of memory that others change as well */
    ResponderTrial(
            PacketDirection direction,
            Notes notes,
            Profiles profiles,
            SharedMemoryWords shared,
            ComparisonBuilder tally) {
        this.direction = direction;
        this.tally = tally;
        laterEvidence = new LaterEvidence(direction);
        qp = new StandaloneQueuePair(
                QpType.RC, direction.responderQp(), direction.responder(), profiles.at(direction.responder()), 4);
        host = new Host(qp, InferredHostActions.bufferBytes(direction), tally.effort());
        depth = profiles.depthAt(direction.responder());
        acts = new InferredHostActions(direction, laterEvidence, notes, shared, qp, host, tally);
        arrivals = new PendingRequests(direction.mtu().bytes(), tally.effort());
        own = new OwnResponses(laterEvidence, direction.unknown(), tally);
        noted = laterEvidence.fitting(notes.firstPsn(direction.requester(), direction.requesterQp()));
    }

    void run() {
        if (direction.answers().isEmpty()) {
            // A responder that never answers cannot be compared.
            return;
        }
        firstPsn = laterEvidence.firstExpectedPsn(noted);
        connect(firstPsn);
        if (noted.isPresent()) {
            own.countFromTheBeginning();
        }
        laterEvidence.acceptedKeys(host);
        if (!host.register()) {
            tally.leaves(NotCompared.MEMORY, direction.answers().size());
            return;
        }
        for (CapturedPacket packet : direction.packets()) {
            if (tally.effort().isSpent()) {
                tally.leaves(NotCompared.EFFORT, packet.isResponse() ? 1 : 0);
            } else if (packet.isResponse()) {
                answer(packet);
            } else if (packet.isIntact() && Psn.compare(packet.psn(), firstPsn) >= 0) {
                arrivals.captured(packet);
            }
        }
        while (hasMore() && !tally.effort().isSpent()) {
            arrivals.nextInOrder(expectedPsn()).ifPresent(rest -> deliver(rest, Optional.empty()));
        }
        if (!tally.effort().isSpent()) {
            own.end();
        }
    }

    private boolean hasMore() {
        return qp.state().state() == QpState.RTS && arrivals.holds(expectedPsn());
    }

    private void connect(int psn) {
        RcConnection attributes = RcConnection.DEFAULT
                .withMtu(direction.mtu())
                .withFirstPsn(psn)
                .withRdAtomic(depth)
                .withRnrRetry(7)
                .withMinRnrTimerCode(laterEvidence.rnrTimer());
        qp.modify(attributes.toInit());
        qp.modify(attributes.toRtr(
                new Gid(direction.requester().high(), direction.requester().low()), direction.requesterQp()));
        qp.modify(attributes.toRts());
        messages = 0;
        messagesBefore.put(Psn.compare(psn, firstPsn), 0);
        arrivals.acknowledged(Psn.plus(psn, -1));
    }

    private int expectedPsn() {
        return qp.state().receivePsn();
    }

    /** @param answer response that it explains; empty at the end of the capture */
    private void deliver(CapturedPacket request, Optional<CapturedPacket> answer) {
        int before = expectedPsn();
        boolean due = request.psn() == before;
        List<InferredHostActions.Stored> replaced = List.of();
        if (due) {
            acts.before(request, answer);
        } else {
            replaced = acts.beforeAgain(request, answer);
        }
        List<Packet> sent = qp.deliver(request.packet(), request.nanos());
        tally.effort().takes((long) ComparisonLimits.TURN * (1 + sent.size()));
        own.sent(sent, request, !due);
        acts.putBack(replaced);
        if (expectedPsn() != before) {
            messages += request.operation().ends() ? 1 : 0;
            messagesBefore.put(Psn.compare(expectedPsn(), firstPsn), messages);
            if (request.operation().family() == Operation.Family.READ) {
                psnAfterRead.put(before, expectedPsn());
            } else {
                arrivals.acknowledged(request.psn());
            }
        }
    }

    private void answer(CapturedPacket captured) {
        tally.answer();
        if (!captured.isIntact()) {
            tally.badIcrc(captured, laterEvidence.isMissed(captured));
        } else if (answered.stream().anyMatch(captured::isCopyOf)) {
            tally.differs(Difference.WIRE_DUPLICATE);
        } else if (!isExplained(captured) && !passOverGap(captured)) {
            if (tally.effort().isSpent()) {
                tally.leavesAnswer();
            } else {
                unexplained(captured);
            }
        }
        answered.addLast(captured);
        if (answered.size() > REMEMBERED) {
            answered.removeFirst();
        }
    }

    private boolean isExplained(CapturedPacket captured) {
        boolean found = own.take(captured);
        boolean toldGap = false;
        while (!found && !toldGap && !tally.effort().isSpent()) {
            Optional<CapturedPacket> next =
                    isAhead(captured) ? arrivals.nextInOrder(expectedPsn()) : arrivals.next(captured, expectedPsn());
            if (next.isEmpty()) {
                break;
            }
            // A gap is reported once: if the first packet after it does not cause the NAK, no other will.
            toldGap = captured.isSequenceNak() && captured.psn() == expectedPsn();
            deliver(next.get(), Optional.of(captured));
            found = own.take(captured);
        }
        return found || own.takeReplay(captured) || own.takeLate(captured) || isDoubled(captured);
    }

    /** Passes over requests that the machine does not receive, if the response shows that they are done. */
    private boolean passOverGap(CapturedPacket captured) {
        while (qp.state().state() == QpState.RTS
                && direction.unknown().at(expectedPsn()).isPresent()
                && Psn.compare(captured.psn(), expectedPsn()) > 0) {
            OptionalInt next = laterEvidence.nextStart(expectedPsn());
            if (next.isEmpty() || tally.effort().isSpent()) {
                return false;
            }
            continueAt(next.getAsInt());
            passedOver = next;
            if (isExplained(captured)) {
                return true;
            }
        }
        return false;
    }

    /** True if the response counts more messages than the machine has completed, and these are available. */
    private boolean isAhead(CapturedPacket captured) {
        return captured.operation() != Operation.READ_RESPONSE_MIDDLE
                && arrivals.holds(expectedPsn())
                && own.isCounting()
                && Psn.compare(captured.packet().aeth().msn(), Psn.plus(messages, own.msnOffset())) > 0;
    }

    /** True if a request that arrived once more, after the point of capture, explains the response. */
    private boolean isDoubled(CapturedPacket captured) {
        for (CapturedPacket request : arrivals.again(captured, expectedPsn())) {
            deliver(request, Optional.of(captured));
            if (own.take(captured)) {
                tally.takenFromCapture(TakenFromCapture.DOUBLED);
                return true;
            }
            boolean older = isOvertaken(captured);
            own.takeBackTurn();
            if (older) {
                tally.differs(Difference.OVERTAKEN);
                return true;
            }
        }
        return false;
    }

    private void unexplained(CapturedPacket captured) {
        if (noted.isEmpty() && Psn.compare(captured.psn(), firstPsn) < 0) {
            tally.differs(Difference.BEGUN_BEFORE);
        } else if (isOvertaken(captured)) {
            tally.differs(Difference.OVERTAKEN);
        } else if (answered.stream().anyMatch(captured::mayBeCopyOf)) {
            tally.differs(Difference.PERHAPS_DUPLICATE);
        } else if (isUnexplained(captured)) {
            tally.differs(Difference.UNTOLD);
        } else if (lacksRequest(captured)) {
            continueAfterGap(captured);
        } else {
            tally.mismatch(captured, "answer", own.open(captured), qp.state().state(), own.msnOffset());
        }
    }

    /** True if the response was correct earlier and was overtaken. */
    private boolean isOvertaken(CapturedPacket captured) {
        if (captured.operation() != Operation.ACKNOWLEDGE) {
            return own.isOlder(captured, this::messagesWith);
        }
        if (captured.isRefusal()) {
            return wasCounted(captured, captured.psn());
        }
        // The acknowledgement of a duplicate has the PSN before the READs, and counts them (rule rc-duplicate).
        Optional<Integer> expectedThen = Optional.of(Psn.plus(captured.psn(), 1));
        while (expectedThen.isPresent() && !wasCounted(captured, expectedThen.get())) {
            tally.effort().takes(1);
            expectedThen = expectedThen.map(psnAfterRead::get);
        }
        return expectedThen.isPresent();
    }

    /** True if the given number of messages was complete when the given PSN was expected. */
    private boolean wasCounted(CapturedPacket captured, int expectedThen) {
        Integer then = messagesBefore.get(Psn.compare(expectedThen, firstPsn));
        return then != null
                && Psn.compare(expectedThen, expectedPsn()) < 0
                && Psn.plus(then, own.msnOffset()) == captured.packet().aeth().msn();
    }

    /** Returns the number of messages that were complete with the one of this request. */
    private int messagesWith(CapturedPacket request) {
        Map.Entry<Integer, Integer> before = messagesBefore.floorEntry(Psn.compare(request.psn(), firstPsn));
        return (before == null ? 0 : before.getValue()) + 1;
    }

    /**
     * True if the response is about packets that the machine did not receive: before the passed gap, with a PSN that the
     * machine did not send, or with an MSN that counts them.
     */
    private boolean isUnexplained(CapturedPacket captured) {
        boolean before = passedOver.isPresent() && Psn.compare(captured.psn(), passedOver.getAsInt()) < 0;
        return before || direction.unknown().isSomething() && !own.differs(captured);
    }

    /** True if the capture lacks the request before the response altogether. */
    private boolean lacksRequest(CapturedPacket captured) {
        return !laterEvidence.isRequested(expectedPsn())
                && Psn.compare(captured.psn(), expectedPsn()) >= 0
                && qp.state().state() == QpState.RTS;
    }

    private void continueAfterGap(CapturedPacket captured) {
        tally.mismatch(
                captured.frame(),
                Wording.of(captured.packet()),
                "the capture contains no request with psn " + expectedPsn(),
                FieldDifference.of("request", FieldDifference.NONE, "psn " + expectedPsn()));
        OptionalInt next = laterEvidence.nextStart(expectedPsn());
        if (next.isPresent()) {
            continueAt(next.getAsInt());
        }
    }

    private void continueAt(int psn) {
        tally.effort().takes(ComparisonLimits.TURN);
        qp.modify(QpModify.to(QpState.RESET));
        acts.reset();
        own.resetMsnOffset();
        connect(psn);
    }
}
