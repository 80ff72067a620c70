// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.queue.LocalMemory.Reach;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * The listening half of an RC requester: takes acknowledgements and responses, completes requests in posting order, and
 * decides when to go back (rules rc-cumulative-ack, rc-in-order; IBA 9.7.6).
 */
final class RcCompleter {
    static final long NEVER = Long.MAX_VALUE;
    private static final int FOR_EVER = 7;

    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final RcRequester requester;
    private final LocalMemory memory;
    private final boolean retrySevenIsForEver;

    /** Suspension: responses that wait until the memory they go to can be reached. */
    private final Suspension awaitingLease = new Suspension();

    private int retriesLeft;
    private int rnrRetriesLeft;
    private long deadline = NEVER;
    private boolean backingOff;

    /** A request ended with an error. */
    private boolean failed;

    /**
     * A gap in the responses was answered by going back to this PSN; more of the same gap say nothing new (rule
     * rc-go-back-once).
     */
    private int wentBackFor = -1;

    /**
     * A NAK of a gap in the requests was answered by going back to this PSN. A responder tells a gap once (rule
     * rc-go-back-once), so another NAK of it is a copy; Soft-RoCE starts no second retry either.
     */
    private int nakAnswered = -1;

    // rule rc-rnr-pair
    /**
     * An RNR NAK refused the packet of this PSN, and its wait was not yet told of a gap there. Soft-RoCE answers with that
     * pair; the second of it may come when the wait is over, and is part of the same refusal.
     */
    private int refusedAt = -1;

    RcCompleter(QpParts parts, PsnWindow window, RcRequester requester) {
        settings = parts.settings();
        this.window = window;
        this.ledger = window.ledger();
        this.requester = requester;
        memory = parts.memory();
        retrySevenIsForEver = parts.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
    }

    void reset() {
        awaitingLease.clear();
        deadline = NEVER;
        backingOff = false;
        failed = false;
        forgetGaps();
        refillBudgets();
    }

    /** Waiting out an RNR NAK: nothing is sent. */
    boolean isBackingOff() {
        return backingOff;
    }

    /** Responses that wait for a lease. */
    int packetsHeld() {
        return awaitingLease.size();
    }

    boolean hasFailed() {
        return failed;
    }

    long deadline() {
        return deadline;
    }

    /** Packets are out: the timer runs, if it does not run already. */
    void sent(Turn turn) {
        if (deadline == NEVER && ledger.hasOutstanding()) {
            restartTimer(turn);
        }
    }

    /** The deadline has passed. */
    void timeout(Turn turn) {
        if (turn.now() < deadline) {
            return;
        }
        deadline = NEVER;
        if (backingOff) {
            backingOff = false;
            turn.backOffIsOver(window.unacknowledged());
        } else if (ledger.hasOutstanding()) {
            turn.count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            forgetGaps();
            goBack("timeout", turn);
        }
    }

    void response(Packet packet, Turn turn) {
        boolean waits = !awaitingLease.isEmpty() || !handle(packet, turn);
        if (waits && !awaitingLease.hold(packet, turn)) {
            turn.discarded(packet, "receive buffer full while waiting for a lease");
        }
    }

    /** An answer about a lease came in. What is held behind a request that failed is dropped with it. */
    void resume(Turn turn) {
        while (!awaitingLease.isEmpty() && !failed && handle(awaitingLease.first(turn), turn)) {
            awaitingLease.removeFirst();
        }
    }

    // rule rc-ghost
    /** False if the packet must be handled again when a lease is there; then nothing has changed. */
    private boolean handle(Packet packet, Turn turn) {
        // Between the two stands only what is outstanding.
        if (Psn.compare(packet.psn(), window.unacknowledged()) < 0
                || Psn.compare(packet.psn(), window.sentEnd()) >= 0) {
            turn.discarded(packet, HcaEvent.Discarded.GHOST);
            return true;
        }
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> {
                acknowledge(packet, turn);
                yield true;
            }
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> data(packet, turn);
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY ->
                throw new IllegalArgumentException(packet.opcode() + " is no response");
        };
    }

    private void acknowledge(Packet packet, Turn turn) {
        int syndrome = packet.aeth().syndrome();
        int psn = packet.psn();
        if (Syndrome.isAck(syndrome)) {
            acknowledgedThrough(psn, packet, turn);
            return;
        }
        if (!acknowledgedThrough(Psn.plus(psn, -1), packet, turn)) {
            return;
        }
        if (Syndrome.isRnr(syndrome)) {
            backOff(syndrome, turn);
        } else if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            sequenceNak(packet, turn);
        } else {
            Status status = fatal(syndrome, turn);
            fail(status, "its peer answered " + Syndrome.describe(syndrome), turn);
        }
    }

    /** What is missing behind a packet that found no receive is sent again with it, when the wait is over. */
    private void sequenceNak(Packet packet, Turn turn) {
        turn.count(Counter.PACKET_SEQ_ERR);
        boolean ofThePair = refusedAt == window.unacknowledged();
        refusedAt = -1;
        if (saysNothingNew(nakAnswered, HcaEvent.Discarded.WENT_BACK_FOR_NAK, packet, turn)) {
            return;
        }
        nakAnswered = window.unacknowledged();
        if (ofThePair) {
            // An RNR NAK uses no retry (IBA 9.7.5.2.8). To send again is right in any case: it may be a loss after all.
            sendAgain(HcaEvent.Retransmitting.SEQUENCE_NAK, turn);
        } else {
            goBack(HcaEvent.Retransmitting.SEQUENCE_NAK, turn);
        }
    }

    /** It is decided already when sending goes on, or it went back for that gap: {@code answered}, or -1. */
    private boolean saysNothingNew(int answered, String already, Packet packet, Turn turn) {
        boolean repeats = answered == window.unacknowledged();
        if (backingOff || repeats) {
            turn.discarded(packet, backingOff ? HcaEvent.Discarded.BACKING_OFF : already);
        }
        return backingOff || repeats;
    }

    private void forgetGaps() {
        wentBackFor = -1;
        nakAnswered = -1;
        refusedAt = -1;
    }

    // rule rc-fatal-nak
    private static Status fatal(int syndrome, Turn turn) {
        return switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> {
                turn.count(Counter.REQ_REMOTE_INVALID_REQUEST);
                yield Status.REM_INV_REQ_ERR;
            }
            case Syndrome.NAK_REMOTE_ACCESS -> {
                turn.count(Counter.REQ_REMOTE_ACCESS_ERRORS);
                yield Status.REM_ACCESS_ERR;
            }
            case Syndrome.NAK_REMOTE_OPERATION -> Status.REM_OP_ERR;
            default -> Status.BAD_RESP_ERR;
        };
    }

    // rule rc-cumulative-ack
    /**
     * Everything up to and including {@code psn} has reached the responder.
     *
     * @return false if that jumps over a READ or atomic whose response is missing: an implied NAK
     */
    private boolean acknowledgedThrough(int psn, Packet packet, Turn turn) {
        boolean progress = false;
        boolean missing = false;
        while (ledger.hasOutstanding() && Psn.compare(psn, window.unacknowledged()) >= 0 && !missing) {
            if (ledger.at(ledger.head()).awaitsResponse()) {
                missing = true;
            } else if (Psn.compare(psn, window.lastPsn(ledger.head())) >= 0) {
                window.completeHead(turn);
                progress = true;
            } else {
                window.acknowledgedBelow(Psn.plus(psn, 1));
                progress = true;
            }
        }
        if (progress) {
            progressed(turn);
        }
        if (missing) {
            impliedNak(packet, turn);
        }
        return !missing;
    }

    /**
     * What jumps over a missing response says nothing else, as in Soft-RoCE: an RNR NAK starts no wait (rule
     * rc-implied-nak).
     */
    private void impliedNak(Packet packet, Turn turn) {
        if (!saysNothingNew(wentBackFor, HcaEvent.Discarded.WENT_BACK_FOR_RESPONSE, packet, turn)) {
            wentBackFor = window.unacknowledged();
            turn.count(Counter.IMPLIED_NAK_SEQ_ERR);
            goBack(HcaEvent.Retransmitting.IMPLIED_NAK, turn);
        }
    }

    // rule rc-bad-response
    /** A READ response or an atomic acknowledgement; it also acknowledges every SEND and WRITE before its request. */
    private boolean data(Packet packet, Turn turn) {
        while (!ledger.at(ledger.head()).awaitsResponse()
                && Psn.compare(window.lastPsn(ledger.head()), packet.psn()) < 0) {
            window.completeHead(turn);
            progressed(turn);
        }
        Posted posted = ledger.at(ledger.head());
        if (!posted.awaitsResponse()) {
            fail(Status.BAD_RESP_ERR, "a response with data to a request that awaits none", turn);
            return true;
        }
        if (packet.psn() != window.unacknowledged()) {
            impliedNak(packet, turn);
            return true;
        }
        boolean isRead = posted.kind() == CompletionKind.RDMA_READ;
        if (isRead != packet.operation().isReadResponse()) {
            fail(Status.BAD_RESP_ERR, packet.operation() + " in answer to " + posted.kind(), turn);
            return true;
        }
        if (!isRightPart(packet, posted, isRead)) {
            fail(Status.BAD_RESP_ERR, packet.operation() + " is not the part or the length that was due", turn);
            return true;
        }
        return deliver(packet, posted, isRead, turn);
    }

    private boolean isRightPart(Packet packet, Posted posted, boolean isRead) {
        boolean hasAeth = packet.operation() != Operation.READ_RESPONSE_MIDDLE;
        if (hasAeth && !Syndrome.isAck(packet.aeth().syndrome())) {
            return false;
        }
        if (!isRead) {
            return true;
        }
        long left = posted.lengthBytes() - offset(packet.psn());
        return packet.payload().length() == Math.min(left, settings.mtuBytes)
                && isRightPlace(packet)
                && packet.operation().ends() == (packet.psn() == window.lastPsn(ledger.head()));
    }

    // rule rc-read-parts
    /**
     * First and Only answer the PSN that a request names (IBA 9.7.5.1.5). Where the rest of a READ is asked for, Soft-RoCE
     * goes on with Middle and Last instead, which are due there anyhow if the first request was answered.
     */
    private boolean isRightPlace(Packet packet) {
        boolean begins = packet.psn() == window.firstPsn(ledger.head());
        return packet.operation().starts() ? begins || requester.hasResumedAt(packet.psn()) : !begins;
    }

    private long offset(int psn) {
        return (long) Psn.compare(psn, window.firstPsn(ledger.head())) * settings.mtuBytes;
    }

    private boolean deliver(Packet packet, Posted posted, boolean isRead, Turn turn) {
        long at = isRead ? offset(packet.psn()) : 0;
        Octets bytes =
                isRead ? packet.payload() : hostOrder(packet.atomicAckEth().original());
        Reach reach = memory.reach(posted.work().local(), at, bytes.length(), true, turn);
        switch (reach) {
            case AWAITING_LEASE -> {
                return false;
            }
            case FORBIDDEN -> fail(Status.LOC_PROT_ERR, memory.whyNot(), turn);
            case READY -> {
                memory.scatter(posted.work().local(), at, bytes, turn);
                if (packet.psn() == window.lastPsn(ledger.head())) {
                    window.completeHead(turn);
                } else {
                    window.acknowledgedBelow(Psn.plus(packet.psn(), 1));
                }
                progressed(turn);
            }
        }
        return true;
    }

    // rule rc-atomic-host-order
    private static Octets hostOrder(long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
        return Octets.wrap(bytes, 0, bytes.length);
    }

    private void progressed(Turn turn) {
        refillBudgets();
        forgetGaps();
        backingOff = false;
        deadline = NEVER;
        if (ledger.hasOutstanding()) {
            restartTimer(turn);
        }
        requester.skipAcknowledged(turn);
    }

    /** Retry counts start over, on progress and when they are modified (rule rc-retry-count). */
    void refillBudgets() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
    }

    // rule rc-timeout
    private void restartTimer(Turn turn) {
        deadline = settings.timeoutNanos() == 0 ? NEVER : turn.now() + settings.timeoutNanos();
    }

    // rules rc-rnr-wait, rc-rnr-count, rc-rnr-again
    /**
     * RNR NAK: wait at least its time, then go on with the packet it names; it does not use up a retry. Nothing but the
     * acknowledgement of that packet ends the wait sooner: whatever is older, the NAK has acknowledged.
     */
    private void backOff(int syndrome, Turn turn) {
        turn.count(Counter.RNR_NAK_RETRY_ERR);
        if (backingOff) {
            // Nothing was sent in between: the same refusal, told again.
            waitUntil(Math.max(deadline, turn.now() + Syndrome.rnrNanos(syndrome)), turn);
            return;
        }
        if (rnrRetriesLeft == 0) {
            giveUp(Status.RNR_RETRY_EXC_ERR, "RNR NAK, RNR retry count " + settings.rnrRetry + " is spent", turn);
            return;
        }
        if (settings.rnrRetry != FOR_EVER) {
            rnrRetriesLeft--;
        }
        requester.rewind();
        forgetGaps();
        refusedAt = window.unacknowledged();
        backingOff = true;
        waitUntil(turn.now() + Syndrome.rnrNanos(syndrome), turn);
    }

    private void waitUntil(long end, Turn turn) {
        deadline = end;
        turn.backingOff(window.unacknowledged(), end - turn.now());
    }

    // rules rc-retry-count, rc-retry-seven
    private void goBack(String why, Turn turn) {
        boolean forEver = retrySevenIsForEver && settings.retryCount == FOR_EVER;
        if (retriesLeft == 0 && !forEver) {
            giveUp(Status.RETRY_EXC_ERR, why + ", retry count " + settings.retryCount + " is spent", turn);
            return;
        }
        if (!forEver) {
            retriesLeft--;
        }
        sendAgain(why, turn);
    }

    private void sendAgain(String why, Turn turn) {
        requester.rewind();
        restartTimer(turn);
        turn.retransmitting(why, window.unacknowledged());
    }

    private void giveUp(Status status, String why, Turn turn) {
        if (ledger.hasOutstanding()) {
            turn.gaveUp(window.unacknowledged(), why);
            ledger.failHead(status, turn);
            failed = true;
        }
    }

    private void fail(Status status, String why, Turn turn) {
        if (ledger.hasOutstanding()) {
            turn.failed(why);
            ledger.failHead(status, turn);
            failed = true;
        }
    }
}
