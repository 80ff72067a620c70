// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.IncomingMessage;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.RequestAdmission;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Suspension;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.jspecify.annotations.Nullable;

/**
 * Execution of a peer's requests at an RC responder (IBA 9.7.3 to 9.7.5). The checks have a fixed order (rule rc-check-order):
 * PSN, opcode sequence, rights of the queue pair, resources, length, R_Key, and only then execution. The first two are here,
 * the others with each kind of request. {@link RcResponder} creates it with the first request.
 */
final class RcResponseExecution implements Target {
    private final RequestAdmission admission;
    private final RequestSequence sequence;
    private final ReplayRing replays = new ReplayRing();
    private final ResponseQueue answers;
    private final PendingPageFault pages;
    private final DuplicateRequests duplicates;
    private final RcRefusals refusals;
    private final RcSends sends;
    private final RcWrites writes;
    private final RcReads reads;
    private final RcAtomics atomics;

    /** Requests that wait, in order, until their memory is accessible or a receive was taken. */
    private final Suspension suspended = new Suspension();

    private @Nullable Headers headers;

    /** @param sequence the expected PSN and current message of the peer's requests */
    RcResponseExecution(QpParts parts, RequestSequence sequence) {
        this.sequence = sequence;
        QpSettings settings = parts.settings();
        admission = parts.admission();
        pages = new PendingPageFault();
        answers = new ResponseQueue(settings, pages, parts.profile().paging().rnrTimer());
        duplicates = new DuplicateRequests(settings, replays, answers);
        refusals = new RcRefusals(parts, sequence, answers);
        RcResponderParts on = new RcResponderParts(parts, sequence, refusals, answers, replays, pages);
        sends = new RcSends(on);
        writes = new RcWrites(on);
        reads = new RcReads(on);
        atomics = new RcAtomics(on);
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void quiesce() {
        answers.clear();
        pages.forget();
        replays.clear();
        suspended.clear();
        refusals.clear();
        sends.clear();
    }

    /** {@link RcResponder} has already checked the packet. */
    @Override
    public Optional<Reason> refusal(Packet packet, Turn turn) {
        return Optional.empty();
    }

    /** Fails when a fatal NAK has been sent, or, if it fails silently, when all responses before it have been sent. */
    @Override
    public SideStatus settle(Turn turn) {
        answers.blame(turn);
        boolean failed = answers.isFatalSent() || refusals.isSilent() && answers.pending() == 0;
        return failed ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    /** Completes the receive with the message's error if the message failed; else the following flush completes it. */
    @Override
    public void failReceive(Turn turn) {
        refusals.failReceive(turn);
    }

    @Override
    public int transmit(int budget, Turn turn) {
        return headers == null ? 0 : answers.transmit(headers, budget, turn);
    }

    @Override
    public int pendingResponses() {
        return answers.pending();
    }

    @Override
    public int packetsHeld() {
        return suspended.size();
    }

    @Override
    public void request(Packet packet, Turn turn) {
        if (packet.isRun()) {
            run(packet, turn);
            return;
        }
        if (refusals.isDying()) {
            turn.discarded(packet, Ignored.Plainly.CONNECTION_HAS_FAILED);
            return;
        }
        if (!suspended.isEmpty() || handle(packet, turn) == PacketOutcome.AWAITING) {
            suspended.hold(packet, Ignored.Plainly.REQUESTS_WAIT, turn);
        }
    }

    /** Executes a run as a whole if nothing prevents that, or else each of its packets. */
    private void run(Packet run, Turn turn) {
        boolean isNext = !refusals.isDying()
                && suspended.isEmpty()
                && sequence.distance(run) == 0
                && sequence.message() == IncomingMessage.WRITE
                && admission.refusal(run, turn).isEmpty();
        if (!isNext || !writes.executeWhole(run, turn)) {
            run.split().forEach(each -> request(each, turn));
        }
    }

    @Override
    public void resume(Turn turn) {
        while (!suspended.isEmpty()) {
            Packet next = suspended.first(turn);
            if (!refusals.isDying() && handle(next, turn) == PacketOutcome.AWAITING) {
                return;
            }
            suspended.removeFirst();
        }
    }

    @Override
    public void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {
        if (sends.invalidated(ticket, refusal)) {
            resume(turn);
        }
    }

    // rules paging-rnr, paging-synchronous
    /**
     * Handles the requests that wait here again. Requests refused by an RNR NAK are sent again by the peer; responses under way
     * continue.
     */
    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (pages.ends(ticket, refusal)) {
            resume(turn);
        }
    }

    // rule rc-message-sequence
    private PacketOutcome handle(Packet packet, Turn turn) {
        int distance = sequence.distance(packet);
        if (distance > 0) {
            outOfSequence(packet, turn);
            return PacketOutcome.DONE;
        }
        if (distance < 0) {
            turn.count(Counter.DUPLICATE_REQUEST);
            duplicates.answer(packet, sequence.position() + distance, sequence.acknowledgedPsn(), sequence.msn(), turn);
            return PacketOutcome.DONE;
        }
        Operation operation = packet.operation();
        Optional<RequestRefused> closed = admission.refusal(packet, turn);
        if (closed.isPresent()) {
            return refusals.notLetIn(packet, closed.get(), turn);
        }
        IncomingMessage message = sequence.message();
        if (!message.continuesWith(operation)) {
            return refusals.refuse(packet, Refusal.invalidRequest(message.misplaced(operation)), turn);
        }
        return switch (operation.family()) {
            case SEND, SEND_WITH_INVALIDATE -> sends.handle(packet, turn);
            case WRITE -> writes.handle(packet, turn);
            case READ -> reads.handle(packet, turn);
            case ATOMIC -> atomics.handle(packet, turn);
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE, ACKNOWLEDGE, NOTIFY, SESSION ->
                throw new IllegalArgumentException(packet.opcode() + " is not a request");
        };
    }

    // rule rc-nak-once
    private void outOfSequence(Packet packet, Turn turn) {
        turn.count(Counter.OUT_OF_SEQUENCE);
        if (sequence.reportGap()) {
            answers.nak(sequence.expectedPsn(), Syndrome.NAK_PSN_SEQUENCE, sequence.msn(), false, turn.input());
        } else {
            turn.discarded(packet, Ignored.Plainly.NAK_PENDING);
        }
    }
}
