// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.ud;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.Payloads;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** Requester half of a UD queue pair: each request is a packet with an address of its own (rule ud-one-packet). */
final class UdSender implements Initiator {
    /** A remote Q_Key with this bit stands for the sender's own Q_Key (rule ud-own-qkey). */
    private static final int OWN_QKEY = 0x8000_0000;

    private final QpPlan plan;
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final LocalMemory memory;
    private final Payloads payloads;
    private final PendingPageFault pages;

    UdSender(QpParts parts) {
        plan = parts.plan();
        settings = parts.settings();
        ledger = parts.requests();
        window = new PsnWindow(ledger);
        memory = parts.memory();
        payloads = new Payloads(ledger, memory, false);
        pages = new PendingPageFault();
    }

    @Override
    public void start() {
        window.startAt(settings.sendPsn);
    }

    /** Datagrams have no responses: no opcode of the class is one. */
    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        return NONE.refusal(packet, state);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        int sent = 0;
        while (mayStart && sent < budget && !ledger.isEmpty() && sendNext(turn)) {
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
    public int nextPsn() {
        return window.nextPsn();
    }

    @Override
    public void recover() {
        window.clear();
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        pages.ends(ticket, refusal);
    }

    @Override
    public void quiesce() {
        window.clear();
        pages.forget();
    }

    // rule ud-foreign-path
    private boolean sendNext(Turn turn) {
        PostedRequest posted = ledger.at(ledger.head());
        Destination.Datagram to = posted.to();
        int maxBytes = plan.port().attributes().activeMtu().bytes();
        if (posted.lengthBytes() > maxBytes) {
            refuse(Status.LOC_LEN_ERR, new BadRequest.DatagramTooLong(posted.lengthBytes(), maxBytes), turn);
            return false;
        }
        if (to.path().domain() != settings.domain) {
            refuse(Status.LOC_QP_OP_ERR, new BadRequest.ForeignPath(), turn);
            return false;
        }
        boolean ready = posted.inline() != null || checkAccess(posted, turn);
        if (ready) {
            window.start(1);
            turn.send(packet(posted, to, turn), posted.traceId());
            window.completeHead(turn);
        }
        return ready;
    }

    private void refuse(Status status, Reason reason, Turn turn) {
        turn.failed(reason);
        window.failHead(status, turn);
    }

    private boolean checkAccess(PostedRequest posted, Turn turn) {
        Accessibility reach = memory.checkAccess(posted.local(), 0, posted.lengthBytes(), false, turn);
        return switch (reach == Accessibility.ABSENT ? pages.raiseForSend(memory, posted, turn) : reach) {
            case READY -> true;
            case AWAITING, ABSENT -> false;
            case FORBIDDEN -> {
                Reason reason = memory.whyNot();
                refuse(Status.LOC_PROT_ERR, reason, turn);
                yield false;
            }
        };
    }

    private Packet packet(PostedRequest posted, Destination.Datagram to, Turn turn) {
        OptionalInt immediate = posted.work() instanceof Send send ? send.immediate() : OptionalInt.empty();
        int qkey = (to.qkey() & OWN_QKEY) != 0 ? settings.qkey : to.qkey();
        long position = ledger.head();
        return Headers.ofDatagram(
                        settings, to.path(), to.qpNumber(), qkey, plan.profile().has(Quirk.SETS_MIG_REQ))
                .packet(
                        immediate.isPresent() ? Operation.SEND_ONLY_IMM : Operation.SEND_ONLY,
                        window.firstPsn(position),
                        false,
                        posted.isSolicited(),
                        extended(immediate),
                        payloads.read(
                                posted, position, 0, (int) posted.lengthBytes(), window.firstPsn(position), turn));
    }

    private static List<ExtendedHeader> extended(OptionalInt immediate) {
        return immediate.isPresent() ? List.of(new ExtendedHeader.Immediate(immediate.getAsInt())) : List.of();
    }
}
