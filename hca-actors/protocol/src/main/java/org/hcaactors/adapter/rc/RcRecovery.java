// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.RetriesExhausted;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;

/**
 * When an RC requester goes back, waits, or gives up: its timer, its retry counts, and the gaps that it has answered already
 * (rule rc-go-back; IBA 9.7.6).
 */
final class RcRecovery {
    static final long NEVER = Long.MAX_VALUE;

    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final RcRequester requester;
    private final boolean retrySevenIsForEver;

    @MutationPoint("rc-recovery.retries-left")
    private int retriesLeft;

    private int rnrRetriesLeft;

    @MutationPoint("rc-recovery.deadline")
    private long deadline = NEVER;

    @MutationPoint("rc-recovery.backing-off")
    private boolean backingOff;

    /** While a response has no page to go to, the send queue stands still. */
    private final PendingPageFault places;

    /**
     * A gap in the responses was answered by going back to this PSN; more of the same gap say nothing new (rule
     * rc-go-back-once).
     */
    @MutationPoint("rc-recovery.went-back-for")
    private int wentBackFor = -1;

    /**
     * A NAK of a gap in the requests was answered by going back to this PSN. A responder tells a gap once (rule
     * rc-go-back-once), so another NAK of it is a copy; Soft-RoCE starts no second retry either.
     */
    @MutationPoint("rc-recovery.nak-answered")
    private int nakAnswered = -1;

    // rule rc-rnr-pair
    /**
     * An RNR NAK refused the packet of this PSN, and its wait was not yet told of a gap there. Soft-RoCE answers with that
     * pair; the second of it may come when the wait is over, and is part of the same refusal.
     */
    private int refusedAt = -1;

    /** @param places pages that responses go to */
    RcRecovery(QpParts parts, PsnWindow window, RcRequester requester, PendingPageFault places) {
        this.places = places;
        settings = parts.settings();
        this.window = window;
        ledger = window.ledger();
        this.requester = requester;
        retrySevenIsForEver = parts.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
    }

    void reset() {
        deadline = NEVER;
        backingOff = false;
        forgetGaps();
        refillBudgets();
    }

    /** Nothing is sent. */
    boolean isSuspended() {
        return backingOff || places.isUnderWay();
    }

    // rule paging-response
    /** A response was dropped, as its page is absent: until that is there nothing is sent, and no time runs out. */
    void suspend() {
        deadline = backingOff ? deadline : NEVER;
    }

    /** The page is there. What was dropped is asked for again, which costs no retry. */
    @MutationPoint("rc-recovery.go-on")
    void goOn(Turn turn) {
        forgetGaps();
        if (!backingOff && ledger.hasOutstanding()) {
            // What answered the first request may still come, and jumps over what was dropped.
            wentBackFor = window.unacknowledged();
            sendAgain(GoBack.PAGE_PRESENT, turn);
        }
    }

    /** What was sent did not arrive, by no fault: it costs no retry. */
    void goesAgain(GoBack reason, Turn turn) {
        forgetGaps();
        if (!backingOff && ledger.hasOutstanding()) {
            sendAgain(reason, turn);
        }
    }

    /** Waiting out an RNR NAK: nothing is sent. */
    boolean isBackingOff() {
        return backingOff;
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
    @MutationPoint("rc-recovery.timeout")
    void timeout(Turn turn) {
        if (turn.now() < deadline) {
            return;
        }
        deadline = NEVER;
        if (backingOff) {
            backingOff = false;
            turn.backOffIsOver(window.unacknowledged());
        } else if (requester.waitsForPages()) {
            restartTimer(turn);
        } else if (ledger.hasOutstanding()) {
            turn.count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            forgetGaps();
            goBack(GoBack.TIMEOUT, turn);
        }
    }

    /** What is missing behind a packet that found no receive is sent again with it, when the wait is over. */
    @MutationPoint("rc-recovery.sequence-nak")
    void sequenceNak(Packet packet, Turn turn) {
        turn.count(Counter.PACKET_SEQ_ERR);
        boolean ofThePair = refusedAt == window.unacknowledged();
        refusedAt = -1;
        if (saysNothingNew(nakAnswered, Ignored.Plainly.WENT_BACK_FOR_NAK, packet, turn)) {
            return;
        }
        nakAnswered = window.unacknowledged();
        if (ofThePair) {
            // An RNR NAK uses no retry (IBA 9.7.5.2.8). To send again is right in any case: it may be a loss after all.
            sendAgain(GoBack.SEQUENCE_NAK, turn);
        } else {
            goBack(GoBack.SEQUENCE_NAK, turn);
        }
    }

    /** It is decided already when sending goes on, or it went back for that gap: {@code answered}, or -1. */
    @MutationPoint("rc-recovery.says-nothing-new")
    private boolean saysNothingNew(int answered, Ignored already, Packet packet, Turn turn) {
        boolean suspended = places.isUnderWay();
        boolean repeats = answered == window.unacknowledged();
        if (suspended) {
            turn.discarded(packet, Ignored.Plainly.RESPONSE_PAGE_AWAITED);
        } else if (backingOff || repeats) {
            turn.discarded(packet, backingOff ? Ignored.Plainly.BACKING_OFF : already);
        }
        return suspended || backingOff || repeats;
    }

    @MutationPoint("rc-recovery.forget-gaps")
    private void forgetGaps() {
        wentBackFor = -1;
        nakAnswered = -1;
        refusedAt = -1;
    }

    /**
     * What jumps over a missing response says nothing else, as in Soft-RoCE: an RNR NAK starts no wait (rule
     * rc-implied-nak).
     */
    @MutationPoint("rc-recovery.implied-nak")
    void impliedNak(Packet packet, Turn turn) {
        if (!saysNothingNew(wentBackFor, Ignored.Plainly.WENT_BACK_FOR_RESPONSE, packet, turn)) {
            wentBackFor = window.unacknowledged();
            turn.count(Counter.IMPLIED_NAK_SEQ_ERR);
            goBack(GoBack.IMPLIED_NAK, turn);
        }
    }

    @MutationPoint("rc-recovery.progressed")
    void progressed(Turn turn) {
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
    @MutationPoint("rc-recovery.refill-budgets")
    void refillBudgets() {
        retriesLeft = settings.retryCount;
        rnrRetriesLeft = settings.rnrRetry;
    }

    // rule rc-timeout
    private void restartTimer(Turn turn) {
        deadline = places.isUnderWay() || settings.timeoutNanos() == 0 ? NEVER : turn.now() + settings.timeoutNanos();
    }

    // rules rc-rnr-wait, rc-rnr-count, rc-rnr-again
    /**
     * RNR NAK: wait at least its time, then go on with the packet it names; it does not use up a retry. Nothing but the
     * acknowledgement of that packet ends the wait sooner: whatever is older, the NAK has acknowledged.
     */
    @MutationPoint("rc-recovery.back-off")
    void backOff(int syndrome, Turn turn) {
        turn.count(Counter.RNR_NAK_RETRY_ERR);
        if (backingOff) {
            // Nothing was sent in between: the same refusal, told again.
            waitUntil(Math.max(deadline, turn.now() + Syndrome.rnrNanos(syndrome)), turn);
            return;
        }
        if (rnrRetriesLeft == 0) {
            giveUp(Status.RNR_RETRY_EXC_ERR, new RetriesExhausted.RnrRetries(settings.rnrRetry), turn);
            return;
        }
        if (!settings.rnrRetriesForEver()) {
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

    // rule rc-retry-count
    @MutationPoint("rc-recovery.go-back")
    private void goBack(GoBack reason, Turn turn) {
        boolean forEver = settings.retriesForEver(retrySevenIsForEver);
        if (retriesLeft == 0 && !forEver) {
            giveUp(Status.RETRY_EXC_ERR, new RetriesExhausted.Retries(reason, settings.retryCount), turn);
            return;
        }
        if (!forEver) {
            retriesLeft--;
        }
        sendAgain(reason, turn);
    }

    @MutationPoint("rc-recovery.send-again")
    private void sendAgain(GoBack reason, Turn turn) {
        requester.rewind();
        restartTimer(turn);
        turn.retransmitting(reason, window.unacknowledged());
    }

    private void giveUp(Status status, RetriesExhausted reason, Turn turn) {
        if (ledger.hasOutstanding()) {
            turn.gaveUp(window.unacknowledged(), reason);
            window.failHead(status, turn);
        }
    }
}
