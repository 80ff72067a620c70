// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.uc;

import java.util.Optional;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.DataPackets;
import org.hcaactors.adapter.message.Payloads;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PendingKeyChange;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Requester half of a UC queue pair: sends requests in order, and completes each when its last packet is on the wire. Nothing
 * is kept or sent twice (rule uc-complete-on-wire; IBA 9.8.2).
 */
final class UcRequester implements Initiator {
    private final PsnWindow window;
    private final SendLedger ledger;
    private final QpSettings settings;
    private final LocalMemory memory;
    private final DataPackets data;
    private final PendingPageFault pages;
    private final long maxMessageBytes;

    /** The oldest request has PSNs and is being sent. */
    private boolean started;

    private int nextPsn;
    /** Number of the oldest request's bytes whose memory was checked in this turn, during which no lease is released. */
    private long checkedTo;

    private @Nullable Headers headers;

    UcRequester(QpParts parts) {
        settings = parts.settings();
        ledger = parts.requests();
        window = new PsnWindow(ledger);
        memory = parts.memory();
        pages = new PendingPageFault();
        maxMessageBytes = parts.profile().port().maxMessageBytes();
        data = new DataPackets(settings, window, new Payloads(ledger, memory, false));
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public Optional<Headers> peer() {
        return Optional.ofNullable(headers);
    }

    @Override
    public void start() {
        window.startAt(settings.sendPsn);
    }

    /** UC has no responses: no opcode of its class is one. */
    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        return NONE.refusal(packet, state);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        int sent = 0;
        checkedTo = 0;
        while (headers != null
                && sent < budget
                && !window.hasFailed()
                && begun(mayStart, turn)
                && send(headers, turn)) {
            sent++;
        }
        return sent;
    }

    @Override
    public SideStatus settle(Turn turn) {
        return window.status();
    }

    @Override
    public QpState afterFailure() {
        return QpState.SQE;
    }

    @Override
    public boolean isBusy() {
        return started || window.awaitsChange();
    }

    @Override
    public int nextPsn() {
        return window.nextPsn();
    }

    @Override
    public void quiesce() {
        data.payloads().forget();
        started = false;
        window.clear();
        pages.forget();
    }

    @Override
    public void recover() {
        window.clear();
    }

    private boolean begun(boolean mayStart, Turn turn) {
        return started || mayStart && begin(turn);
    }

    // rule rc-message-limit
    private boolean begin(Turn turn) {
        if (ledger.head() == ledger.tail()) {
            return false;
        }
        PostedRequest posted = ledger.at(ledger.head());
        if (posted.changesKey()) {
            window.requestKeyChange(turn);
            return false;
        }
        if (posted.lengthBytes() > maxMessageBytes) {
            turn.failed(new BadRequest.MessageTooLong(posted.lengthBytes(), maxMessageBytes));
            fail(Status.LOC_LEN_ERR, turn);
            return false;
        }
        if (!checkAccess(posted, 0, Math.min(posted.lengthBytes(), settings.mtuBytes), turn)) {
            return false;
        }
        window.start(Psn.packets(posted.lengthBytes(), settings.mtuBytes));
        nextPsn = window.firstPsn(ledger.head());
        started = true;
        return true;
    }

    // rule memory-key-work
    @Override
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        if (window.changed(ticket, refusal, turn)) {
            refusal.ifPresent(reason -> changeRefused(reason, turn));
        }
    }

    private void changeRefused(Denial reason, Turn turn) {
        PostedRequest posted = ledger.at(ledger.head());
        turn.failed(PendingKeyChange.reason(posted, reason));
        fail(PendingKeyChange.status(posted, reason), turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        pages.ends(ticket, refusal);
    }

    // rules paging-gather, paging-whole-message
    /**
     * Checks the memory of the rest of a message. If pages are absent, the next packet's part is enough.
     *
     * @param needed length of that packet's part in bytes
     */
    private boolean checkAccess(PostedRequest posted, long from, long needed, Turn turn) {
        Accessibility reach = posted.inline() != null
                ? Accessibility.READY
                : memory.checkAccess(posted.local(), from, posted.lengthBytes() - from, false, turn);
        if (reach == Accessibility.ABSENT && memory.presentBytes() >= needed) {
            checkedTo = from + memory.presentBytes();
            return true;
        }
        return switch (reach == Accessibility.ABSENT ? pages.raiseForSend(memory, posted, turn) : reach) {
            case READY -> {
                checkedTo = posted.lengthBytes();
                yield true;
            }
            case AWAITING, ABSENT -> false;
            case FORBIDDEN -> {
                turn.failed(memory.whyNot());
                fail(Status.LOC_PROT_ERR, turn);
                yield false;
            }
        };
    }

    private void fail(Status status, Turn turn) {
        window.failHead(status, turn);
        started = false;
    }

    private boolean send(Headers on, Turn turn) {
        long position = ledger.head();
        PostedRequest posted = ledger.at(position);
        long from = data.bytesBefore(position, nextPsn);
        int count = data.bytesIn(posted, from);
        if (from + count > checkedTo && !checkAccess(posted, from, count, turn)) {
            return false;
        }
        turn.send(data.packet(on, posted, position, from, nextPsn, false, turn), posted.traceId());
        boolean ends = nextPsn == window.lastPsn(position);
        nextPsn = Psn.plus(nextPsn, 1);
        if (ends) {
            window.completeHead(turn);
            started = false;
            checkedTo = 0;
        }
        return true;
    }
}
