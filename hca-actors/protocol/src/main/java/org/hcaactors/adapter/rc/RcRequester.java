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
import org.hcaactors.adapter.work.LocalMemory.Reach;
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
 * The sending half of an RC requester: takes requests in order, gives them PSNs, builds their packets, and goes back to
 * the oldest unacknowledged PSN when its completer says so (rule rc-go-back).
 */
final class RcRequester {
    /** An acknowledgement is asked for at least every so many packets (rule rc-ack-request). */
    static final int ACK_INTERVAL = 64;

    /** No request is broken. */
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

    /** The request that sends next, and the next PSN in it; equal to {@code ledger.fresh()} when all was sent once. */
    private long cursor;

    private int cursorPsn;
    private int sinceAckRequest;

    /**
     * A request that can't be sent; it fails once all before it are complete. One that broke while it was sent again may
     * be acknowledged before that: then it need not be sent any more, and has not failed.
     */
    @MutationPoint("rc-requester.broken-at")
    private long brokenAt = WHOLE;

    @MutationPoint("rc-requester.broken-by")
    private Status brokenBy = Status.SUCCESS;

    private @Nullable Reason brokenWhy;

    /** The READ of which the rest was asked for last, and from which PSN on. */
    private long resumed = -1;

    private int resumedAt;

    private final PendingPageFault pages;

    /** The request whose memory was reached in this turn, in which no lease can go, and how many bytes of it. */
    private long reached = -1;

    private long reachedTo;

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
        cursor = ledger.fresh();
        sinceAckRequest = 0;
        brokenAt = WHOLE;
        resumed = -1;
        pages.forget();
    }

    /** The rest of the oldest READ was asked for from that PSN on: its responses may begin afresh there. */
    @MutationPoint("rc-requester.has-resumed-at")
    boolean hasResumedAt(int psn) {
        return resumed == ledger.head() && resumedAt == psn;
    }

    /** Go-back-N: sending goes on at the oldest unacknowledged PSN. */
    void rewind() {
        data.payloads().forget();
        cursor = ledger.head();
        cursorPsn = window.unacknowledged();
    }

    /** The completer has moved on: never send what is acknowledged already. */
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
    /** Fails a request that could not be sent, as soon as it is the oldest. */
    void settleBroken(Turn turn) {
        if (brokenAt == ledger.head() && brokenWhy != null) {
            turn.failed(brokenWhy);
            window.failHead(brokenBy, turn);
        }
    }

    /**
     * Sends up to {@code budget} packets.
     *
     * @param mayStart a request that was never started may be started
     * @return packets sent
     */
    int transmit(Headers on, int budget, boolean mayStart, Turn turn) {
        reached = -1;
        int sent = mayStart ? run(on, budget, turn) : 0;
        while (sent < budget && hasNext(mayStart, turn) && sendNext(on, turn)) {
            sent++;
            sent += middles(on, budget - sent, turn);
        }
        return sent;
    }

    private int run(Headers on, int budget, Turn turn) {
        if (cursor != ledger.fresh() || brokenAt != WHOLE) {
            return 0;
        }
        int sent = run.send(on, budget, Math.min(settings.mtuBytes, maxMessageBytes), turn);
        if (sent > 0) {
            cursor = ledger.fresh();
            cursorPsn = window.nextPsn();
            sinceAckRequest = 0;
        }
        return sent;
    }

    // rule rc-ack-request
    /** What stands behind a packet that was just sent, in the middle of the same message; none of what is sent again. */
    private int middles(Headers on, int budget, Turn turn) {
        if (cursor != reached || cursorPsn != window.sentEnd() || cursorPsn == window.firstPsn(cursor)) {
            return 0;
        }
        int max = Math.min(Math.min(budget, window.room(cursorPsn)), ACK_INTERVAL - 1 - sinceAckRequest);
        int sent = run.middles(on, cursor, cursorPsn, max, reachedTo, turn);
        sinceAckRequest += sent;
        cursorPsn = Psn.plus(cursorPsn, sent);
        return sent;
    }

    /** Something has packets to send, again or for the first time. */
    private boolean hasNext(boolean mayStart, Turn turn) {
        while (cursor != ledger.fresh() && ledger.at(cursor).changesKey()) {
            cursor++;
        }
        return cursor != ledger.fresh() || mayStart && admit(turn);
    }

    // rules rc-read-limit, rc-read-limit-zero, rc-fence, rc-local-key-late
    /**
     * Starts the next request if its turn has come and its memory can be reached. Where a READ or an atomic puts its
     * response is looked at when that is there: the peer has executed it by then (rxe do_read, do_atomic; mlx5, too).
     */
    @MutationPoint("rc-requester.admit")
    private boolean admit(Turn turn) {
        if (ledger.fresh() == ledger.tail() || brokenAt != WHOLE) {
            return false;
        }
        PostedRequest posted = ledger.at(ledger.fresh());
        boolean rdAtomic = posted.awaitsResponse();
        if (posted.isFenced() && window.outstandingRdAtomic() > 0) {
            return false;
        }
        if (posted.changesKey()) {
            window.askForChange(turn).ifPresent(this::changeRefused);
            return false;
        }
        if (rdAtomic && settings.maxRdAtomic > 0 && window.outstandingRdAtomic() >= settings.maxRdAtomic) {
            return false;
        }
        if (rdAtomic && settings.maxRdAtomic == 0) {
            breakAt(ledger.fresh(), Status.LOC_QP_OP_ERR, new BadRequest.NoReadsAllowed());
            return false;
        }
        if (isWrongLength(posted)) {
            breakAt(ledger.fresh(), Status.LOC_LEN_ERR, wrongLength(posted));
            return false;
        }
        long first = Math.min(posted.lengthBytes(), settings.mtuBytes);
        if (!rdAtomic && !reach(posted, 0, first, ledger.fresh(), turn)) {
            return false;
        }
        cursor = ledger.fresh();
        window.start(Psn.packets(posted.lengthBytes(), settings.mtuBytes));
        cursorPsn = window.firstPsn(cursor);
        return true;
    }

    // rule memory-key-work
    void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        boolean allSent = cursor == ledger.fresh();
        if (!window.changed(ticket, refusal, turn)) {
            return;
        }
        cursor = allSent ? ledger.fresh() : cursor;
        refusal.ifPresent(this::changeRefused);
    }

    private void changeRefused(Denial reason) {
        PostedRequest posted = ledger.at(ledger.fresh());
        breakAt(ledger.fresh(), PendingKeyChange.status(posted, reason), PendingKeyChange.reason(posted, reason));
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
     * What is left of a message can be read in this turn; or, where pages are absent, as much as the next packet takes.
     *
     * @param needed bytes of that packet
     */
    private boolean reach(PostedRequest posted, long from, long needed, long position, Turn turn) {
        Reach reach = posted.inline() != null
                ? Reach.READY
                : memory.reach(posted.local(), from, posted.lengthBytes() - from, false, turn);
        if (reach == Reach.ABSENT && memory.there() >= needed) {
            reached = position;
            reachedTo = from + memory.there();
            return true;
        }
        return switch (reach == Reach.ABSENT ? pages.askToSend(memory, posted, turn) : reach) {
            case READY -> {
                reached = position;
                reachedTo = posted.lengthBytes();
                yield true;
            }
            case AWAITING, ABSENT -> false;
            case FORBIDDEN -> {
                breakAt(position, Status.LOC_PROT_ERR, memory.whyNot());
                yield false;
            }
        };
    }

    /** It waits for a page of what it sends. */
    boolean waitsForPages() {
        return pages.isUnderWay();
    }

    void pagesServed(long ticket, Optional<Denial> refusal) {
        pages.ends(ticket, refusal);
    }

    /** The oldest counts: if it is acknowledged after all, what is behind it is looked at again. */
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
        ask(on, posted, turn);
        return true;
    }

    // rule rc-read-resume
    /** A READ that was answered in part asks for the rest only. */
    private void ask(Headers on, PostedRequest posted, Turn turn) {
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
        boolean there = cursor == reached && from + count <= reachedTo;
        if (!there && !reach(posted, from, count, cursor, turn)) {
            return false;
        }
        if (!data.payloads().hasRoom(posted, count) && !turn.packetsAreKept()) {
            return false;
        }
        boolean ends = cursorPsn == window.lastPsn(cursor);
        boolean ackReq =
                ends || ++sinceAckRequest >= ACK_INTERVAL || data.payloads().isAlmostFull(settings.mtuBytes);
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
