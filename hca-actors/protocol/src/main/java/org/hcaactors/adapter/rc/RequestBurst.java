// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.DataPackets;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.fabric.packet.Psn;

/**
 * Fast path of an RC requester: starts and sends SENDs and WRITEs of one packet each in one loop while they need no decision,
 * and the middle packets of a longer message. It never fails or suspends a request: the first one that must wait, be checked,
 * or be refused is left to {@link RcRequester}.
 */
final class RequestBurst {
    private final boolean isOn;
    private final boolean sendsRuns;
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final LocalMemory memory;
    private final DataPackets data;

    RequestBurst(QpParts parts, PsnWindow window, DataPackets data) {
        isOn = parts.runs();
        sendsRuns = parts.plan().kind().sendsRuns();
        settings = parts.settings();
        this.window = window;
        ledger = window.ledger();
        memory = parts.memory();
        this.data = data;
    }

    /**
     * Sends single-packet requests. Call it only if all started requests have been sent.
     *
     * @param longest maximum length of a message in one packet
     * @return number of packets sent
     */
    int send(Headers on, int budget, long longest, Turn turn) {
        int sent = 0;
        int psn = window.nextPsn();
        int max = isOn ? Math.min(budget, window.room(psn)) : 0;
        while (sent < max && ledger.nextToStart() != ledger.tail()) {
            long position = ledger.nextToStart();
            PostedRequest posted = ledger.at(position);
            if (posted.lengthBytes() > longest || !posted.isPlain() || !isReadable(posted, turn)) {
                break;
            }
            window.start(1);
            turn.send(data.packet(on.toward(posted), posted, position, 0, psn, true, turn), posted.traceId());
            psn = Psn.plus(psn, 1);
            sent++;
        }
        if (sent > 0) {
            window.sentBelow(psn);
        }
        return sent;
    }

    /**
     * Sends middle packets of a request; nothing behind them may have been sent before.
     *
     * @param firstPsn PSN of the first of them
     * @param max maximum number of packets without an acknowledgement request
     * @param reachedTo number of bytes of the request that are readable in this turn
     */
    int middles(Headers on, long position, int firstPsn, int max, long reachedTo, Turn turn) {
        if (!isOn || max <= 0) {
            return 0;
        }
        PostedRequest posted = ledger.at(position);
        Headers toward = on.toward(posted);
        int mtu = settings.mtuBytes;
        long from = data.bytesBefore(position, firstPsn);
        int packets = (int) Math.min(max, (Math.min(reachedTo, posted.lengthBytes() - 1) - from) / mtu);
        int psn = firstPsn;
        int sent = 0;
        if (packets > 1 && sendsRun(posted)) {
            turn.send(data.run(toward, posted, from, psn, packets, turn), posted.traceId());
            window.sentBelow(Psn.plus(psn, packets));
            return packets;
        }
        while (sent < packets && data.payloads().takesMore(posted, mtu)) {
            turn.send(data.middle(toward, posted, position, from, psn, turn), posted.traceId());
            from += mtu;
            psn = Psn.plus(psn, 1);
            sent++;
        }
        if (sent > 0) {
            window.sentBelow(psn);
        }
        return sent;
    }

    private boolean sendsRun(PostedRequest posted) {
        return sendsRuns
                && posted.kind() == CompletionKind.RDMA_WRITE
                && data.payloads().lends(posted);
    }

    /** True if the request's data is readable now and is lent or fits into the current payload buffer. */
    private boolean isReadable(PostedRequest posted, Turn turn) {
        int count = (int) posted.lengthBytes();
        return posted.inline() != null
                || (data.payloads().fits(count) || data.payloads().lends(posted))
                        && memory.checkAccess(posted.local(), 0, count, false, turn) == Accessibility.READY;
    }
}
