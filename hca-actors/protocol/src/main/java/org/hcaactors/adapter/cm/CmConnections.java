// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.adapter.cm.CmConnection.RemoteEnd;
import org.hcaactors.adapter.cm.CmConnection.RemoteQueuePair;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

// rule cm-states
/** Machine of the connections of one adapter: the active and the passive side of IBA 12.9. */
final class CmConnections {
    /** Maximum connections of one adapter, those in time-wait included. */
    static final int MAX_CONNECTIONS = 65_536;

    /** Ended connections up to which a rejected REQ is remembered for as long as its peer may repeat it. */
    static final int MAX_REMEMBERED = 4_096;

    /**
     * Longest time that a request waits for the program, and twice as long it is remembered when it is rejected. Its peer names
     * that time: 86 s with the values of Linux, and days with the largest ones.
     */
    static final long MAX_PATIENCE_NANOS = 120_000_000_000L;

    private final CmTimeouts timeouts;
    private final CmDevice device;
    private final Consumer<CmEffect> effects;
    private final CmListeners listeners = new CmListeners();
    private final CmTable table = new CmTable();
    private final CmMessages messages;
    private int lastCommId;

    CmConnections(CmTimeouts timeouts, CmDevice device, Consumer<CmEffect> effects) {
        this.timeouts = timeouts;
        this.device = device;
        this.effects = effects;
        messages = new CmMessages(timeouts, device);
        lastCommId = device.firstCommId();
    }

    /** Returns the state of a connection; empty if it is forgotten. */
    Optional<CmState> state(int commId) {
        return Optional.ofNullable(table.get(commId)).map(each -> each.state);
    }

    List<CmConnectionReport> report() {
        return table.all().stream()
                .map(each -> new CmConnectionReport(
                        each.commId, each.peer, each.remoteCommId, each.localQpn, each.remoteQpn(), each.state))
                .toList();
    }

    /** True if nothing listened there. */
    boolean listen(long service, int backlog) {
        return listeners.listen(service, backlog);
    }

    // rule cm-listen
    void unlisten(long service, long now) {
        table.all().stream()
                .filter(each -> each.isUndecided && each.service.equals(Optional.of(service)))
                .forEach(each -> {
                    reject(each, CmMessages.OF_REQ, RejectReason.CONSUMER_DEFINED, now);
                    effects.accept(new CmEffect.Withdrawn(each.commId));
                });
        listeners.unlisten(service);
    }

    /** Sends a REQ; empty if the adapter has {@link #MAX_CONNECTIONS}. */
    Optional<Integer> connect(PortAddress to, long service, CmTerms terms, Octets privateData, long now) {
        if (table.size() >= MAX_CONNECTIONS) {
            return Optional.empty();
        }
        int commId = newCommId();
        CmDatagram request = messages.request(commId, service, terms, privateData);
        CmConnection made = new CmConnection(
                commId, terms.path().local(), to, request.transactionId(), Optional.empty(), CmState.REQ_SENT);
        table.uses(made, terms.queuePair().number());
        made.peerResponseCode = timeouts.responseCode();
        made.maxRetries = timeouts.maxRetries();
        table.add(made);
        repeat(made, request, now);
        return Optional.of(commId);
    }

    private int newCommId() {
        do {
            lastCommId++;
        } while (lastCommId == 0 || table.get(lastCommId) != null);
        return lastCommId;
    }

    /** Accepts a request; false if it was withdrawn. */
    boolean accept(int commId, CmTerms terms, Octets privateData, long now) {
        CmConnection made = table.get(commId);
        if (made == null || made.state != CmState.REQ_RCVD) {
            return false;
        }
        CmDatagram reply = messages.reply(made, terms, privateData);
        decided(made);
        made.state = CmState.REP_SENT;
        table.uses(made, terms.queuePair().number());
        made.answer = reply;
        repeat(made, reply, now);
        return true;
    }

    /** Rejects a request, or at the active end a reply; false if it was withdrawn. */
    boolean reject(int commId, int reason, Octets privateData, long now) {
        CmConnection made = table.get(commId);
        if (made == null || made.state != CmState.REQ_RCVD && made.state != CmState.REP_RCVD) {
            return false;
        }
        int of = made.isPassive() ? CmMessages.OF_REQ : CmMessages.OF_REP;
        end(made, CmMessages.rejection(made, of, reason, Octets.NONE, privateData), now);
        return true;
    }

    /** The queue pair of the active end can send: sends the RTU. False if the peer has taken its reply back. */
    boolean ready(int commId, Octets privateData) {
        CmConnection made = table.get(commId);
        if (made == null || made.state != CmState.REP_RCVD) {
            return false;
        }
        made.answer = CmMessages.ready(made, privateData);
        made.state = CmState.ESTABLISHED;
        send(made, made.answer);
        effects.accept(new CmEffect.Established(commId));
        return true;
    }

    /** A message arrived at the queue pair of a passive end: the peer is ready, although its RTU has not arrived. */
    void messageArrived(int qpNumber, long now) {
        CmConnection made = table.ofQueuePair(qpNumber);
        if (made != null && made.state == CmState.REP_SENT) {
            establish(made, now);
        }
    }

    /** Asks the peer to disconnect; false if the connection is not established. */
    boolean disconnect(int commId, Octets privateData, long now) {
        CmConnection made = table.get(commId);
        if (made == null || made.state != CmState.ESTABLISHED) {
            return false;
        }
        CmDatagram request = messages.disconnection(made, privateData);
        made.state = CmState.DREQ_SENT;
        repeat(made, request, now);
        return true;
    }

    // rule cm-abandon
    /** The program's end is gone, in whatever state: the connection ends in order without it. */
    void abandon(int commId, long now) {
        CmConnection made = table.get(commId);
        if (made == null) {
            return;
        }
        switch (made.state) {
            case REQ_SENT -> end(made, messages.timeoutRejection(made, CmMessages.OF_OTHER), now);
            case REQ_RCVD -> reject(made, CmMessages.OF_REQ, RejectReason.CONSUMER_DEFINED, now);
            case REP_RCVD -> reject(made, CmMessages.OF_REP, RejectReason.CONSUMER_DEFINED, now);
            case REP_SENT -> made.abandoned = true;
            case ESTABLISHED -> disconnect(commId, Octets.NONE, now);
            case DREQ_SENT, TIME_WAIT -> {}
        }
    }

    void arrived(PortAddress from, CmDatagram datagram, CmMessage.OfConnection message, long now) {
        if (message.localCommId() == 0 && !(message instanceof ConnectReject)) {
            return;
        }
        switch (message) {
            case ConnectRequest request -> requested(from, datagram.transactionId(), request, now);
            case CmMessage.ToKnownPeer other -> toKnownPeer(from, datagram, other, now);
        }
    }

    private void requested(PortAddress from, long transaction, ConnectRequest request, long now) {
        RemoteEnd end = new RemoteEnd(from, request.localCommId());
        CmConnection known = table.get(end);
        if (known != null && known.isOf(transaction, request)) {
            requestedAgain(known, now);
            return;
        }
        Optional<CmConnection> stale = table.connectionOf(
                new RemoteQueuePair(request.caGuid(), request.queuePair().number()), end);
        long service = request.serviceId();
        if (stale.isPresent()) {
            // rule cm-stale
            disconnect(stale.get().commId, Octets.NONE, now);
            refuse(from, transaction, request, RejectReason.STALE_CONNECTION);
        } else if (!listeners.listens(service)) {
            refuse(from, transaction, request, RejectReason.INVALID_SERVICE_ID);
        } else if (request.queuePair().transport() != CmQueuePair.RC) {
            refuse(from, transaction, request, RejectReason.INVALID_TRANSPORT_TYPE);
        } else if (table.size() >= MAX_CONNECTIONS) {
            refuse(from, transaction, request, RejectReason.NO_RESOURCES);
        } else if (listeners.hasRoom(service)) {
            waitForDecision(from, transaction, request, now);
        } else {
            count(Counter.CM_LISTEN_DROPS);
            effects.accept(new CmEffect.Dropped());
        }
    }

    private void waitForDecision(PortAddress from, long transaction, ConnectRequest request, long now) {
        CmConnection made = new CmConnection(
                newCommId(),
                request.primary().remote(),
                from,
                transaction,
                Optional.of(request.serviceId()),
                CmState.REQ_RCVD);
        made.knows(request.localCommId(), request.caGuid(), request.queuePair().number());
        made.peerResponseCode = request.localResponseTimeout();
        made.maxRetries = request.maxRetries();
        // rule cm-undecided
        made.patienceNanos = Math.min(
                MAX_PATIENCE_NANOS,
                (request.maxRetries() + 1)
                        * (timeouts.waitNanos(request.remoteResponseTimeout())
                                + CmTimeouts.maxSpreadNanos(request.remoteResponseTimeout())));
        table.add(made);
        table.connected(made);
        table.deadline(made, now + made.patienceNanos);
        listeners.waits(request.serviceId());
        made.isUndecided = true;
        effects.accept(new CmEffect.Requested(made.commId, from, request));
    }

    // rules cm-duplicates, cm-more-time
    private void requestedAgain(CmConnection known, long now) {
        count(Counter.CM_RX_DUPLICATES);
        switch (known.state) {
            case REQ_RCVD -> {
                table.deadline(known, now + timeouts.waitNanos(timeouts.serviceCode()) + known.patienceNanos);
                known.told = true;
                askForTime(known, CmMessages.OF_REQ);
            }
            case REP_SENT, TIME_WAIT -> answerAgain(known);
            case REQ_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT -> {}
        }
    }

    private void askForTime(CmConnection known, int of) {
        send(known, messages.askingForTime(known, of));
    }

    @MutationPoint("cm-connections.answer-again")
    private void answerAgain(CmConnection known) {
        if (known.answer != null) {
            send(known, known.answer);
        }
    }

    private void toKnownPeer(PortAddress from, CmDatagram datagram, CmMessage.ToKnownPeer message, long now) {
        CmConnection known = connectionOf(from, message);
        if (known == null) {
            answerUnknown(from, datagram.transactionId(), message);
            return;
        }
        switch (message) {
            case ConnectReply reply -> replied(known, reply, now);
            case ReadyToUse rtu -> {
                if (known.state == CmState.REP_SENT) {
                    establish(known, now);
                } else {
                    count(Counter.CM_RX_DUPLICATES);
                }
            }
            case ConnectReject reject -> rejected(known, reject, now);
            case ReceiptAcknowledgment more -> needsTime(known, more, now);
            case DisconnectRequest request -> disconnectRequested(known, from, datagram.transactionId(), request, now);
            case DisconnectReply reply -> {
                if (known.state == CmState.DREQ_SENT) {
                    disconnected(known, false, reply.privateData(), now);
                }
            }
            case LoadAlternatePath path -> {
                if (known.state == CmState.ESTABLISHED || known.state == CmState.DREQ_SENT) {
                    refusePath(known, datagram.transactionId());
                }
            }
            case AlternatePathResponse unasked -> {}
        }
    }

    // rule cm-unknown
    private void answerUnknown(PortAddress from, long transaction, CmMessage.ToKnownPeer message) {
        switch (message) {
            case ConnectReply reply ->
                effects.accept(new CmEffect.Send(
                        from,
                        CmMessages.refusal(
                                transaction, reply.localCommId(), CmMessages.OF_REP, RejectReason.INVALID_COMM_ID)));
            case DisconnectRequest request -> {
                // Its connection has been forgotten: the confirmation was lost.
                count(Counter.CM_RX_DUPLICATES);
                effects.accept(new CmEffect.Send(from, CmMessages.confirmation(transaction, request)));
            }
            case ReadyToUse ignored -> {}
            case ConnectReject ignored -> {}
            case ReceiptAcknowledgment ignored -> {}
            case DisconnectReply ignored -> {}
            case LoadAlternatePath ignored -> {}
            case AlternatePathResponse ignored -> {}
        }
    }

    // rule cm-unknown
    /**
     * Returns the connection that a message belongs to: it comes from its peer, and has the IDs of both ends. A DREQ may come from
     * another address, which the peer has by now.
     */
    private @Nullable CmConnection connectionOf(PortAddress from, CmMessage.ToKnownPeer message) {
        if (message.remoteCommId() == 0) {
            return message instanceof ConnectReject ? table.get(new RemoteEnd(from, message.localCommId())) : null;
        }
        CmConnection known = table.get(message.remoteCommId());
        if (known != null && message instanceof DisconnectRequest && known.remoteCommId == message.localCommId()) {
            return known;
        }
        boolean itsPeer = known != null
                && known.peer.equals(from)
                && (known.remoteCommId == message.localCommId()
                        || known.remoteCommId == 0
                        || known.state == CmState.REP_SENT && message.localCommId() == 0);
        return itsPeer ? known : null;
    }

    // rules cm-duplicates, cm-more-time
    private void replied(CmConnection known, ConnectReply reply, long now) {
        if (known.state != CmState.REQ_SENT) {
            count(Counter.CM_RX_DUPLICATES);
        }
        switch (known.state) {
            case REQ_SENT -> firstReply(known, reply, now);
            case REP_RCVD -> askForTime(known, CmMessages.OF_REP);
            case ESTABLISHED, DREQ_SENT, TIME_WAIT -> {
                if (!known.isPassive()) {
                    answerAgain(known);
                }
            }
            case REQ_RCVD, REP_SENT -> {}
        }
    }

    private void firstReply(CmConnection known, ConnectReply reply, long now) {
        Optional<CmConnection> stale = table.connectionOf(
                new RemoteQueuePair(reply.caGuid(), reply.qpNumber()), new RemoteEnd(known.peer, reply.localCommId()));
        if (stale.isPresent()) {
            // rule cm-stale
            disconnect(stale.get().commId, Octets.NONE, now);
            known.remoteCommId = reply.localCommId();
            reject(known, CmMessages.OF_REP, RejectReason.STALE_CONNECTION, now);
            effects.accept(new CmEffect.Rejected(
                    known.commId, RejectReason.STALE_CONNECTION.code(), Octets.NONE, Octets.NONE));
            return;
        }
        known.knows(reply.localCommId(), reply.caGuid(), reply.qpNumber());
        table.connected(known);
        known.state = CmState.REP_RCVD;
        table.deadline(known, Long.MAX_VALUE);
        effects.accept(new CmEffect.Accepted(known.commId, reply));
    }

    /** A late REJ of a REQ that was accepted later, or of a copy of it, rejects nothing. */
    private void rejected(CmConnection known, ConnectReject reject, long now) {
        if (reject.of() == CmMessages.OF_REQ && known.state != CmState.REQ_SENT) {
            return;
        }
        switch (known.state) {
            case REQ_SENT, REP_SENT, REP_RCVD -> {
                enterTimeWait(known, now);
                effects.accept(new CmEffect.Rejected(
                        known.commId, reject.reason(), reject.information(), reject.privateData()));
            }
            case REQ_RCVD -> {
                decided(known);
                enterTimeWait(known, now);
                effects.accept(new CmEffect.Withdrawn(known.commId));
            }
            case ESTABLISHED -> disconnected(known, true, reject.privateData(), now);
            case DREQ_SENT -> disconnected(known, false, reject.privateData(), now);
            case TIME_WAIT -> {}
        }
    }

    // rule cm-more-time
    private void needsTime(CmConnection known, ReceiptAcknowledgment more, long now) {
        boolean ofRequest = known.state == CmState.REQ_SENT && more.of() == CmMessages.OF_REQ;
        boolean ofReply = known.state == CmState.REP_SENT && more.of() == CmMessages.OF_REP;
        if ((ofRequest || ofReply) && !known.askedForTime) {
            known.askedForTime = true;
            table.deadline(known, Math.max(known.deadline, now + timeouts.waitNanos(more.serviceTimeout())));
        }
    }

    // rule cm-disconnect
    private void disconnectRequested(
            CmConnection known, PortAddress from, long transaction, DisconnectRequest request, long now) {
        boolean tooEarly = known.state == CmState.REQ_RCVD || known.state == CmState.REQ_SENT;
        if (tooEarly || known.localQpn != request.remoteQpn()) {
            return;
        }
        effects.accept(
                new CmEffect.Send(Optional.of(known.local), from, CmMessages.confirmation(transaction, request)));
        switch (known.state) {
            case REP_SENT -> {
                enterTimeWait(known, now);
                effects.accept(new CmEffect.Established(known.commId));
                effects.accept(new CmEffect.Disconnected(known.commId, true, request.privateData()));
            }
            case REP_RCVD, ESTABLISHED -> disconnected(known, true, request.privateData(), now);
            case DREQ_SENT -> disconnected(known, false, request.privateData(), now);
            case TIME_WAIT -> count(Counter.CM_RX_DUPLICATES);
            case REQ_SENT, REQ_RCVD -> {}
        }
    }

    // rule cm-no-migration
    private void refusePath(CmConnection known, long transaction) {
        send(known, CmMessages.pathRefusal(known, transaction));
    }

    @MutationPoint("cm-connections.establish")
    private void establish(CmConnection known, long now) {
        known.state = CmState.ESTABLISHED;
        table.deadline(known, Long.MAX_VALUE);
        effects.accept(new CmEffect.Established(known.commId));
        if (known.abandoned) {
            disconnect(known.commId, Octets.NONE, now);
        }
    }

    private void disconnected(CmConnection known, boolean byPeer, Octets privateData, long now) {
        enterTimeWait(known, now);
        effects.accept(new CmEffect.Disconnected(known.commId, byPeer, privateData));
    }

    /** Handles all deadlines that have passed. */
    void timeout(long now) {
        for (Optional<CmConnection> due = table.due(now); due.isPresent(); due = table.due(now)) {
            timeout(due.get(), now);
        }
    }

    // rule cm-retries
    private void timeout(CmConnection due, long now) {
        switch (due.state) {
            case TIME_WAIT -> {
                table.remove(due);
                effects.accept(new CmEffect.Released(due.commId));
            }
            case REQ_RCVD -> {
                end(due, messages.timeoutRejection(due, CmMessages.OF_REQ), now);
                effects.accept(new CmEffect.Withdrawn(due.commId));
            }
            case REQ_SENT, REP_SENT, DREQ_SENT -> {
                if (due.retriesLeft > 0) {
                    due.retriesLeft--;
                    count(Counter.CM_TX_RETRIES);
                    sendAndWait(due, now);
                } else {
                    exhausted(due, now);
                }
            }
            case REP_RCVD, ESTABLISHED -> table.deadline(due, Long.MAX_VALUE);
        }
    }

    // rule cm-half-open
    private void exhausted(CmConnection due, long now) {
        CmState in = due.state;
        if (in == CmState.DREQ_SENT) {
            disconnected(due, false, Octets.NONE, now);
            return;
        }
        end(due, messages.timeoutRejection(due, CmMessages.OF_OTHER), now);
        effects.accept(new CmEffect.Unanswered(due.commId, in));
    }

    private void count(Counter counter) {
        effects.accept(new CmEffect.Counted(counter));
    }

    private void reject(CmConnection made, int of, RejectReason reason, long now) {
        end(made, CmMessages.rejection(made, of, reason.code(), Octets.NONE, Octets.NONE), now);
    }

    /** Ends a connection by a REJ. Copies of a rejected REQ may arrive for as long as its peer repeats it. */
    private void end(CmConnection made, CmDatagram rejection, long now) {
        boolean ofRequest = made.state == CmState.REQ_RCVD;
        decided(made);
        send(made, rejection);
        enterTimeWait(made, now);
        made.answer = rejection;
        // rule cm-duplicates
        if (ofRequest && table.ended() <= MAX_REMEMBERED) {
            table.deadline(made, made.deadline + made.patienceNanos);
        }
    }

    /** Rejects a request that makes no connection here. */
    private void refuse(PortAddress to, long transaction, ConnectRequest request, RejectReason reason) {
        effects.accept(new CmEffect.Send(
                Optional.of(request.primary().remote()),
                to,
                CmMessages.refusal(transaction, request.localCommId(), CmMessages.OF_REQ, reason)));
    }

    /** A request no longer waits for the program. */
    private void decided(CmConnection made) {
        if (made.isUndecided) {
            made.isUndecided = false;
            made.service.ifPresent(listeners::decided);
        }
    }

    // rule cm-listen
    /** The program prepares to accept a request: it takes no room in the backlog any more. */
    void accepting(int commId) {
        CmConnection made = table.get(commId);
        if (made != null) {
            decided(made);
        }
    }

    private void repeat(CmConnection made, CmDatagram message, long now) {
        made.repeated = message;
        made.retriesLeft = made.maxRetries;
        sendAndWait(made, now);
    }

    private void sendAndWait(CmConnection made, long now) {
        made.askedForTime = false;
        long spread = made.state == CmState.REQ_SENT ? CmTimeouts.spreadNanos(made.peerResponseCode, made.commId) : 0;
        table.deadline(made, now + timeouts.waitNanos(made.peerResponseCode) + spread);
        CmDatagram message = made.repeated;
        if (message != null) {
            send(made, message);
        }
    }

    private void send(CmConnection made, CmDatagram message) {
        effects.accept(new CmEffect.Send(Optional.of(made.local), made.peer, message));
    }

    // rule cm-time-wait
    private void enterTimeWait(CmConnection made, long now) {
        made.state = CmState.TIME_WAIT;
        made.answer = null;
        table.disconnected(made);
        table.deadline(made, now + timeouts.timeWaitNanos());
    }

    long nextAction() {
        return table.nextAction();
    }

    long nextDeadline() {
        return table.nextDeadline();
    }
}
