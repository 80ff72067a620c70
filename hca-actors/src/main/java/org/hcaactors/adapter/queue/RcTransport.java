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
    private final SendQueue sends;
    private final RcRequester requester;
    private final RcCompleter completer;
    private final RcResponder responder;
    private @Nullable Headers headers;

    RcTransport(
            QpPlan plan,
            QpSettings settings,
            SendQueue sends,
            ReceiveQueue receives,
            LocalMemory memory,
            LocalMemory buffers) {
        Profile profile = plan.profile();
        this.settings = settings;
        this.sends = sends;
        requester = new RcRequester(settings, sends, memory, profile.port().maxMessageBytes());
        completer = new RcCompleter(settings, sends, requester, memory, profile.has(Quirk.RETRY_SEVEN_IS_FOREVER));
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
        sends.startAt(settings.sendPsn);
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
    public Optional<String> refusal(Packet packet, QpState state, QpEffects effects) {
        if (packet.operation().isResponse() && state != QpState.RTS && state != QpState.SQD) {
            return Optional.of("a response while the queue pair is in " + state);
        }
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public void receive(Packet packet, long cause, long now, QpEffects effects) {
        if (packet.operation().isResponse()) {
            completer.response(packet, cause, now, effects);
        } else {
            responder.request(packet, cause, effects);
        }
    }

    /** Answers first. */
    @Override
    public int transmit(long now, int budget, boolean maySend, boolean mayStart, QpEffects effects) {
        if (headers == null) {
            return 0;
        }
        int sent = responder.transmit(headers, budget, effects);
        if (maySend && !completer.isBackingOff()) {
            int requests = requester.transmit(budget - sent, mayStart, effects);
            if (requests > 0) {
                completer.sent(now);
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
    public void timeout(long now, QpEffects effects) {
        completer.timeout(now, effects);
    }

    @Override
    public void resume(long now, QpEffects effects) {
        responder.resume(effects);
        completer.resume(now, effects);
    }

    @Override
    public void settle(QpEffects effects) {
        requester.settleBroken(effects);
        if (!sends.hasFailed()) {
            responder.blame(effects);
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
        return sends.hasOutstanding();
    }

    @Override
    public void failReceive(QpEffects effects) {
        responder.failReceive(effects);
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
