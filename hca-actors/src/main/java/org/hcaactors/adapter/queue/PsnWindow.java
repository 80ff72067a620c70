// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Psn;

/**
 * The packet sequence numbers of the started requests of a ledger, and what of them is sent and
 * acknowledged. A request that sends nothing takes no number.
 */
final class PsnWindow {
    /** Packets sent and not acknowledged, at most (rule rc-window). */
    static final int MOST_PACKETS = 1 << 12;

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

    PsnWindow(SendLedger ledger) {
        this.ledger = ledger;
    }

    SendLedger ledger() {
        return ledger;
    }

    /** Numbering starts over, at the move to RTS. */
    void startAt(int psn) {
        next = psn;
        unacknowledged = psn;
        sentEnd = psn;
    }

    /** Starts the oldest request that never was, with so many packets. */
    void start(int packets) {
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

    int firstPsn(long position) {
        return first[slot(position)];
    }

    int lastPsn(long position) {
        return last[slot(position)];
    }

    int nextPsn() {
        return next;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    int sentEnd() {
        return sentEnd;
    }

    /** READs and atomics that were started and are not done. */
    int outstandingRdAtomic() {
        return outstandingRdAtomic;
    }

    void acknowledgedBelow(int psn) {
        unacknowledged = psn;
    }

    void sentBelow(int psn) {
        if (Psn.compare(psn, sentEnd) > 0) {
            sentEnd = psn;
        }
    }

    /** The oldest request is done, and its last packet acknowledged. */
    void completeHead(Turn turn) {
        long head = ledger.head();
        unacknowledged = Psn.plus(lastPsn(head), 1);
        if (ledger.at(head).awaitsResponse()) {
            outstandingRdAtomic--;
        }
        ledger.completeHead(turn);
    }

    /** The oldest request, started or not, ends with an error: nothing goes on from here. */
    void failHead(Status status, Turn turn) {
        failed = true;
        ledger.failHead(status, turn);
    }

    Standing standing() {
        return failed ? Standing.FAILED : Standing.GOES_ON;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Nothing is started, and nothing has failed. */
    void clear() {
        outstandingRdAtomic = 0;
        failed = false;
    }
}
