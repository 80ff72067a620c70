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
 * PSNs of the started requests of a send ledger, and which of them are sent and acknowledged. A request that sends nothing uses
 * no PSN.
 */
public final class PsnWindow {
    /** Maximum number of packets sent and not acknowledged (rule rc-window). */
    public static final int MAX_PACKETS = 1 << 12;

    private static final int[] NONE = {};

    private final SendLedger ledger;
    private int[] first = NONE;
    private int[] last = NONE;

    /** First PSN of the next request to be started. */
    private int next;

    /** The oldest unacknowledged PSN. */
    private int unacknowledged;

    /** One past the newest PSN ever sent. */
    private int sentEnd;

    private int outstandingRdAtomic;

    /** A request completed with an error. */
    private boolean failed;

    private @Nullable PendingKeyChange request;

    public PsnWindow(SendLedger ledger) {
        this.ledger = ledger;
    }

    public SendLedger ledger() {
        return ledger;
    }

    /** Restarts the numbering, at the transition to RTS. */
    @MutationPoint("psn-window.start-at")
    public void startAt(int psn) {
        next = psn;
        unacknowledged = psn;
        sentEnd = psn;
    }

    /** Starts the oldest request that was never started, with this number of packets. */
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
    /** Takes the next PSN for a packet that belongs to no request; call it only while nothing is outstanding. */
    @MutationPoint("psn-window.take")
    public int take() {
        int taken = next;
        startAt(Psn.plus(taken, 1));
        return taken;
    }

    public int unacknowledged() {
        return unacknowledged;
    }

    /** Returns the oldest unacknowledged PSN, or the next one if none is outstanding. */
    public int oldest() {
        return ledger.hasOutstanding() ? unacknowledged : next;
    }

    public int sentEnd() {
        return sentEnd;
    }

    /** Number of packets that may be sent from that PSN on (rule rc-window). */
    public int room(int from) {
        return MAX_PACKETS - Psn.compare(from, unacknowledged);
    }

    /** True if the PSN was sent and is not acknowledged. */
    @MutationPoint("psn-window.is-outstanding")
    public boolean isOutstanding(int psn) {
        return Psn.compare(psn, unacknowledged) >= 0 && Psn.compare(psn, sentEnd) < 0;
    }

    /** Number of READs and atomics that are started and not finished. */
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

    /** Completes the oldest request, whose last packet is acknowledged. */
    public void completeHead(Turn turn) {
        completeHead(null, turn);
    }

    /** @param inlineData inline data of the completion, if any */
    public void completeHead(@Nullable InlineData inlineData, Turn turn) {
        long head = ledger.head();
        unacknowledged = Psn.plus(lastPsn(head), 1);
        if (ledger.at(head).awaitsResponse()) {
            outstandingRdAtomic--;
        }
        ledger.completeHead(inlineData, turn);
        completeKeyChanges(turn);
    }

    // rule memory-key-work
    /** Requests, once, the key change of the oldest request that was never started. Returns why it was refused, if it was. */
    public Optional<Denial> requestKeyChange(Turn turn) {
        if (request == null) {
            request = new PendingKeyChange();
        }
        return request.request(ledger.at(ledger.nextToStart()), turn);
    }

    public boolean awaitsChange() {
        return request != null && request.isInProgress();
    }

    /**
     * Takes the answer with that ticket; if it is no refusal, the request is done. Returns false if the answer is no longer
     * awaited.
     */
    public boolean changed(long ticket, Optional<Denial> refusal, Turn turn) {
        boolean awaited = request != null && request.ends(ticket, refusal);
        if (awaited && refusal.isEmpty()) {
            start(0);
            completeKeyChanges(turn);
        }
        return awaited;
    }

    /** Completes requests that send nothing: they are done once started, and wait only for the requests before them. */
    private void completeKeyChanges(Turn turn) {
        while (ledger.hasOutstanding() && ledger.at(ledger.head()).changesKey()) {
            ledger.completeHead(null, turn);
        }
    }

    /** Completes the oldest request, started or not, with an error: sending stops. */
    public void failHead(Status status, Turn turn) {
        failed = true;
        ledger.failHead(status, turn);
    }

    public SideStatus status() {
        return failed ? SideStatus.FAILED : SideStatus.RUNNING;
    }

    @MutationPoint("psn-window.has-failed")
    public boolean hasFailed() {
        return failed;
    }

    /**
     * Resets the window: nothing is started and nothing has failed. A pending key change continues if its request is still
     * queued.
     */
    public void clear() {
        outstandingRdAtomic = 0;
        failed = false;
        if (request != null) {
            boolean isEmpty = ledger.nextToStart() == ledger.tail();
            request.dropUnlessOf(isEmpty ? null : ledger.at(ledger.nextToStart()));
        }
    }
}
