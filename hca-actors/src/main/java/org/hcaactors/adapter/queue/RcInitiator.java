// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.Optional;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** The asking half of a reliable connection: a requester, and the completer that listens for it, over one window. */
final class RcInitiator implements Initiator {
    private final QpSettings settings;
    private final PsnWindow window;
    private final RcRequester requester;
    private final RcCompleter completer;
    private @Nullable Headers headers;

    RcInitiator(QpParts parts) {
        settings = parts.settings();
        window = new PsnWindow(parts.requests());
        requester = new RcRequester(parts, window);
        completer = new RcCompleter(parts, window, requester);
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void start() {
        window.startAt(settings.sendPsn);
        completer.reset();
    }

    @Override
    public void modified() {
        completer.refillBudgets();
    }

    @Override
    public Optional<String> refusal(Packet packet, QpState state) {
        if (state != QpState.RTS && state != QpState.SQD) {
            return Optional.of("a response while the queue pair is in " + state);
        }
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public void response(Packet packet, Turn turn) {
        completer.response(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        if (headers == null || completer.isBackingOff()) {
            return 0;
        }
        int sent = requester.transmit(headers, budget, mayStart, turn);
        if (sent > 0) {
            completer.sent(turn);
        }
        return sent;
    }

    @Override
    public void resume(Turn turn) {
        completer.resume(turn);
    }

    @Override
    public long nextDeadline() {
        return completer.deadline();
    }

    @Override
    public void timeout(Turn turn) {
        completer.timeout(turn);
    }

    @Override
    public Standing settle(Turn turn) {
        return completer.hasFailed() || requester.failsBroken(turn) ? Standing.FAILED : Standing.GOES_ON;
    }

    @Override
    public QpState afterFailure() {
        return QpState.ERR;
    }

    @Override
    public boolean isBusy() {
        return window.ledger().hasOutstanding();
    }

    @Override
    public int nextPsn() {
        return window.nextPsn();
    }

    @Override
    public boolean isBackingOff() {
        return completer.isBackingOff();
    }

    @Override
    public boolean waitsForEver() {
        return settings.timeoutNanos() == 0;
    }

    @Override
    public int packetsHeld() {
        return completer.packetsHeld();
    }

    @Override
    public void quiesce() {
        requester.reset();
        completer.reset();
    }
}
