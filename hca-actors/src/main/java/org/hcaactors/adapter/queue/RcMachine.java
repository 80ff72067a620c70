package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.memory.Lease;
import org.hcaactors.adapter.memory.LeaseCache;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair as a machine: its state, its requester and its responder over one ledger each. Inputs and
 * the time come in, effects go out; it knows no actor, no clock and no thread.
 */
final class RcMachine {
    private final RcPlan plan;
    private final QpSettings settings;
    private final LeaseCache leases = new LeaseCache();
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final RcRequester requester;
    private final RcCompleter completer;
    private final RcResponder responder;

    private QpState state = QpState.RESET;
    private @Nullable Headers headers;
    private boolean established;
    private boolean drainReported;

    RcMachine(RcPlan plan) {
        this.plan = plan;
        settings = new QpSettings(plan.number(), plan.domain(), plan.signalAll());
        LocalMemory memory = new LocalMemory(plan.domain(), leases);
        sends = new SendQueue(settings, plan.capacity().maxSendWr());
        receives = new ReceiveQueue(plan.number(), plan.capacity().maxRecvWr());
        requester =
                new RcRequester(settings, sends, memory, plan.profile().limits().maxMessageBytes());
        completer = new RcCompleter(
                settings, sends, requester, memory, plan.profile().habits().retrySevenIsForever());
        responder = new RcResponder(settings, receives, memory, plan.profile());
    }

    QpState state() {
        return state;
    }

    QpSnapshot snapshot() {
        return new QpSnapshot(state, isDraining(), sends.nextPsn(), responder.expectedPsn());
    }

    /** When {@link #timeout} has something to do; Long.MAX_VALUE for never. */
    long nextDeadline() {
        return completer.deadline();
    }

    void postSend(Posted posted, QpEffects effects) {
        if (state == QpState.RESET) {
            effects.droppedSend(posted);
            return;
        }
        sends.add(posted);
        if (state == QpState.ERR) {
            sends.flush(effects);
        }
    }

    void postReceive(Receive receive, QpEffects effects) {
        if (state == QpState.RESET) {
            return;
        }
        receives.add(receive);
        if (state == QpState.ERR) {
            receives.flush(effects);
        }
    }

    /** VerbsException (EINVAL), and nothing changed, if the call is not legal. */
    void modify(QpModify change, QpEffects effects) {
        RcStateTable.check(
                state, change.target(), change.attributes(), plan.profile().limits());
        boolean leavesOnly = change.target() == QpState.ERR || change.target() == QpState.RESET;
        if (isDraining() && !leavesOnly) {
            throw VerbsException.invalid("the send queue is still draining; only RESET and ERR are allowed");
        }
        QpState from = state;
        settings.apply(change.attributes());
        completer.refillBudgets();
        switch (change.target()) {
            case RESET -> reset(effects);
            case INIT, SQE -> enter(change.target(), effects);
            case RTR -> {
                connect();
                responder.startAt(settings.receivePsn);
                enter(QpState.RTR, effects);
            }
            case RTS -> {
                if (from == QpState.RTR) {
                    sends.startAt(settings.sendPsn);
                    requester.reset();
                    completer.reset();
                } else {
                    connect();
                }
                enter(QpState.RTS, effects);
            }
            case SQD -> {
                connect();
                drainReported = from == QpState.SQD && drainReported;
                enter(QpState.SQD, effects);
            }
            case ERR -> enterError("modified to ERR", effects);
        }
        reportDrained(effects);
    }

    /** Packets that came in, oldest first. */
    void receive(Packet packet, long cause, long now, QpEffects effects) {
        Optional<String> refusal = refusal(packet, effects);
        if (refusal.isPresent()) {
            effects.discarded(packet, refusal.get());
            return;
        }
        if (packet.operation().isResponse()) {
            completer.response(packet, now, effects);
        } else {
            if (state == QpState.RTR && !established) {
                established = true;
                effects.raise(AsyncEvent.Kind.COMM_EST);
            }
            responder.request(packet, cause, effects);
        }
        settle(effects);
    }

    /**
     * Sends what there is to send, answers first.
     *
     * @return packets sent, at most {@code budget}
     */
    int transmit(long now, int budget, QpEffects effects) {
        if (headers == null || state == QpState.ERR || state == QpState.RESET) {
            return 0;
        }
        int sent = responder.transmit(headers, budget, effects);
        boolean mayRequest = state == QpState.RTS || state == QpState.SQD;
        if (mayRequest && !completer.isBackingOff()) {
            int requests = requester.transmit(budget - sent, state == QpState.RTS, effects);
            if (requests > 0) {
                completer.sent(now);
            }
            sent += requests;
        }
        settle(effects);
        return sent;
    }

    void timeout(long now, QpEffects effects) {
        completer.timeout(now, effects);
        settle(effects);
    }

    void leaseGranted(Lease lease, long now, QpEffects effects) {
        leases.granted(lease).ifPresent(effects::releaseLease);
        if (state == QpState.RESET || state == QpState.ERR) {
            leases.revoke(lease.grant()).ifPresent(effects::releaseLease);
        } else {
            resume(now, effects);
        }
    }

    void leaseRefused(int key, long now, QpEffects effects) {
        leases.refused(key);
        resume(now, effects);
    }

    /** Gives the lease back at once, whatever waits for it. */
    void leaseRevoked(long grant, QpEffects effects) {
        leases.revoke(grant).ifPresent(effects::releaseLease);
    }

    /** The turn is over: refusals are forgotten, so that a later use asks again. */
    void endTurn() {
        leases.endTurn();
    }

    /** Its completion queue is in error, or its actor crashed: it goes to ERR and says so. */
    void fail(String why, QpEffects effects) {
        if (state != QpState.RESET && state != QpState.ERR) {
            enterError(why, effects);
        }
        effects.raise(AsyncEvent.Kind.QP_FATAL);
    }

    /** Everything it holds goes back; requests are dropped without completions. */
    void destroy(QpEffects effects) {
        reset(effects);
    }

    private void resume(long now, QpEffects effects) {
        responder.resume(effects);
        completer.resume(now, effects);
        settle(effects);
    }

    private boolean isDraining() {
        return state == QpState.SQD && (sends.hasOutstanding() || !requester.isCaughtUp());
    }

    private void settle(QpEffects effects) {
        requester.settleBroken(effects);
        if (sends.hasFailed() && state != QpState.ERR) {
            enterError("a request failed", effects);
        } else if (responder.hasFailed() && state != QpState.ERR) {
            enterError("a peer's request was refused", effects);
        }
        reportDrained(effects);
    }

    private void reportDrained(QpEffects effects) {
        if (state == QpState.SQD && !drainReported && !isDraining()) {
            drainReported = true;
            if (settings.notifyWhenDrained) {
                effects.raise(AsyncEvent.Kind.SQ_DRAINED);
            }
        }
    }

    private void enter(QpState to, QpEffects effects) {
        QpState from = state;
        state = to;
        effects.stateChanged(from, to, "modify");
    }

    private void connect() {
        if (settings.peer == null) {
            throw new IllegalStateException("the state table requires an address before RTR");
        }
        headers = new Headers(
                settings, plan.port(), settings.peer, plan.profile().habits().setsMigReq(), pkey());
        requester.connect(headers);
    }

    /** The port's P_Key table holds the default key at index 0 and nothing else yet. */
    private int pkey() {
        return settings.pkeyIndex == 0 ? Bth.DEFAULT_PKEY : 0;
    }

    private void enterError(String why, QpEffects effects) {
        QpState from = state;
        state = QpState.ERR;
        responder.failReceive(effects);
        sends.flush(effects);
        receives.flush(effects);
        quiesce(effects);
        effects.stateChanged(from, QpState.ERR, why);
    }

    private void reset(QpEffects effects) {
        QpState from = state;
        state = QpState.RESET;
        sends.reset(effects);
        receives.reset();
        quiesce(effects);
        established = false;
        effects.stateChanged(from, QpState.RESET, "modify");
    }

    private void quiesce(QpEffects effects) {
        requester.reset();
        completer.reset();
        responder.reset();
        List<Lease> held = leases.releaseAll();
        held.forEach(effects::releaseLease);
    }

    /** Why a packet is dropped without an answer (wire-formats 1.11); empty if it is to be handled. */
    private Optional<String> refusal(Packet packet, QpEffects effects) {
        Bth bth = packet.bth();
        if (bth.transportVersion() != 0) {
            return Optional.of("transport version " + bth.transportVersion());
        }
        if (bth.opcode().transport() != TransportClass.RC) {
            return Optional.of(bth.opcode() + " for an RC queue pair");
        }
        boolean listens = packet.operation().isResponse()
                ? state == QpState.RTS || state == QpState.SQD
                : state == QpState.RTR || state == QpState.RTS || state == QpState.SQD || state == QpState.SQE;
        if (!listens) {
            return Optional.of("the queue pair is in " + state);
        }
        if (headers != null && !packet.route().source().equals(headers.route().destination())) {
            return Optional.of("from " + packet.route().source() + ", which is not the peer");
        }
        if (!matches(bth.pkey(), pkey())) {
            effects.count(Counter.BAD_PKEY_CNTR);
            return Optional.of("P_Key 0x%04x".formatted(bth.pkey()));
        }
        return Optional.empty();
    }

    /** The low 15 bits equal and not zero, and at least one of the two a full member (wire-formats 1.2). */
    private static boolean matches(int a, int b) {
        return (a & 0x7FFF) != 0 && (a & 0x7FFF) == (b & 0x7FFF) && ((a | b) & 0x8000) != 0;
    }
}
