// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.DataPackets;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.Psn;

/**
 * A run of requests: SENDs and WRITEs of one packet each, started and sent in one tight loop as long as there is nothing to
 * decide; and of the packets in the middle of a longer one. It only declines: the first that has to wait, to be looked at, to ask
 * for something, or to be refused is left to the requester, which decides.
 */
final class RequestBurst {
    private final boolean isOn;
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final LocalMemory memory;
    private final DataPackets data;

    RequestBurst(QpParts parts, PsnWindow window, DataPackets data) {
        isOn = parts.runs();
        settings = parts.settings();
        this.window = window;
        ledger = window.ledger();
        memory = parts.memory();
        this.data = data;
    }

    /**
     * Only where all that was started is sent.
     *
     * @param longest message that one packet takes
     * @return packets sent
     */
    int send(Headers on, int budget, long longest, Turn turn) {
        int sent = 0;
        int psn = window.nextPsn();
        int max = isOn ? Math.min(budget, window.room(psn)) : 0;
        while (sent < max && ledger.fresh() != ledger.tail()) {
            long position = ledger.fresh();
            PostedRequest posted = ledger.at(position);
            if (posted.lengthBytes() > longest || !posted.isPlain() || !isThere(posted, turn)) {
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
     * Packets in the middle of a request, where nothing behind them was sent before.
     *
     * @param firstPsn of the first of them
     * @param max that may go without asking for an acknowledgement
     * @param reachedTo bytes of the request that can be read in this turn
     * @return packets sent
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

    /** Its bytes can be read now, to where others stand already. */
    private boolean isThere(PostedRequest posted, Turn turn) {
        int count = (int) posted.lengthBytes();
        return posted.inline() != null
                || data.payloads().fits(count) && memory.reach(posted.local(), 0, count, false, turn) == Reach.READY;
    }
}
