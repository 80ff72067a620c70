// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Execution of an RC requester's requests: requester, completer and recovery on one PSN window. {@link RcInitiator} creates it
 * with its first request.
 */
final class RcRequestExecution implements Initiator {
    private final PsnWindow window;
    private final RcRequester requester;
    private final RcRecovery recovery;
    private final RcCompleter completer;
    private @Nullable Headers headers;

    RcRequestExecution(QpParts parts, PsnWindow window) {
        this.window = window;
        requester = new RcRequester(parts, window);
        PendingPageFault places = new PendingPageFault();
        recovery = new RcRecovery(parts, window, requester, places);
        completer = new RcCompleter(parts, window, requester, recovery, places);
        quiesce();
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void start() {
        completer.clear();
        recovery.reset();
    }

    @Override
    public void modified() {
        recovery.refillBudgets();
    }

    /** {@link RcInitiator} has already checked the packet. */
    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        return Optional.empty();
    }

    @Override
    public void response(Packet packet, Turn turn) {
        completer.response(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        if (headers == null || recovery.isSuspended()) {
            return 0;
        }
        int sent = requester.transmit(headers, budget, mayStart, turn);
        if (sent > 0) {
            recovery.sent(turn);
        }
        return sent;
    }

    /** Waits and sends again, as after an RNR NAK: the peer can't take requests now. */
    void backOff(int syndrome, Turn turn) {
        recovery.backOff(syndrome, turn);
    }

    /** Sends again what did not arrive through no fault of either side; uses no retry. */
    void sendAgain(GoBack reason, Turn turn) {
        recovery.resend(reason, turn);
    }

    @Override
    public void resume(Turn turn) {
        completer.resume(turn);
    }

    @Override
    public void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {
        requester.keyChanged(ticket, refusal, turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (kind == PageFault.Kind.GATHER) {
            requester.pagesServed(ticket, refusal);
        } else {
            completer.pagesServed(ticket, refusal, turn);
        }
    }

    @Override
    public long nextDeadline() {
        return recovery.deadline();
    }

    @Override
    public void timeout(Turn turn) {
        recovery.timeout(turn);
    }

    @Override
    public SideStatus settle(Turn turn) {
        if (!window.hasFailed()) {
            requester.settleBroken(turn);
        }
        return window.status();
    }

    @Override
    public QpState afterFailure() {
        return QpState.ERR;
    }

    @Override
    public boolean isBackingOff() {
        return recovery.isBackingOff();
    }

    @Override
    public int packetsHeld() {
        return completer.packetsHeld();
    }

    @Override
    public void quiesce() {
        requester.reset();
        completer.clear();
        recovery.reset();
    }
}
