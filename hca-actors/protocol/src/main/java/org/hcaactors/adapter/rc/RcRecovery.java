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
 * Retransmission state of an RC requester: its timer, its retry counts, and the gaps that it has already answered (rule
 * rc-go-back; IBA 9.7.6). It decides when to go back, to wait, and to give up.
 */
final class RcRecovery {
    static final long NEVER = Long.MAX_VALUE;

    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final RcRequester requester;
    private final boolean sevenIsInfinite;

    @MutationPoint("rc-recovery.retries-left")
    private int retriesLeft;

    private int rnrRetriesLeft;

    @MutationPoint("rc-recovery.deadline")
    private long deadline = NEVER;

    @MutationPoint("rc-recovery.backing-off")
    private boolean backingOff;

    /** Page fault of a response's local memory; nothing is sent while it is pending. */
    private final PendingPageFault places;

    /**
     * PSN that the requester went back to for a gap in the responses; further reports of the same gap are ignored (rule
     * rc-go-back-once).
     */
    @MutationPoint("rc-recovery.went-back-for")
    private int wentBackFor = -1;

    /**
     * PSN that the requester went back to for a NAK. A responder reports a gap once (rule rc-go-back-once), so another NAK for
     * it is a copy; Soft-RoCE starts no second retry either.
     */
    @MutationPoint("rc-recovery.nak-answered")
    private int nakAnswered = -1;

    // rule rc-rnr-pair
    /**
     * PSN of the packet refused by an RNR NAK, until a sequence NAK for the same PSN arrives. Soft-RoCE sends that pair of
     * NAKs; the second may arrive after the wait and belongs to the same refusal.
     */
    private int refusedAt = -1;

    /** @param places page fault of the responses' local memory */
    RcRecovery(QpParts parts, PsnWindow window, RcRequester requester, PendingPageFault places) {
        this.places = places;
        settings = parts.settings();
        this.window = window;
        ledger = window.ledger();
        this.requester = requester;
        sevenIsInfinite = parts.profile().has(Quirk.RETRY_SEVEN_IS_FOREVER);
    }

    void reset() {
        deadline = NEVER;
        backingOff = false;
        forgetGaps();
        refillBudgets();
    }

    /** True while nothing may be sent. */
    boolean isSuspended() {
        return backingOff || places.isUnderWay();
    }

    // rule paging-response
    /** Stops sending and the timer: a response was dropped since its page is absent. */
    void suspend() {
        deadline = backingOff ? deadline : NEVER;
    }

    /** Continues when the page is present: the dropped response is requested again, which uses no retry. */
    @MutationPoint("rc-recovery.go-on")
    void pagePresent(Turn turn) {
        forgetGaps();
        if (!backingOff && ledger.hasOutstanding()) {
            // Responses to the first request may still arrive and skip the dropped one.
            wentBackFor = window.unacknowledged();
            sendAgain(GoBack.PAGE_PRESENT, turn);
        }
    }

    /** Sends again what did not arrive through no fault of either side; uses no retry. */
    void resend(GoBack reason, Turn turn) {
        forgetGaps();
        if (!backingOff && ledger.hasOutstanding()) {
            sendAgain(reason, turn);
        }
    }

    /** True while waiting out an RNR NAK: nothing is sent. */
    boolean isBackingOff() {
        return backingOff;
    }

    long deadline() {
        return deadline;
    }

    /** Packets were sent: starts the timer unless it runs already. */
    void sent(Turn turn) {
        if (deadline == NEVER && ledger.hasOutstanding()) {
            restartTimer(turn);
        }
    }

    /** Handles the passed deadline. */
    @MutationPoint("rc-recovery.timeout")
    void timeout(Turn turn) {
        if (turn.now() < deadline) {
            return;
        }
        deadline = NEVER;
        if (backingOff) {
            backingOff = false;
            turn.rnrTimerExpired(window.unacknowledged());
        } else if (requester.waitsForPages()) {
            restartTimer(turn);
        } else if (ledger.hasOutstanding()) {
            turn.count(Counter.LOCAL_ACK_TIMEOUT_ERR);
            forgetGaps();
            goBack(GoBack.TIMEOUT, turn);
        }
    }

    /**
     * Handles a NAK PSN sequence error. Packets missing behind one that found no receive are sent again with it, after the RNR
     * wait.
     */
    @MutationPoint("rc-recovery.sequence-nak")
    void sequenceNak(Packet packet, Turn turn) {
        turn.count(Counter.PACKET_SEQ_ERR);
        boolean ofThePair = refusedAt == window.unacknowledged();
        refusedAt = -1;
        if (isRedundant(nakAnswered, Ignored.Plainly.WENT_BACK_FOR_NAK, packet, turn)) {
            return;
        }
        nakAnswered = window.unacknowledged();
        if (ofThePair) {
            // An RNR NAK uses no retry (IBA 9.7.5.2.8). Sending again is right in any case, since a packet may have
            // been lost.
            sendAgain(GoBack.SEQUENCE_NAK, turn);
        } else {
            goBack(GoBack.SEQUENCE_NAK, turn);
        }
    }

    /**
     * True if a NAK needs no reaction: a wait is pending, or the requester has already gone back for this gap.
     *
     * @param answered PSN that the requester went back to, or -1
     */
    @MutationPoint("rc-recovery.says-nothing-new")
    private boolean isRedundant(int answered, Ignored already, Packet packet, Turn turn) {
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
     * Handles a response that skips a missing one. As in Soft-RoCE, nothing else in it counts: an RNR NAK starts no wait (rule
     * rc-implied-nak).
     */
    @MutationPoint("rc-recovery.implied-nak")
    void impliedNak(Packet packet, Turn turn) {
        if (!isRedundant(wentBackFor, Ignored.Plainly.WENT_BACK_FOR_RESPONSE, packet, turn)) {
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

    /** Resets the retry counts, on progress and when they are modified (rule rc-retry-count). */
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
     * Handles an RNR NAK: waits at least its time, then continues with the packet that it names; uses no retry of the retry
     * count. Only the acknowledgement of that packet ends the wait sooner, since the NAK has acknowledged everything older.
     */
    @MutationPoint("rc-recovery.back-off")
    void backOff(int syndrome, Turn turn) {
        turn.count(Counter.RNR_NAK_RETRY_ERR);
        if (backingOff) {
            // Nothing was sent in between, so this repeats the same refusal.
            waitUntil(Math.max(deadline, turn.now() + Syndrome.rnrNanos(syndrome)), turn);
            return;
        }
        if (rnrRetriesLeft == 0) {
            giveUp(Status.RNR_RETRY_EXC_ERR, new RetriesExhausted.RnrRetries(settings.rnrRetry), turn);
            return;
        }
        if (!settings.hasInfiniteRnrRetries()) {
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
        boolean infinite = settings.hasInfiniteRetries(sevenIsInfinite);
        if (retriesLeft == 0 && !infinite) {
            giveUp(Status.RETRY_EXC_ERR, new RetriesExhausted.Retries(reason, settings.retryCount), turn);
            return;
        }
        if (!infinite) {
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
