// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.BadResponse;
import org.hcaactors.adapter.flow.GoBack;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RetriesExhausted;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.rc.Rc;
import org.hcaactors.adapter.rc.RcInitiator;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;

/**
 * DC initiator half: wraps the RC requester and connects it to one target at a time. It starts a request only while connected
 * to the request's target, and leaves a target only when everything is acknowledged there (rules dc-connect, dc-reuse,
 * dc-switch).
 */
final class DcRequester implements RcDelegating {
    // rule dc-cnak
    /** Default RNR timer code of an initiator: 0.64 ms. */
    private static final int DEFAULT_RNR_TIMER = 12;

    private enum Phase {
        DISCONNECTED,
        /** A CONNECT is to be sent. */
        CONNECT_DUE,
        /** The CONNECT is sent, and nothing follows before it is answered. */
        CONNECT_SENT,
        /** The CONNECT is sent, and requests follow it speculatively. */
        CONNECT_SENT_EAGER,
        CONNECTED,
        /** A DISCONNECT is to be sent. */
        DISCONNECT_DUE,
        /** The DISCONNECT is sent. */
        DISCONNECT_SENT
    }

    private final QpSettings settings;
    private final SendLedger ledger;
    private final PsnWindow window;
    private final RcInitiator inner;
    private final TargetConnection link;
    private final TargetRun targetRun;
    private final ConnectTimer connectTimer;
    private final boolean fullHandshake;
    private final long idleNanos;

    private Phase phase = Phase.DISCONNECTED;
    private long idleAt = ConnectTimer.NEVER;
    private boolean wasStarted;

    /** @param channel channel of the initiator, 0 if it has only one */
    DcRequester(QpParts parts, int channel) {
        settings = parts.settings();
        settings.minRnrTimer = DEFAULT_RNR_TIMER;
        ledger = parts.requests();
        window = new PsnWindow(ledger);
        inner = Rc.initiator(parts, window);
        link = new TargetConnection(parts, channel);
        targetRun = new TargetRun(ledger, link);
        connectTimer = new ConnectTimer(settings, parts.profile());
        fullHandshake = parts.plan().options().fullHandshake();
        idleNanos = parts.profile().dynamicallyConnected().idleNanos();
    }

    // rule dc-psn
    /**
     * Starts the initiator. PSNs continue over all connections, also after a reset, which skips one PSN: a CONNECT has the PSN
     * before that of the first request, and a late answer to the last request before the reset would be mistaken for the answer
     * to the CONNECT.
     */
    @Override
    @MutationPoint("dc-requester.start")
    public void start() {
        int next = window.nextPsn();
        inner.start();
        if (wasStarted) {
            window.startAt(Psn.plus(next, 1));
        }
        wasStarted = true;
        connectTimer.refill();
    }

    // rule dc-stream-error
    /** Adapts to a send queue whose waiting requests have moved; nothing is outstanding. */
    void requeued() {
        inner.quiesce();
        targetRun.begin();
    }

    // rule dc-stream-error
    /** Continues with the requests behind one that failed. */
    @MutationPoint("dc-requester.go-on")
    void continueAfterFailure() {
        quiesce();
        start();
    }

    @Override
    public Optional<Reason> refusal(Packet packet, QpState state) {
        Optional<Reason> refused = inner.refusal(packet, state);
        return refused.isPresent() ? refused : link.refusal(packet);
    }

    @Override
    public int transmit(int budget, boolean mayStart, Turn turn) {
        int sent = 0;
        int step = 1;
        while (sent < budget && step > 0) {
            step = step(budget - sent, mayStart, turn);
            sent += step;
        }
        watch(turn);
        return sent;
    }

    private int step(int budget, boolean mayStart, Turn turn) {
        if (inner.isBackingOff() || connectTimer.isBackingOff()) {
            return 0;
        }
        return switch (phase) {
            case DISCONNECTED -> mayStart ? connectToNext(turn) : 0;
            case CONNECT_DUE -> connect(turn);
            case CONNECT_SENT, DISCONNECT_SENT -> 0;
            case CONNECT_SENT_EAGER -> sendRequests(budget, mayStart, turn);
            case CONNECTED ->
                mayStart && targetRun.mustSwitch() ? disconnect(turn) : sendRequests(budget, mayStart, turn);
            case DISCONNECT_DUE -> disconnect(turn);
        };
    }

    // rule dc-connect
    /** Starts to connect to the target of the next request. */
    private int connectToNext(Turn turn) {
        if (ledger.nextToStart() == ledger.tail()) {
            return 0;
        }
        PostedRequest next = ledger.at(ledger.nextToStart());
        if (next.changesKey()) {
            // A request that sends nothing to its target needs no session.
            link.setTarget(next.toTarget());
            inner.connect(link.headers());
            return inner.transmit(1, true, turn);
        }
        targetRun.begin();
        link.setTarget(next.toTarget());
        return connect(turn);
    }

    // rule dc-handshake
    private int connect(Turn turn) {
        turn.send(link.connect(window.oldest()), cause());
        inner.connect(link.headers());
        turn.session(
                link.again() ? SessionStep.RECONNECTING : SessionStep.CONNECTING,
                link.at(),
                link.target(),
                link.session());
        phase = fullHandshake ? Phase.CONNECT_SENT : Phase.CONNECT_SENT_EAGER;
        connectTimer.stop();
        return 1;
    }

    /** Event of the request that a CONNECT or DISCONNECT is sent for; 0 if none waits. */
    private long cause() {
        return ledger.isEmpty() ? 0 : ledger.at(ledger.head()).traceId();
    }

    /** Sends requests to the connected target. */
    private int sendRequests(int budget, boolean mayStart, Turn turn) {
        boolean all = targetRun.areAllForTarget();
        return inner.transmit(all ? budget : 1, mayStart && targetRun.isNextForTarget(), turn);
    }

    private int disconnect(Turn turn) {
        turn.send(link.disconnect(window), cause());
        turn.session(SessionStep.DISCONNECTING, link.at(), link.target(), link.session());
        phase = Phase.DISCONNECT_SENT;
        connectTimer.stop();
        return 1;
    }

    // rules dc-idle, dc-connect-lost
    /** Sets the timers: an idle session ends, and a CONNECT or DISCONNECT that nothing follows is repeated. */
    private void watch(Turn turn) {
        boolean waits =
                phase == Phase.CONNECT_SENT || phase == Phase.CONNECT_SENT_EAGER || phase == Phase.DISCONNECT_SENT;
        if (waits && inner.nextDeadline() == ConnectTimer.NEVER) {
            connectTimer.await(turn.now());
        } else if (!connectTimer.isBackingOff()) {
            connectTimer.stop();
        }
        boolean idle = phase == Phase.CONNECTED && ledger.isEmpty();
        if (!idle) {
            idleAt = ConnectTimer.NEVER;
        } else if (idleAt == ConnectTimer.NEVER) {
            idleAt = turn.now() + idleNanos;
        }
    }

    @Override
    public void response(Packet packet, Turn turn) {
        switch (phase) {
            case DISCONNECTED, CONNECT_DUE -> turn.discarded(packet, Ignored.Plainly.GHOST);
            case DISCONNECT_DUE, DISCONNECT_SENT -> disconnectAnswered(packet, turn);
            case CONNECT_SENT, CONNECT_SENT_EAGER -> connectAnswered(packet, turn);
            case CONNECTED -> {
                if (packet.dcEth().sessionId() == link.session()) {
                    inner.response(packet, turn);
                } else {
                    turn.discarded(packet, Ignored.Plainly.OF_ANOTHER_SESSION);
                }
            }
        }
    }

    // rule dc-session
    /** Handles an answer while it is unknown whether there is a session: to the CONNECT, or to a request behind it. */
    private void connectAnswered(Packet packet, Turn turn) {
        if (link.isOfFormer(packet)) {
            turn.discarded(packet, Ignored.Plainly.OF_ANOTHER_SESSION);
        } else if (packet.operation() == Operation.ACKNOWLEDGE && packet.psn() == link.connectPsn()) {
            answered(packet, turn);
        } else if (packet.dcEth().sessionId() != 0
                && phase == Phase.CONNECT_SENT_EAGER
                && window.isOutstanding(packet.psn())) {
            connected(packet, turn);
            inner.response(packet, turn);
        } else {
            turn.discarded(packet, Ignored.Plainly.GHOST);
        }
    }

    // rules dc-key, dc-cnak
    /**
     * Handles the answer to the CONNECT. A refusal has no session number; one with a number belongs to a session that was left.
     */
    private void answered(Packet packet, Turn turn) {
        int syndrome = packet.aeth().syndrome();
        boolean ofSession = packet.dcEth().sessionId() != 0;
        if (Syndrome.isAck(syndrome) && ofSession) {
            boolean speculative = phase == Phase.CONNECT_SENT_EAGER;
            connected(packet, turn);
            if (packet.dcEth().asksForFullHandshake() && speculative) {
                inner.sendAgain(GoBack.SPECULATION_REFUSED, turn);
            }
        } else if (syndrome == Syndrome.NAK_CONNECT) {
            onCnak(turn);
        } else if (Syndrome.isNak(syndrome) && !ofSession && !ledger.isEmpty()) {
            refused(syndrome, turn);
        } else {
            turn.discarded(packet, Ignored.Plainly.GHOST);
        }
    }

    private void connected(Packet packet, Turn turn) {
        link.opened(packet.dcEth().sessionId());
        inner.connect(link.headers());
        phase = Phase.CONNECTED;
        connectTimer.refill();
        turn.session(SessionStep.CONNECTED, link.at(), link.target(), link.session());
    }

    // rule dc-cnak
    private void onCnak(Turn turn) {
        phase = Phase.CONNECT_DUE;
        int syndrome = Syndrome.rnr(settings.minRnrTimer);
        if (ledger.hasOutstanding()) {
            inner.backOff(syndrome, turn);
            return;
        }
        turn.count(Counter.RNR_NAK_RETRY_ERR);
        if (connectTimer.useRnrRetry(turn.now(), Syndrome.rnrNanos(syndrome))) {
            turn.backingOff(window.oldest(), Syndrome.rnrNanos(syndrome));
        } else {
            giveUp(Status.RNR_RETRY_EXC_ERR, new RetriesExhausted.RnrRetries(settings.rnrRetry), turn);
        }
    }

    // rules dc-key, dc-forgotten
    private void refused(int syndrome, Turn turn) {
        if (syndrome == Syndrome.NAK_REMOTE_ACCESS) {
            turn.count(Counter.REQ_REMOTE_ACCESS_ERRORS);
        }
        turn.failed(new BadResponse.PeerRefused(syndrome));
        window.failHead(syndrome == Syndrome.NAK_REMOTE_ACCESS ? Status.REM_ACCESS_ERR : Status.REM_OP_ERR, turn);
    }

    // rule dc-disconnect
    private void disconnectAnswered(Packet packet, Turn turn) {
        if (phase == Phase.DISCONNECT_SENT && link.isAnswerToDisconnect(packet)) {
            disconnected(turn);
        } else {
            turn.discarded(packet, Ignored.Plainly.GHOST);
        }
    }

    private void disconnected(Turn turn) {
        link.endSession();
        turn.session(SessionStep.DISCONNECTED, link.at(), link.target(), link.session());
        phase = Phase.DISCONNECTED;
        connectTimer.refill();
    }

    @Override
    public long nextDeadline() {
        return Math.min(idleAt, Math.min(inner.nextDeadline(), connectTimer.deadline()));
    }

    @Override
    public void timeout(Turn turn) {
        if (turn.now() >= inner.nextDeadline()) {
            boolean waited = inner.isBackingOff();
            inner.timeout(turn);
            if (!waited && ledger.hasOutstanding() && phase != Phase.CONNECT_DUE) {
                reconnect();
            }
        }
        if (turn.now() >= connectTimer.deadline()) {
            onConnectTimeout(turn);
        }
        if (turn.now() >= idleAt) {
            idleAt = ConnectTimer.NEVER;
            phase = Phase.DISCONNECT_DUE;
        }
    }

    // rule dc-reconnect
    /** Reconnects: without answers, the target may not know the session, so a CONNECT is sent first. */
    private void reconnect() {
        link.repeatConnect();
        phase = Phase.CONNECT_DUE;
    }

    private void onConnectTimeout(Turn turn) {
        if (connectTimer.isBackingOff()) {
            connectTimer.stop();
            turn.rnrTimerExpired(window.oldest());
        } else if (phase == Phase.DISCONNECT_SENT) {
            retryDisconnect(turn);
        } else {
            retryConnect(turn);
        }
    }

    // rule dc-disconnect
    private void retryDisconnect(Turn turn) {
        if (connectTimer.useRetry()) {
            turn.retransmitting(GoBack.TIMEOUT, window.oldest());
            phase = Phase.DISCONNECT_DUE;
        } else {
            disconnected(turn);
        }
    }

    // rule dc-connect-lost
    private void retryConnect(Turn turn) {
        turn.count(Counter.LOCAL_ACK_TIMEOUT_ERR);
        if (connectTimer.useRetry()) {
            turn.retransmitting(GoBack.TIMEOUT, window.oldest());
            reconnect();
        } else if (ledger.isEmpty()) {
            disconnected(turn);
        } else {
            giveUp(Status.RETRY_EXC_ERR, new RetriesExhausted.Retries(GoBack.TIMEOUT, settings.retryCount), turn);
        }
    }

    private void giveUp(Status status, RetriesExhausted reason, Turn turn) {
        if (!ledger.isEmpty()) {
            turn.gaveUp(window.oldest(), reason);
            window.failHead(status, turn);
        }
    }

    @Override
    public RcInitiator rc() {
        return inner;
    }

    @Override
    public boolean isBackingOff() {
        return inner.isBackingOff() || connectTimer.isBackingOff();
    }

    // rule dc-error
    /** The target frees its side of the session when the initiator has been silent for long. */
    @Override
    public void quiesce() {
        inner.quiesce();
        connectTimer.stop();
        idleAt = ConnectTimer.NEVER;
        phase = Phase.DISCONNECTED;
    }
}
