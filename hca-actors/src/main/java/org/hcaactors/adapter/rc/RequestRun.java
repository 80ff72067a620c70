// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import org.hcaactors.adapter.message.DataPackets;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Reach;
import org.hcaactors.adapter.work.Posted;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.Psn;

/**
 * A run of requests: SENDs and WRITEs of one packet each, started and sent in one tight loop as long as there is nothing to
 * decide. It only declines: the first that has to wait, to be looked at, or to be refused is left to the requester, which decides.
 */
final class RequestRun {
    private final boolean isOn;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final LocalMemory memory;
    private final DataPackets data;

    RequestRun(QpParts parts, PsnWindow window, DataPackets data) {
        isOn = parts.runs();
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
        int most = isOn ? Math.min(budget, window.room()) : 0;
        while (sent < most && ledger.fresh() != ledger.tail()) {
            long position = ledger.fresh();
            Posted posted = ledger.at(position);
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

    /** Its bytes can be read now, to where others stand already. */
    private boolean isThere(Posted posted, Turn turn) {
        int count = (int) posted.lengthBytes();
        return posted.inline() != null
                || data.payloads().fits(count)
                        && memory.reach(posted.work().local(), 0, count, false, turn) == Reach.READY;
    }
}
