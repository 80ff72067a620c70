// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The packet sequence numbers of the started requests of a ledger, and what of them is sent and
 * acknowledged. A request that sends nothing takes no number.
 */
public final class PsnWindow {
    /** Packets sent and not acknowledged, at most (rule rc-window). */
    public static final int MAX_PACKETS = 1 << 12;

    private static final int[] NONE = {};

    private final SendLedger ledger;
    private int[] first = NONE;
    private int[] last = NONE;

    /** What the next request that is started begins with. */
    private int next;

    /** The oldest that is not acknowledged. */
    private int unacknowledged;

    /** One past the newest ever sent. */
    private int sentEnd;

    private int outstandingRdAtomic;

    /** A request ended with an error. */
    private boolean failed;

    private @Nullable PendingKeyChange request;

    public PsnWindow(SendLedger ledger) {
        this.ledger = ledger;
    }

    public SendLedger ledger() {
        return ledger;
    }

    /** Numbering starts over, at the move to RTS. */
    @MutationPoint("psn-window.start-at")
    public void startAt(int psn) {
        next = psn;
        unacknowledged = psn;
        sentEnd = psn;
    }

    /** Starts the oldest request that never was, with so many packets. */
    public void start(int packets) {
        if (first.length == 0) {
            first = new int[ledger.capacity()];
            last = new int[ledger.capacity()];
        }
        long position = ledger.start();
        first[slot(position)] = next;
        last[slot(position)] = Psn.plus(next, packets - 1);
        next = Psn.plus(next, packets);
        if (ledger.at(position).awaitsResponse()) {
            outstandingRdAtomic++;
        }
    }

    private int slot(long position) {
        return (int) position & first.length - 1;
    }

    public int firstPsn(long position) {
        return first[slot(position)];
    }

    public int lastPsn(long position) {
        return last[slot(position)];
    }

    public int nextPsn() {
        return next;
    }

    // rule dc-disconnect
    /** The next PSN, for what is no request; only while nothing is outstanding. */
    @MutationPoint("psn-window.take")
    public int take() {
        int taken = next;
        startAt(Psn.plus(taken, 1));
        return taken;
    }

    public int unacknowledged() {
        return unacknowledged;
    }

    /** That which is not acknowledged, or the next one. */
    public int oldest() {
        return ledger.hasOutstanding() ? unacknowledged : next;
    }

    public int sentEnd() {
        return sentEnd;
    }

    /** Packets that may be sent from that PSN on (rule rc-window). */
    public int room(int from) {
        return MAX_PACKETS - Psn.compare(from, unacknowledged);
    }

    /** It was sent, and is not acknowledged. */
    @MutationPoint("psn-window.is-outstanding")
    public boolean isOutstanding(int psn) {
        return Psn.compare(psn, unacknowledged) >= 0 && Psn.compare(psn, sentEnd) < 0;
    }

    /** READs and atomics that were started and are not done. */
    @MutationPoint("psn-window.outstanding-rd-atomic")
    public int outstandingRdAtomic() {
        return outstandingRdAtomic;
    }

    public void acknowledgedBelow(int psn) {
        unacknowledged = psn;
    }

    public void sentBelow(int psn) {
        if (Psn.compare(psn, sentEnd) > 0) {
            sentEnd = psn;
        }
    }

    /** The oldest request is done, and its last packet acknowledged. */
    public void completeHead(Turn turn) {
        completeHead(null, turn);
    }

    /** @param inlineData what its completion carries, if it does */
    public void completeHead(@Nullable InlineData inlineData, Turn turn) {
        long head = ledger.head();
        unacknowledged = Psn.plus(lastPsn(head), 1);
        if (ledger.at(head).awaitsResponse()) {
            outstandingRdAtomic--;
        }
        ledger.completeHead(inlineData, turn);
        completeWhatSendsNothing(turn);
    }

    // rule memory-key-work
    /** The oldest fresh request asks once for its change of a key. Returns why that was refused, if it was. */
    public Optional<Denial> askForChange(Turn turn) {
        if (request == null) {
            request = new PendingKeyChange();
        }
        return request.ask(ledger.at(ledger.fresh()), turn);
    }

    public boolean awaitsChange() {
        return request != null && request.isUnderWay();
    }

    /** The answer to that ticket is in; where it is no refusal, the request is done. False where nobody waits for it any more. */
    public boolean changed(long ticket, Optional<Denial> refusal, Turn turn) {
        boolean awaited = request != null && request.ends(ticket, refusal);
        if (awaited && refusal.isEmpty()) {
            start(0);
            completeWhatSendsNothing(turn);
        }
        return awaited;
    }

    /** It is done when it was started, and waits only for what stands before it. */
    private void completeWhatSendsNothing(Turn turn) {
        while (ledger.hasOutstanding() && ledger.at(ledger.head()).changesKey()) {
            ledger.completeHead(null, turn);
        }
    }

    /** The oldest request, started or not, ends with an error: nothing goes on from here. */
    public void failHead(Status status, Turn turn) {
        failed = true;
        ledger.failHead(status, turn);
    }

    public SideStatus standing() {
        return failed ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    @MutationPoint("psn-window.has-failed")
    public boolean hasFailed() {
        return failed;
    }

    /** Nothing is started, and nothing has failed. The change of a key goes on if its request is still there. */
    public void clear() {
        outstandingRdAtomic = 0;
        failed = false;
        if (request != null) {
            boolean isEmpty = ledger.fresh() == ledger.tail();
            request.forgetUnlessOf(isEmpty ? null : ledger.at(ledger.fresh()));
        }
    }
}
