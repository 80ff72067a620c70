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
 * What asks over DC: RC's initiator, let loose on one target after the other. It starts a request only while it is connected to
 * that request's target, and leaves one only when all is acknowledged there (rules dc-connect, dc-reuse, dc-switch).
 */
final class DcRequester implements RcDelegating {
    // rule dc-cnak
    /** RNR timer code of an initiator that was given none: 0.64 ms. */
    private static final int DEFAULT_RNR_TIMER = 12;

    private enum Phase {
        DISCONNECTED,
        /** A CONNECT is to be sent. */
        CONNECT_DUE,
        /** It is sent, and nothing else is before it is answered. */
        CONNECT_SENT,
        /** It is sent, and so is what comes behind, in the hope of a session. */
        CONNECT_SENT_EAGER,
        CONNECTED,
        /** A DISCONNECT is to be sent. */
        DISCONNECT_DUE,
        /** It is sent. */
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
    private boolean everStarted;

    /** @param channel of the initiator, 0 where it has one */
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
     * The PSNs run on over all connections, also where it was reset between: then the next one is left out. A CONNECT has the PSN
     * before that of the first request, and what answers the last one of the former life would pass for its answer.
     */
    @Override
    @MutationPoint("dc-requester.start")
    public void start() {
        int next = window.nextPsn();
        inner.start();
        if (everStarted) {
            window.startAt(Psn.plus(next, 1));
        }
        everStarted = true;
        connectTimer.refill();
    }

    // rule dc-stream-error
    /** Nothing is outstanding, and what waits stands elsewhere in its queue. */
    void requeued() {
        inner.quiesce();
        targetRun.begin();
    }

    // rule dc-stream-error
    /** What failed is over, and what stands behind it goes on. */
    @MutationPoint("dc-requester.go-on")
    void goOn() {
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
            case DISCONNECTED -> mayStart ? meet(turn) : 0;
            case CONNECT_DUE -> connect(turn);
            case CONNECT_SENT, DISCONNECT_SENT -> 0;
            case CONNECT_SENT_EAGER -> ask(budget, mayStart, turn);
            case CONNECTED -> mayStart && targetRun.isWantedElsewhere() ? disconnect(turn) : ask(budget, mayStart, turn);
            case DISCONNECT_DUE -> disconnect(turn);
        };
    }

    // rule dc-connect
    /** The next request says whom it needs. */
    private int meet(Turn turn) {
        if (ledger.fresh() == ledger.tail()) {
            return 0;
        }
        PostedRequest next = ledger.at(ledger.fresh());
        if (next.changesKey()) {
            // What asks nothing of its target needs no session, and is sent nowhere.
            link.meet(next.toTarget());
            inner.connect(link.headers());
            return inner.transmit(1, true, turn);
        }
        targetRun.begin();
        link.meet(next.toTarget());
        return connect(turn);
    }

    // rule dc-handshake
    private int connect(Turn turn) {
        turn.send(link.connect(window.oldest()), behind());
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

    /** What a CONNECT or a DISCONNECT is for; 0 where nothing waits. */
    private long behind() {
        return ledger.isEmpty() ? 0 : ledger.at(ledger.head()).traceId();
    }

    /** Of requests that go on to the same target. */
    private int ask(int budget, boolean mayStart, Turn turn) {
        boolean all = targetRun.allGoOn();
        return inner.transmit(all ? budget : 1, mayStart && targetRun.nextGoesOn(), turn);
    }

    private int disconnect(Turn turn) {
        turn.send(link.disconnect(window), behind());
        turn.session(SessionStep.DISCONNECTING, link.at(), link.target(), link.session());
        phase = Phase.DISCONNECT_SENT;
        connectTimer.stop();
        return 1;
    }

    // rules dc-idle, dc-connect-lost
    /** Who waits for what: a session that nothing is said in ends, and a CONNECT that nothing follows is asked about again. */
    private void watch(Turn turn) {
        boolean waits = phase == Phase.CONNECT_SENT || phase == Phase.CONNECT_SENT_EAGER || phase == Phase.DISCONNECT_SENT;
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
            case DISCONNECT_DUE, DISCONNECT_SENT -> leaving(packet, turn);
            case CONNECT_SENT, CONNECT_SENT_EAGER -> met(packet, turn);
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
    /** An answer while it is not known whether there is a session: to the CONNECT, or to what came behind. */
    private void met(Packet packet, Turn turn) {
        if (link.isOfFormer(packet)) {
            turn.discarded(packet, Ignored.Plainly.OF_ANOTHER_SESSION);
        } else if (packet.operation() == Operation.ACKNOWLEDGE && packet.psn() == link.connectPsn()) {
            answered(packet, turn);
        } else if (packet.dcEth().sessionId() != 0 && phase == Phase.CONNECT_SENT_EAGER && window.isOutstanding(packet.psn())) {
            connected(packet, turn);
            inner.response(packet, turn);
        } else {
            turn.discarded(packet, Ignored.Plainly.GHOST);
        }
    }

    // rules dc-key, dc-cnak
    /** A refusal names no session: what does is of one that it left, and missed what came before. */
    private void answered(Packet packet, Turn turn) {
        int syndrome = packet.aeth().syndrome();
        boolean ofSession = packet.dcEth().sessionId() != 0;
        if (Syndrome.isAck(syndrome) && ofSession) {
            boolean hoped = phase == Phase.CONNECT_SENT_EAGER;
            connected(packet, turn);
            if (packet.dcEth().asksForFullHandshake() && hoped) {
                inner.sendAgain(GoBack.SPECULATION_REFUSED, turn);
            }
        } else if (syndrome == Syndrome.NAK_CONNECT) {
            toldToComeAgain(turn);
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
    private void toldToComeAgain(Turn turn) {
        phase = Phase.CONNECT_DUE;
        int syndrome = Syndrome.rnr(settings.minRnrTimer);
        if (ledger.hasOutstanding()) {
            inner.backOff(syndrome, turn);
            return;
        }
        turn.count(Counter.RNR_NAK_RETRY_ERR);
        if (connectTimer.comesAgain(turn.now(), Syndrome.rnrNanos(syndrome))) {
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
    private void leaving(Packet packet, Turn turn) {
        if (phase == Phase.DISCONNECT_SENT && link.isAnswerToDisconnect(packet)) {
            parted(turn);
        } else {
            turn.discarded(packet, Ignored.Plainly.GHOST);
        }
    }

    private void parted(Turn turn) {
        link.left();
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
            outOfPatience(turn);
        }
        if (turn.now() >= idleAt) {
            idleAt = ConnectTimer.NEVER;
            phase = Phase.DISCONNECT_DUE;
        }
    }

    // rule dc-reconnect
    /** Nothing is heard: perhaps the target knows no session, so that is asked for first. */
    private void reconnect() {
        link.ask();
        phase = Phase.CONNECT_DUE;
    }

    private void outOfPatience(Turn turn) {
        if (connectTimer.isBackingOff()) {
            connectTimer.stop();
            turn.backOffIsOver(window.oldest());
        } else if (phase == Phase.DISCONNECT_SENT) {
            leaveAgain(turn);
        } else {
            askAgain(turn);
        }
    }

    // rule dc-disconnect
    private void leaveAgain(Turn turn) {
        if (connectTimer.asksAgain()) {
            turn.retransmitting(GoBack.TIMEOUT, window.oldest());
            phase = Phase.DISCONNECT_DUE;
        } else {
            parted(turn);
        }
    }

    // rule dc-connect-lost
    private void askAgain(Turn turn) {
        turn.count(Counter.LOCAL_ACK_TIMEOUT_ERR);
        if (connectTimer.asksAgain()) {
            turn.retransmitting(GoBack.TIMEOUT, window.oldest());
            reconnect();
        } else if (ledger.isEmpty()) {
            parted(turn);
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
    /** What its target has of it goes when it is silent for long. */
    @Override
    public void quiesce() {
        inner.quiesce();
        connectTimer.stop();
        idleAt = ConnectTimer.NEVER;
        phase = Phase.DISCONNECTED;
    }
}
