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
 * What carries out the requests of a reliable connection: a requester, the completer that listens for it, and the recovery that
 * sends it back, over one window. An {@link RcInitiator} makes it with its first request.
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

    /** Its initiator has judged it. */
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

    /** Its peer is not there to be asked: it waits, and sends again, as when a receiver is not ready. */
    void backOff(int syndrome, Turn turn) {
        recovery.backOff(syndrome, turn);
    }

    /** What was sent went nowhere, and nobody is to blame: it is sent again, which costs no retry. */
    void sendAgain(GoBack reason, Turn turn) {
        recovery.goesAgain(reason, turn);
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
        return window.standing();
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
