package org.hcaactors.adapter.queue;

import java.util.Optional;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/** Reliable connected: a requester, its completer and a responder over one ledger each. */
final class RcTransport implements Transport {
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final RcRequester requester;
    private final RcCompleter completer;
    private final RcResponder responder;
    private @Nullable Headers headers;

    RcTransport(
            QpPlan plan,
            QpSettings settings,
            PsnWindow window,
            ReceiveQueue receives,
            LocalMemory memory,
            LocalMemory buffers) {
        Profile profile = plan.profile();
        this.settings = settings;
        this.window = window;
        ledger = window.ledger();
        requester = new RcRequester(settings, window, memory, profile.port().maxMessageBytes());
        completer = new RcCompleter(settings, window, requester, memory, profile.has(Quirk.RETRY_SEVEN_IS_FOREVER));
        responder = new RcResponder(settings, receives, memory, buffers, profile);
    }

    @Override
    public TransportClass speaks() {
        return TransportClass.RC;
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
        requester.connect(peer);
    }

    @Override
    public void startReceiving() {
        responder.startAt(settings.receivePsn);
    }

    @Override
    public void startSending() {
        window.startAt(settings.sendPsn);
        completer.reset();
    }

    @Override
    public void modified() {
        completer.refillBudgets();
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public Optional<String> refusal(Packet packet, QpState state, Turn turn) {
        if (packet.operation().isResponse() && state != QpState.RTS && state != QpState.SQD) {
            return Optional.of("a response while the queue pair is in " + state);
        }
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public void receive(Packet packet, Turn turn) {
        if (packet.operation().isResponse()) {
            completer.response(packet, turn);
        } else {
            responder.request(packet, turn);
        }
    }

    /** Answers first. */
    @Override
    public int transmit(int budget, boolean maySend, boolean mayStart, Turn turn) {
        if (headers == null) {
            return 0;
        }
        int sent = responder.transmit(headers, budget, turn);
        if (maySend && !completer.isBackingOff()) {
            int requests = requester.transmit(budget - sent, mayStart, turn);
            if (requests > 0) {
                completer.sent(turn);
            }
            sent += requests;
        }
        return sent;
    }

    @Override
    public long nextDeadline() {
        return completer.deadline();
    }

    @Override
    public boolean waitsForEver() {
        return settings.timeoutNanos() == 0;
    }

    @Override
    public boolean isBackingOff() {
        return completer.isBackingOff();
    }

    @Override
    public int answersOwed() {
        return responder.answersOwed();
    }

    @Override
    public int packetsHeld() {
        return completer.packetsHeld() + responder.packetsHeld();
    }

    @Override
    public void timeout(Turn turn) {
        completer.timeout(turn);
    }

    @Override
    public void resume(Turn turn) {
        responder.resume(turn);
        completer.resume(turn);
    }

    @Override
    public void settle(Turn turn) {
        requester.settleBroken(turn);
        if (!ledger.hasFailed()) {
            responder.blame(turn);
        }
    }

    @Override
    public boolean hasReceiveFailed() {
        return responder.hasFailed();
    }

    @Override
    public QpState afterSendFailure() {
        return QpState.ERR;
    }

    @Override
    public boolean isBusySending() {
        return ledger.hasOutstanding();
    }

    @Override
    public void failReceive(Turn turn) {
        responder.failReceive(turn);
    }

    @Override
    public void quiesce() {
        requester.reset();
        completer.reset();
        responder.reset();
    }

    @Override
    public int expectedPsn() {
        return responder.expectedPsn();
    }
}
