// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.message.DataPackets;
import org.hcaactors.adapter.message.Payloads;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PendingKeyChange;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Sending part of an RC requester: takes requests in order, assigns their PSNs, builds their packets, and goes back to the
 * oldest unacknowledged PSN when recovery demands it (rule rc-go-back).
 */
final class RcRequester {
    /** Maximum number of packets between two acknowledgement requests (rule rc-ack-request). */
    static final int ACK_INTERVAL = 64;

    /** Value of {@code brokenAt} while no request is broken. */
    private static final long WHOLE = Long.MAX_VALUE;

    private final QpSettings settings;
    private final PsnWindow window;

    @MutationPoint("rc-requester.ledger")
    private final SendLedger ledger;

    @MutationPoint("rc-requester.memory")
    private final LocalMemory memory;

    private final DataPackets data;
    private final RequestBurst run;
    private final long maxMessageBytes;

    /** The request that sends next, and its next PSN; equal to {@code ledger.fresh()} when everything has been sent once. */
    private long cursor;

    private int cursorPsn;
    private int sinceAckRequest;

    /**
     * A request that can't be sent; it fails when all requests before it are complete. If it broke during a retransmission, it
     * may still be acknowledged before that: then it need not be sent any more and has not failed.
     */
    @MutationPoint("rc-requester.broken-at")
    private long brokenAt = WHOLE;

    @MutationPoint("rc-requester.broken-by")
    private Status brokenBy = Status.SUCCESS;

    private @Nullable Reason brokenWhy;

    /** The READ whose rest was requested last, and the PSN where the rest begins. */
    private long resumed = -1;

    private int resumedAt;

    private final PendingPageFault pages;

    /**
     * The request whose memory was checked in this turn, during which no lease is released, and how many of its bytes are
     * accessible.
     */
    private long checkedRequest = -1;

    private long checkedTo;

    RcRequester(QpParts parts, PsnWindow window) {
        settings = parts.settings();
        this.window = window;
        this.ledger = window.ledger();
        memory = parts.memory();
        data = new DataPackets(settings, window, new Payloads(ledger, memory, true));
        run = new RequestBurst(parts, window, data);
        pages = new PendingPageFault();
        maxMessageBytes = parts.profile().port().maxMessageBytes();
    }

    void reset() {
        window.clear();
        data.payloads().forget();
        cursor = ledger.nextToStart();
        sinceAckRequest = 0;
        brokenAt = WHOLE;
        resumed = -1;
        pages.forget();
    }

    /**
     * True if the rest of the oldest READ was requested from that PSN on: its responses may start over with a First packet
     * there.
     */
    @MutationPoint("rc-requester.has-resumed-at")
    boolean hasResumedAt(int psn) {
        return resumed == ledger.head() && resumedAt == psn;
    }

    /** Go-back-N: continues sending at the oldest unacknowledged PSN. */
    void rewind() {
        data.payloads().forget();
        cursor = ledger.head();
        cursorPsn = window.unacknowledged();
    }

    /** Advances the send position after acknowledgements, so that nothing acknowledged is sent again. */
    @MutationPoint("rc-requester.skip-acknowledged")
    void skipAcknowledged(Turn turn) {
        data.payloads().acknowledgedBelow(window.unacknowledged(), turn.packetsAreKept());
        if (brokenAt < ledger.head()) {
            brokenAt = WHOLE;
        }
        cursor = Math.max(cursor, ledger.head());
        if (Psn.compare(cursorPsn, window.unacknowledged()) < 0) {
            cursorPsn = window.unacknowledged();
        }
    }

    // rule rc-own-memory
    /** Fails a request that could not be sent, when it is the oldest. */
    void settleBroken(Turn turn) {
        if (brokenAt == ledger.head() && brokenWhy != null) {
            turn.failed(brokenWhy);
            window.failHead(brokenBy, turn);
        }
    }

    /**
     * Sends up to {@code budget} packets.
     *
     * @param mayStart whether requests that were never started may be started
     * @return number of packets sent
     */
    int transmit(Headers on, int budget, boolean mayStart, Turn turn) {
        checkedRequest = -1;
        data.payloads().setLending(turn.mayLend());
        int sent = mayStart ? run(on, budget, turn) : 0;
        while (sent < budget && hasNext(mayStart, turn) && sendNext(on, turn)) {
            sent++;
            sent += middles(on, budget - sent, turn);
        }
        return sent;
    }

    private int run(Headers on, int budget, Turn turn) {
        if (cursor != ledger.nextToStart() || brokenAt != WHOLE) {
            return 0;
        }
        int sent = run.send(on, budget, Math.min(settings.mtuBytes, maxMessageBytes), turn);
        if (sent > 0) {
            cursor = ledger.nextToStart();
            cursorPsn = window.nextPsn();
            sinceAckRequest = 0;
        }
        return sent;
    }

    // rule rc-ack-request
    /** Sends the middle packets of a message right behind a packet that was just sent; not used for retransmissions. */
    private int middles(Headers on, int budget, Turn turn) {
        if (cursor != checkedRequest || cursorPsn != window.sentEnd() || cursorPsn == window.firstPsn(cursor)) {
            return 0;
        }
        int max = Math.min(Math.min(budget, window.room(cursorPsn)), ACK_INTERVAL - 1 - sinceAckRequest);
        int sent = run.middles(on, cursor, cursorPsn, max, checkedTo, turn);
        sinceAckRequest += sent;
        cursorPsn = Psn.plus(cursorPsn, sent);
        return sent;
    }

    /** True if a request has packets to send, again or for the first time. */
    private boolean hasNext(boolean mayStart, Turn turn) {
        while (cursor != ledger.nextToStart() && ledger.at(cursor).changesKey()) {
            cursor++;
        }
        return cursor != ledger.nextToStart() || mayStart && admit(turn);
    }

    // rules rc-read-limit, rc-read-limit-zero, rc-fence, rc-local-key-late
    /**
     * Starts the next request if it may start and its memory is accessible. The local memory of a READ or an atomic is checked
     * only when the response arrives, after the peer has executed the request (rxe do_read, do_atomic; mlx5 does the same).
     */
    @MutationPoint("rc-requester.admit")
    private boolean admit(Turn turn) {
        if (ledger.nextToStart() == ledger.tail() || brokenAt != WHOLE) {
            return false;
        }
        PostedRequest posted = ledger.at(ledger.nextToStart());
        boolean rdAtomic = posted.awaitsResponse();
        if (posted.isFenced() && window.outstandingRdAtomic() > 0) {
            return false;
        }
        if (posted.changesKey()) {
            window.requestKeyChange(turn).ifPresent(this::changeRefused);
            return false;
        }
        if (rdAtomic && settings.maxRdAtomic > 0 && window.outstandingRdAtomic() >= settings.maxRdAtomic) {
            return false;
        }
        if (rdAtomic && settings.maxRdAtomic == 0) {
            breakAt(ledger.nextToStart(), Status.LOC_QP_OP_ERR, new BadRequest.NoReadsAllowed());
            return false;
        }
        if (isWrongLength(posted)) {
            breakAt(ledger.nextToStart(), Status.LOC_LEN_ERR, wrongLength(posted));
            return false;
        }
        long first = Math.min(posted.lengthBytes(), settings.mtuBytes);
        if (!rdAtomic && !checkAccess(posted, 0, first, ledger.nextToStart(), turn)) {
            return false;
        }
        cursor = ledger.nextToStart();
        window.start(Psn.packets(posted.lengthBytes(), settings.mtuBytes));
        cursorPsn = window.firstPsn(cursor);
        return true;
    }

    // rule memory-key-work
    void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        boolean allSent = cursor == ledger.nextToStart();
        if (!window.changed(ticket, refusal, turn)) {
            return;
        }
        cursor = allSent ? ledger.nextToStart() : cursor;
        refusal.ifPresent(this::changeRefused);
    }

    private void changeRefused(Denial reason) {
        PostedRequest posted = ledger.at(ledger.nextToStart());
        breakAt(ledger.nextToStart(), PendingKeyChange.status(posted, reason), PendingKeyChange.reason(posted, reason));
    }

    // rules rc-message-limit, rc-atomic-result-size
    private boolean isWrongLength(PostedRequest posted) {
        return posted.isAtomic()
                ? posted.lengthBytes() != posted.atomicBytes()
                : posted.lengthBytes() > maxMessageBytes;
    }

    private BadRequest wrongLength(PostedRequest posted) {
        if (posted.kind().isMaskedAtomic()) {
            return new BadRequest.MaskedAtomicLength(posted.lengthBytes(), posted.atomicBytes());
        }
        return posted.isAtomic()
                ? new BadRequest.AtomicLength(posted.lengthBytes())
                : new BadRequest.MessageTooLong(posted.lengthBytes(), maxMessageBytes);
    }

    /**
     * Checks the memory of the rest of a message. If pages are absent, the next packet's part is enough.
     *
     * @param needed length of that packet's part in bytes
     */
    private boolean checkAccess(PostedRequest posted, long from, long needed, long position, Turn turn) {
        Accessibility reach = posted.inline() != null
                ? Accessibility.READY
                : memory.checkAccess(posted.local(), from, posted.lengthBytes() - from, false, turn);
        if (reach == Accessibility.ABSENT && memory.presentBytes() >= needed) {
            checkedRequest = position;
            checkedTo = from + memory.presentBytes();
            return true;
        }
        return switch (reach == Accessibility.ABSENT ? pages.raiseForSend(memory, posted, turn) : reach) {
            case READY -> {
                checkedRequest = position;
                checkedTo = posted.lengthBytes();
                yield true;
            }
            case AWAITING, ABSENT -> false;
            case FORBIDDEN -> {
                breakAt(position, Status.LOC_PROT_ERR, memory.whyNot());
                yield false;
            }
        };
    }

    /** True while the requester waits for a page of the data to send. */
    boolean waitsForPages() {
        return pages.isUnderWay();
    }

    void pagesServed(long ticket, Optional<Denial> refusal) {
        pages.ends(ticket, refusal);
    }

    /** Only the oldest broken request is recorded: if it is acknowledged after all, later ones are checked again. */
    private void breakAt(long position, Status status, Reason reason) {
        if (position < brokenAt) {
            brokenAt = position;
            brokenBy = status;
            brokenWhy = reason;
        }
    }

    private boolean sendNext(Headers path, Turn turn) {
        if (cursor >= brokenAt || window.room(cursorPsn) <= 0) {
            return false;
        }
        PostedRequest posted = ledger.at(cursor);
        Headers on = path.toward(posted);
        if (!posted.awaitsResponse()) {
            return sendData(on, posted, turn);
        }
        sendRequest(on, posted, turn);
        return true;
    }

    // rule rc-read-resume
    /** Sends a READ or atomic request. A READ that was answered in part requests only the rest. */
    private void sendRequest(Headers on, PostedRequest posted, Turn turn) {
        long answered = data.bytesBefore(cursor, cursorPsn);
        if (answered > 0) {
            resumed = cursor;
            resumedAt = cursorPsn;
        }
        send(RequestPackets.of(on, posted, cursorPsn, answered), posted, turn);
        sinceAckRequest = 0;
        advance(Psn.plus(window.lastPsn(cursor), 1));
    }

    private void send(Packet packet, PostedRequest posted, Turn turn) {
        if (Psn.compare(cursorPsn, window.sentEnd()) < 0) {
            turn.sendAgain(packet, posted.traceId());
        } else {
            turn.send(packet, posted.traceId());
        }
    }

    private boolean sendData(Headers on, PostedRequest posted, Turn turn) {
        long from = data.bytesBefore(cursor, cursorPsn);
        int count = data.bytesIn(posted, from);
        boolean checked = cursor == checkedRequest && from + count <= checkedTo;
        if (!checked && !checkAccess(posted, from, count, cursor, turn)) {
            return false;
        }
        if (!data.payloads().hasRoom(posted, count) && !turn.packetsAreKept()) {
            return false;
        }
        boolean ends = cursorPsn == window.lastPsn(cursor);
        boolean ackReq =
                ends || ++sinceAckRequest >= ACK_INTERVAL || data.payloads().isAlmostFull(posted, settings.mtuBytes);
        sinceAckRequest = ackReq ? 0 : sinceAckRequest;
        send(data.packet(on, posted, cursor, from, cursorPsn, ackReq, turn), posted, turn);
        advance(Psn.plus(cursorPsn, 1));
        return true;
    }

    private void advance(int nextPsn) {
        window.sentBelow(nextPsn);
        cursorPsn = nextPsn;
        if (Psn.compare(nextPsn, window.lastPsn(cursor)) > 0) {
            cursor++;
        }
    }
}
