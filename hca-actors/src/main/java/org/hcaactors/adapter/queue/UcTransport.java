package org.hcaactors.adapter.queue;

import java.util.Optional;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/** Unreliable connected: no acknowledgements, so no timers and no replays. */
final class UcTransport implements Transport {
    private final QpSettings settings;
    private final PsnWindow window;
    private final SendLedger ledger;
    private final UcRequester requester;
    private final UcResponder responder;
    private @Nullable Headers headers;

    UcTransport(
            QpPlan plan,
            QpSettings settings,
            PsnWindow window,
            ReceiveQueue receives,
            LocalMemory memory,
            LocalMemory buffers) {
        this.settings = settings;
        this.window = window;
        ledger = window.ledger();
        requester =
                new UcRequester(settings, window, memory, plan.profile().port().maxMessageBytes());
        responder = new UcResponder(settings, receives, memory, buffers, plan.profile());
    }

    @Override
    public TransportClass speaks() {
        return TransportClass.UC;
    }

    @Override
    public void connect(Headers peer) {
        headers = peer;
    }

    @Override
    public void startReceiving() {
        responder.startAt(settings.receivePsn);
    }

    @Override
    public void startSending() {
        window.startAt(settings.sendPsn);
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public Optional<String> refusal(Packet packet, QpState state, Turn turn) {
        return headers == null ? Optional.empty() : headers.refusal(packet);
    }

    @Override
    public void receive(Packet packet, Turn turn) {
        responder.request(packet, turn);
    }

    @Override
    public int transmit(int budget, boolean maySend, boolean mayStart, Turn turn) {
        return headers == null || !maySend ? 0 : requester.transmit(headers, budget, mayStart, turn);
    }

    @Override
    public int packetsHeld() {
        return responder.packetsHeld();
    }

    @Override
    public void resume(Turn turn) {
        responder.resume(turn);
    }

    @Override
    public boolean hasReceiveFailed() {
        return responder.hasFailed();
    }

    @Override
    public QpState afterSendFailure() {
        return QpState.SQE;
    }

    @Override
    public boolean isBusySending() {
        return requester.isBusy();
    }

    @Override
    public void quiesce() {
        requester.reset();
        responder.reset();
    }

    @Override
    public int expectedPsn() {
        return responder.expectedPsn();
    }
}
