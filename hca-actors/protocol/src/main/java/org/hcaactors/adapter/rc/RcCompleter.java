// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.atomic.OriginalValue;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.BadResponse;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PacketOutcome;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Suspension;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;

/**
 * Receiving part of an RC requester: handles acknowledgements and responses, completes requests in posting order, and decides
 * when to go back (rules rc-cumulative-ack, rc-in-order; IBA 9.7.6).
 */
final class RcCompleter {
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final RcRequester requester;
    private final LocalMemory memory;
    private final RcRecovery recovery;
    private final int inlineBytes;
    private final AtomicUnit atomics;

    /** Responses that wait until their local memory is accessible. */
    private final Suspension awaitingLease = new Suspension();

    /** Page fault of the responses' local memory. */
    private final PendingPageFault places;

    RcCompleter(QpParts parts, PsnWindow window, RcRequester requester, RcRecovery recovery, PendingPageFault places) {
        settings = parts.settings();
        this.window = window;
        this.ledger = window.ledger();
        this.requester = requester;
        this.recovery = recovery;
        memory = parts.memory();
        atomics = parts.plan().atomics();
        inlineBytes = parts.plan().capacity().maxInlineResultBytes();
        this.places = places;
    }

    void clear() {
        places.forget();
        awaitingLease.clear();
    }

    /** Number of responses that wait for a lease. */
    int packetsHeld() {
        return awaitingLease.size();
    }

    void response(Packet packet, Turn turn) {
        if (!awaitingLease.isEmpty() || handle(packet, turn) == PacketOutcome.AWAITING) {
            awaitingLease.hold(packet, Ignored.Plainly.RESPONSES_WAIT, turn);
        }
    }

    /** Continues after a lease was granted or refused. If a request failed, the responses held behind it are dropped. */
    @MutationPoint("rc-completer.resume")
    void resume(Turn turn) {
        while (!awaitingLease.isEmpty()
                && !window.hasFailed()
                && handle(awaitingLease.first(turn), turn) == PacketOutcome.DONE) {
            awaitingLease.removeFirst();
        }
    }

    // rule rc-ghost
    @MutationPoint("rc-completer.handle")
    private PacketOutcome handle(Packet packet, Turn turn) {
        if (!window.isOutstanding(packet.psn())) {
            turn.discarded(packet, Ignored.Plainly.GHOST);
            return PacketOutcome.DONE;
        }
        return switch (packet.operation().family()) {
            case ACKNOWLEDGE -> {
                acknowledge(packet, turn);
                yield PacketOutcome.DONE;
            }
            case READ_RESPONSE, ATOMIC_ACKNOWLEDGE -> data(packet, turn);
            case SEND, SEND_WITH_INVALIDATE, WRITE, READ, ATOMIC, NOTIFY, SESSION ->
                throw new IllegalArgumentException(packet.opcode() + " is not a response");
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
            recovery.backOff(syndrome, turn);
        } else if (syndrome == Syndrome.NAK_PSN_SEQUENCE) {
            recovery.sequenceNak(packet, turn);
        } else {
            Status status = fatal(syndrome, turn);
            fail(status, new BadResponse.PeerRefused(syndrome), turn);
        }
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
     * Acknowledges everything up to and including {@code psn}.
     *
     * @return false if that skips a READ or atomic whose response is missing: an implied NAK
     */
    @MutationPoint("rc-completer.acknowledged-through")
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
            recovery.progressed(turn);
        }
        if (missing) {
            recovery.impliedNak(packet, turn);
        }
        return !missing;
    }

    // rule rc-bad-response
    /** Handles a READ response or an atomic acknowledgement; it also acknowledges every SEND and WRITE before its request. */
    private PacketOutcome data(Packet packet, Turn turn) {
        if (places.isUnderWay() && memory.waits().inPlace()) {
            return PacketOutcome.AWAITING;
        }
        if (places.isUnderWay()) {
            turn.discarded(packet, Ignored.Plainly.RESPONSE_PAGE_AWAITED);
            return PacketOutcome.DONE;
        }
        while (!ledger.at(ledger.head()).awaitsResponse()
                && Psn.compare(window.lastPsn(ledger.head()), packet.psn()) < 0) {
            window.completeHead(turn);
            recovery.progressed(turn);
        }
        PostedRequest posted = ledger.at(ledger.head());
        if (!posted.awaitsResponse()) {
            fail(Status.BAD_RESP_ERR, new BadResponse.UnwantedData(), turn);
            return PacketOutcome.DONE;
        }
        if (packet.psn() != window.unacknowledged()) {
            recovery.impliedNak(packet, turn);
            return PacketOutcome.DONE;
        }
        boolean isRead = posted.kind() == CompletionKind.RDMA_READ;
        if (isRead != packet.operation().isReadResponse()) {
            fail(Status.BAD_RESP_ERR, new BadResponse.OtherKind(packet.operation(), posted.kind()), turn);
            return PacketOutcome.DONE;
        }
        if (!isRightPart(packet, posted, isRead)) {
            fail(Status.BAD_RESP_ERR, new BadResponse.OtherPart(packet.operation()), turn);
            return PacketOutcome.DONE;
        }
        return deliver(packet, posted, isRead, turn);
    }

    private boolean isRightPart(Packet packet, PostedRequest posted, boolean isRead) {
        boolean hasAeth = packet.operation() != Operation.READ_RESPONSE_MIDDLE;
        if (hasAeth && !Syndrome.isAck(packet.aeth().syndrome())) {
            return false;
        }
        if (!isRead) {
            return packet.payload().length() == OriginalValue.restBytes(posted.atomicBytes());
        }
        long left = posted.lengthBytes() - offset(packet.psn());
        return packet.payload().length() == Math.min(left, settings.mtuBytes)
                && isRightPlace(packet)
                && packet.operation().ends() == (packet.psn() == window.lastPsn(ledger.head()));
    }

    // rule rc-read-parts
    /**
     * True if the packet's opcode fits its PSN. First and Only answer the PSN that a request names (IBA 9.7.5.1.5). If the
     * requester asked for the rest of a READ, Soft-RoCE continues with Middle and Last instead; these are expected there anyway
     * if the response is to the original request.
     */
    @MutationPoint("rc-completer.is-right-place")
    private boolean isRightPlace(Packet packet) {
        boolean begins = packet.psn() == window.firstPsn(ledger.head());
        return packet.operation().starts() ? begins || requester.hasResumedAt(packet.psn()) : !begins;
    }

    private long offset(int psn) {
        return (long) Psn.compare(psn, window.firstPsn(ledger.head())) * settings.mtuBytes;
    }

    private PacketOutcome deliver(Packet packet, PostedRequest posted, boolean isRead, Turn turn) {
        long at = isRead ? offset(packet.psn()) : 0;
        Octets bytes = isRead ? packet.payload() : original(packet, posted);
        if (travelsInline(posted)) {
            carry(posted, bytes, turn);
            return PacketOutcome.DONE;
        }
        switch (place(posted, at, bytes.length(), turn)) {
            case AWAITING -> {
                if (places.isUnderWay()) {
                    recovery.suspend();
                }
                return PacketOutcome.AWAITING;
            }
            case ABSENT -> {
                turn.discarded(packet, Ignored.Plainly.RESPONSE_PAGE_AWAITED);
                recovery.suspend();
            }
            case FORBIDDEN -> fail(Status.LOC_PROT_ERR, posted.memory(memory).whyNot(), turn);
            case READY -> {
                posted.memory(memory).scatter(posted.local(), at, bytes, turn);
                if (packet.psn() == window.lastPsn(ledger.head())) {
                    window.completeHead(turn);
                } else {
                    window.acknowledgedBelow(Psn.plus(packet.psn(), 1));
                }
                recovery.progressed(turn);
            }
        }
        return PacketOutcome.DONE;
    }

    // rules inline-results, atomic-not-inline
    private boolean travelsInline(PostedRequest posted) {
        return posted.lengthBytes() <= inlineBytes
                && posted.lengthBytes() > 0
                && ledger.isHeadSignaled()
                && posted.request() == null
                && !posted.kind().isMaskedAtomic();
    }

    /** Checks the local memory that these bytes of the response to the oldest request are written to. */
    private Accessibility place(PostedRequest posted, long at, int count, Turn turn) {
        LocalMemory to = posted.memory(memory);
        Accessibility reach = to.checkAccess(posted.local(), at, count, true, turn);
        if (reach != Accessibility.ABSENT) {
            return reach;
        }
        to.widen(posted.local(), at, posted.lengthBytes() - at, true, turn);
        return places.raise(to, PageFault.Kind.RESPONSE, posted.isAtomic() ? Use.ATOMIC : Use.READ, turn);
    }

    /** Delivers a result in the completion. The packet holds the whole result, since inline results are shorter than any MTU. */
    private void carry(PostedRequest posted, Octets result, Turn turn) {
        InlineData inlineData = turn.load(posted.id(), posted.local(), result);
        window.completeHead(inlineData, turn);
        recovery.progressed(turn);
    }

    void pagesServed(long ticket, Optional<Denial> refusal, Turn turn) {
        if (!places.ends(ticket, refusal)) {
            return;
        }
        if (memory.waits().inPlace()) {
            resume(turn);
        } else if (refusal.isEmpty()) {
            recovery.pagePresent(turn);
        } else if (ledger.hasOutstanding()) {
            refused(turn);
        }
    }

    // rules paging-fails, paging-reregister
    /** Fails the request, unless its key permits the access by now. */
    private void refused(Turn turn) {
        PostedRequest posted = ledger.at(ledger.head());
        long at = posted.isAtomic() ? 0 : offset(window.unacknowledged());
        int count = (int) Math.min(posted.lengthBytes() - at, settings.mtuBytes);
        switch (place(posted, at, count, turn)) {
            case READY, AWAITING -> recovery.pagePresent(turn);
            case FORBIDDEN -> fail(Status.LOC_PROT_ERR, posted.memory(memory).whyNot(), turn);
            case ABSENT -> {}
        }
    }

    private Octets original(Packet packet, PostedRequest posted) {
        int bytes = posted.atomicBytes();
        return OriginalValue.bytes(
                OriginalValue.in(packet, bytes),
                atomics.replyOrder(bytes, posted.kind().isMaskedAtomic()));
    }

    private void fail(Status status, Reason reason, Turn turn) {
        if (ledger.hasOutstanding()) {
            turn.failed(reason);
            window.failHead(status, turn);
        }
    }
}
