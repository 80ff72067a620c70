// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.hcaactors.adapter.cm.CmConnection.RemoteEnd;
import org.hcaactors.adapter.cm.CmConnection.RemoteQueuePair;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.MessageReceived;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

// rule cm-states
/** The connections of one adapter: the active and the passive side of IBA 12.9. */
final class CmConnections {
    /** Maximum connections of one adapter, those in time-wait included. */
    static final int MAX_CONNECTIONS = 65_536;

    private static final int OF_REQ = 0;
    private static final int OF_REP = 1;
    private static final int OF_NONE = 2;

    // rule cm-reply
    /** What Linux sends, although it supports no failover. */
    private static final int FAILOVER_ACCEPTED = 0;

    /** Status of an APR: no alternate path is supported. */
    private static final int PATH_NOT_SUPPORTED = 2;

    private final CmTimeouts timeouts;
    private final long caGuid;
    private final Consumer<CmEffect> effects;
    private final Map<Long, Integer> backlogs = new HashMap<>();
    private final Map<Long, Integer> undecided = new HashMap<>();
    private final Map<Integer, CmConnection> connections = new LinkedHashMap<>();
    private final TreeSet<CmConnection> byDeadline = new TreeSet<>(
            Comparator.<CmConnection>comparingLong(each -> each.deadline).thenComparingInt(each -> each.commId));
    private final Map<RemoteEnd, CmConnection> byRemoteEnd = new HashMap<>();
    private final Map<RemoteQueuePair, CmConnection> byRemoteQueuePair = new HashMap<>();
    private final int targetAckDelay;

    /** Upper half of the transaction IDs of this end. */
    private final long transactions;

    private int nextCommId;

    CmConnections(CmTimeouts timeouts, CmDevice device, Consumer<CmEffect> effects) {
        this.timeouts = timeouts;
        this.effects = effects;
        caGuid = device.caGuid();
        targetAckDelay = device.targetAckDelay();
        nextCommId = device.firstCommId();
        transactions = Integer.toUnsignedLong(device.firstCommId()) << 32;
    }

    /** Returns the state of a connection; empty if it is forgotten. */
    Optional<CmState> state(int commId) {
        return Optional.ofNullable(connections.get(commId)).map(each -> each.state);
    }

    List<CmConnectionReport> report() {
        return connections.values().stream()
                .map(each -> new CmConnectionReport(
                        each.commId, each.peer, each.remoteCommId, each.localQpn, each.remoteQpn, each.state))
                .toList();
    }

    // rule cm-listen
    /** True if nothing listened there. */
    boolean listen(long service, int backlog) {
        return backlogs.putIfAbsent(service, backlog) == null;
    }

    /** Stops listening; requests that the program has not decided about are rejected. */
    void unlisten(long service, long now) {
        backlogs.remove(service);
        List.copyOf(connections.values()).stream()
                .filter(each -> each.state == CmState.REQ_RCVD && each.service.equals(Optional.of(service)))
                .forEach(each -> reject(each, OF_REQ, RejectReason.CONSUMER_DEFINED.code(), Octets.NONE, now));
    }

    // rule cm-transactions
    private long ownTransaction(int commId) {
        return transactions | Integer.toUnsignedLong(commId);
    }

    private int newCommId() {
        do {
            nextCommId++;
        } while (nextCommId == 0 || connections.containsKey(nextCommId));
        return nextCommId;
    }

    /** Sends a REQ; empty if the adapter has {@link #MAX_CONNECTIONS}. */
    Optional<Integer> connect(PortAddress to, long service, CmTerms terms, Octets privateData, long now) {
        if (connections.size() >= MAX_CONNECTIONS) {
            return Optional.empty();
        }
        int commId = newCommId();
        CmConnection made = new CmConnection(commId, to, ownTransaction(commId), Optional.empty(), CmState.REQ_SENT);
        made.localQpn = terms.queuePair().number();
        made.maxRetries = timeouts.maxRetries();
        made.peerResponseCode = timeouts.responseCode();
        connections.put(made.commId, made);
        repeat(
                made,
                new ConnectRequest(
                        made.commId,
                        service,
                        caGuid,
                        terms.queuePair(),
                        terms.limits(),
                        timeouts.responseCode(),
                        timeouts.responseCode(),
                        timeouts.maxRetries(),
                        terms.path(),
                        CmPath.NONE,
                        privateData),
                now);
        return Optional.of(made.commId);
    }

    /** Accepts a request; false if it was withdrawn. */
    boolean accept(int commId, CmTerms terms, Octets privateData, long now) {
        CmConnection made = connections.get(commId);
        if (made == null || made.state != CmState.REQ_RCVD) {
            return false;
        }
        decided(made);
        made.state = CmState.REP_SENT;
        made.localQpn = terms.queuePair().number();
        repeat(
                made,
                new ConnectReply(
                        commId,
                        made.remoteCommId,
                        terms.queuePair().qkey(),
                        terms.queuePair().number(),
                        terms.queuePair().startingPsn(),
                        terms.limits().responderResources(),
                        terms.limits().initiatorDepth(),
                        targetAckDelay,
                        FAILOVER_ACCEPTED,
                        terms.limits().flowControl(),
                        terms.limits().rnrRetryCount(),
                        terms.queuePair().srq(),
                        caGuid,
                        privateData),
                now);
        return true;
    }

    /** Rejects a request, or at the active end a reply; false if it was withdrawn. */
    boolean reject(int commId, int reason, Octets privateData, long now) {
        CmConnection made = connections.get(commId);
        if (made == null || made.state != CmState.REQ_RCVD && made.state != CmState.REP_RCVD) {
            return false;
        }
        reject(made, made.isPassive() ? OF_REQ : OF_REP, reason, privateData, now);
        return true;
    }

    /** The queue pair of the active end can send: sends the RTU. False if the peer has taken its reply back. */
    boolean ready(int commId, Octets privateData) {
        CmConnection made = connections.get(commId);
        if (made == null || made.state != CmState.REP_RCVD) {
            return false;
        }
        made.state = CmState.ESTABLISHED;
        deadline(made, Long.MAX_VALUE);
        made.last = new CmDatagram(made.transactionId, new ReadyToUse(commId, made.remoteCommId, privateData));
        send(made);
        effects.accept(new CmEffect.Established(commId));
        return true;
    }

    // rule cm-first-message
    /** A message arrived at the queue pair of a passive end: the peer is ready, although its RTU has not arrived. */
    void messageArrived(int commId, long now) {
        CmConnection made = connections.get(commId);
        if (made != null && made.state == CmState.REP_SENT) {
            establish(made, now);
        }
    }

    /** Asks the peer to disconnect; false if the connection is not established. */
    boolean disconnect(int commId, Octets privateData, long now) {
        CmConnection made = connections.get(commId);
        if (made == null || made.state != CmState.ESTABLISHED) {
            return false;
        }
        made.state = CmState.DREQ_SENT;
        made.maxRetries = timeouts.maxRetries();
        CmMessage request = new DisconnectRequest(commId, made.remoteCommId, made.remoteQpn, privateData);
        made.last = new CmDatagram(ownTransaction(commId), request);
        made.retriesLeft = made.maxRetries;
        sendAndWait(made, now);
        return true;
    }

    // rule cm-abandon
    /** The program's end is gone, in whatever state: the connection ends in order without it. */
    void abandon(int commId, long now) {
        CmConnection made = connections.get(commId);
        if (made == null) {
            return;
        }
        switch (made.state) {
            case REQ_SENT -> timedOut(made, now);
            case REQ_RCVD -> reject(made, OF_REQ, RejectReason.CONSUMER_DEFINED.code(), Octets.NONE, now);
            case REP_RCVD -> reject(made, OF_REP, RejectReason.CONSUMER_DEFINED.code(), Octets.NONE, now);
            case REP_SENT -> made.abandoned = true;
            case ESTABLISHED -> disconnect(commId, Octets.NONE, now);
            case DREQ_SENT, TIME_WAIT -> {}
        }
    }

    void arrived(PortAddress from, CmDatagram datagram, CmMessage.OfConnection message, long now) {
        switch (message) {
            case ConnectRequest request -> requested(from, datagram.transactionId(), request, now);
            case CmMessage.ToKnownPeer other -> toKnownPeer(from, datagram, other, now);
        }
    }

    private void requested(PortAddress from, long transaction, ConnectRequest request, long now) {
        CmConnection known = byRemoteEnd.get(new RemoteEnd(from, request.localCommId()));
        if (known != null) {
            requestedAgain(known, now);
            return;
        }
        Optional<RejectReason> refusal = refusal(from, request, now);
        if (refusal.isPresent()) {
            refuse(from, transaction, request.localCommId(), OF_REQ, refusal.get());
            return;
        }
        CmConnection made =
                new CmConnection(newCommId(), from, transaction, Optional.of(request.serviceId()), CmState.REQ_RCVD);
        made.remoteCommId = request.localCommId();
        made.remoteQpn = request.queuePair().number();
        made.peerResponseCode = request.localResponseTimeout();
        made.maxRetries = request.maxRetries();
        made.patienceNanos = withdrawnNanos(request);
        connections.put(made.commId, made);
        deadline(made, now + made.patienceNanos);
        byRemoteEnd.put(made.remoteEnd(), made);
        byRemoteQueuePair.put(made.remoteQueuePair(), made);
        undecided.merge(request.serviceId(), 1, Integer::sum);
        effects.accept(new CmEffect.Requested(made.commId, from, request));
    }

    // rule cm-undecided
    /** Returns the time after which the peer has certainly given up, unless it is asked for more. */
    private long withdrawnNanos(ConnectRequest request) {
        return (request.maxRetries() + 1) * timeouts.waitNanos(request.remoteResponseTimeout());
    }

    // rules cm-listen, cm-stale
    private Optional<RejectReason> refusal(PortAddress from, ConnectRequest request, long now) {
        CmConnection stale =
                byRemoteQueuePair.get(new RemoteQueuePair(from, request.queuePair().number()));
        if (stale != null) {
            if (stale.state == CmState.ESTABLISHED) {
                disconnect(stale.commId, Octets.NONE, now);
            }
            return Optional.of(RejectReason.STALE_CONNECTION);
        }
        Integer backlog = backlogs.get(request.serviceId());
        if (backlog == null) {
            return Optional.of(RejectReason.INVALID_SERVICE_ID);
        }
        return undecided.getOrDefault(request.serviceId(), 0) >= backlog || connections.size() >= MAX_CONNECTIONS
                ? Optional.of(RejectReason.CONSUMER_DEFINED)
                : Optional.empty();
    }

    // rule cm-duplicates
    private void requestedAgain(CmConnection known, long now) {
        switch (known.state) {
            case REQ_RCVD -> {
                Octets none = Octets.NONE;
                deadline(known, now + timeouts.waitNanos(timeouts.serviceCode()) + known.patienceNanos);
                send(known, new MessageReceived(known.commId, known.remoteCommId, OF_REQ, timeouts.serviceCode(), none));
            }
            case REP_SENT, TIME_WAIT -> sendLastIfForRequest(known);
            case REQ_SENT, REP_RCVD, ESTABLISHED, DREQ_SENT -> {}
        }
    }

    /** Answers a late copy of a REQ with the REP or REJ that answered the first. */
    private void sendLastIfForRequest(CmConnection known) {
        CmDatagram last = known.last;
        if (last != null && (last.message() instanceof ConnectReply || last.message() instanceof ConnectReject)) {
            send(known);
        }
    }

    private void toKnownPeer(PortAddress from, CmDatagram datagram, CmMessage.ToKnownPeer message, long now) {
        CmConnection known = connectionOf(from, message);
        switch (message) {
            case ConnectReply reply -> replied(from, datagram, known, reply, now);
            case ReadyToUse rtu -> {
                if (known != null && known.state == CmState.REP_SENT) {
                    establish(known, now);
                }
            }
            case ConnectReject reject -> {
                if (known != null) {
                    rejected(known, reject, now);
                }
            }
            case MessageReceived more -> {
                if (known != null) {
                    needsTime(known, more, now);
                }
            }
            case DisconnectRequest request -> disconnectRequested(from, datagram, known, request, now);
            case DisconnectReply reply -> {
                if (known != null && known.state == CmState.DREQ_SENT) {
                    disconnected(known, false, reply.privateData(), now);
                }
            }
            case LoadAlternatePath path -> {
                if (known != null && known.isOpen()) {
                    Octets none = Octets.NONE;
                    effects.accept(new CmEffect.Send(
                            from,
                            new CmDatagram(
                                    datagram.transactionId(),
                                    new AlternatePathResponse(
                                            known.commId, known.remoteCommId, PATH_NOT_SUPPORTED, none, none))));
                }
            }
            case AlternatePathResponse ignored -> {
                // This end sends no LAP.
            }
        }
    }

    /**
     * Returns the connection that a message belongs to. A REJ that names no connection of this end is for the one that its
     * sender asked for.
     */
    private @Nullable CmConnection connectionOf(PortAddress from, CmMessage.ToKnownPeer message) {
        if (message.remoteCommId() == 0) {
            return byRemoteEnd.get(new RemoteEnd(from, message.localCommId()));
        }
        CmConnection known = connections.get(message.remoteCommId());
        boolean itsPeer = known != null
                && known.peer.equals(from)
                && (known.remoteCommId == 0
                        || message.localCommId() == 0
                        || known.remoteCommId == message.localCommId());
        return itsPeer ? known : null;
    }

    // rules cm-duplicates, cm-stale, cm-unknown
    private void replied(
            PortAddress from, CmDatagram datagram, @Nullable CmConnection known, ConnectReply reply, long now) {
        if (known == null) {
            refuse(from, datagram.transactionId(), reply.localCommId(), OF_REP, RejectReason.INVALID_COMM_ID);
            return;
        }
        switch (known.state) {
            case REQ_SENT -> firstReply(known, reply, now);
            case REP_RCVD ->
                send(
                        known,
                        new MessageReceived(
                                known.commId, known.remoteCommId, OF_REP, timeouts.serviceCode(), Octets.NONE));
            case ESTABLISHED, TIME_WAIT -> {
                if (known.last != null && !(known.last.message() instanceof ConnectRequest)) {
                    send(known);
                }
            }
            case REQ_RCVD, REP_SENT, DREQ_SENT -> {}
        }
    }

    private void firstReply(CmConnection known, ConnectReply reply, long now) {
        known.remoteCommId = reply.localCommId();
        known.remoteQpn = reply.qpNumber();
        if (byRemoteQueuePair.containsKey(known.remoteQueuePair())) {
            known.remoteQpn = 0;
            reject(known, OF_REP, RejectReason.STALE_CONNECTION.code(), Octets.NONE, now);
            effects.accept(new CmEffect.Rejected(
                    known.commId, RejectReason.STALE_CONNECTION.code(), Octets.NONE, Octets.NONE));
            return;
        }
        byRemoteEnd.put(known.remoteEnd(), known);
        byRemoteQueuePair.put(known.remoteQueuePair(), known);
        known.state = CmState.REP_RCVD;
        deadline(known, Long.MAX_VALUE);
        effects.accept(new CmEffect.Accepted(known.commId, reply));
    }

    private void rejected(CmConnection known, ConnectReject reject, long now) {
        switch (known.state) {
            case REQ_SENT, REP_SENT, REP_RCVD -> {
                forgetMessage(known);
                enterTimeWait(known, now);
                effects.accept(new CmEffect.Rejected(
                        known.commId, reject.reason(), reject.information(), reject.privateData()));
            }
            case REQ_RCVD -> {
                decided(known);
                forgetMessage(known);
                enterTimeWait(known, now);
                effects.accept(new CmEffect.Withdrawn(known.commId));
            }
            case ESTABLISHED, DREQ_SENT -> disconnected(known, true, reject.privateData(), now);
            case TIME_WAIT -> {}
        }
    }

    private static void forgetMessage(CmConnection known) {
        known.last = null;
    }

    // rule cm-more-time
    private void needsTime(CmConnection known, MessageReceived more, long now) {
        boolean ofRequest = known.state == CmState.REQ_SENT && more.of() == OF_REQ;
        boolean ofReply = known.state == CmState.REP_SENT && more.of() == OF_REP;
        if (ofRequest || ofReply) {
            deadline(known, Math.max(known.deadline, now + timeouts.waitNanos(more.serviceTimeout())));
        }
    }

    // rules cm-disconnect, cm-unknown
    private void disconnectRequested(
            PortAddress from,
            CmDatagram datagram,
            @Nullable CmConnection known,
            DisconnectRequest request,
            long now) {
        boolean forOther = known != null && known.localQpn != request.remoteQpn();
        boolean tooEarly = known != null && (known.state == CmState.REQ_RCVD || known.state == CmState.REQ_SENT);
        if (forOther || tooEarly) {
            return;
        }
        CmDatagram answer = new CmDatagram(
                datagram.transactionId(),
                new DisconnectReply(request.remoteCommId(), request.localCommId(), Octets.NONE));
        effects.accept(new CmEffect.Send(from, answer));
        if (known == null || known.state == CmState.TIME_WAIT) {
            return;
        }
        if (known.state == CmState.REP_SENT) {
            establish(known, now);
        }
        forgetMessage(known);
        disconnected(known, true, request.privateData(), now);
    }

    private void establish(CmConnection known, long now) {
        known.state = CmState.ESTABLISHED;
        deadline(known, Long.MAX_VALUE);
        known.last = null;
        effects.accept(new CmEffect.Established(known.commId));
        if (known.abandoned) {
            disconnect(known.commId, Octets.NONE, now);
        }
    }

    private void disconnected(CmConnection known, boolean byPeer, Octets privateData, long now) {
        boolean asked = known.state == CmState.DREQ_SENT;
        enterTimeWait(known, now);
        effects.accept(new CmEffect.Disconnected(known.commId, byPeer && !asked, privateData));
    }

    /** Handles all deadlines that have passed. */
    void timeout(long now) {
        while (!byDeadline.isEmpty() && byDeadline.first().deadline <= now) {
            timeout(byDeadline.first(), now);
        }
    }

    // rule cm-retries
    private void timeout(CmConnection due, long now) {
        switch (due.state) {
            case TIME_WAIT -> release(due);
            case REQ_RCVD -> {
                reject(due, OF_REQ, RejectReason.TIMEOUT.code(), Octets.NONE, now);
                effects.accept(new CmEffect.Withdrawn(due.commId));
            }
            case REQ_SENT, REP_SENT, DREQ_SENT -> {
                if (due.retriesLeft > 0) {
                    due.retriesLeft--;
                    sendAndWait(due, now);
                } else {
                    exhausted(due, now);
                }
            }
            case REP_RCVD, ESTABLISHED -> deadline(due, Long.MAX_VALUE);
        }
    }

    private void exhausted(CmConnection due, long now) {
        CmState in = due.state;
        if (in == CmState.DREQ_SENT) {
            disconnected(due, false, Octets.NONE, now);
            return;
        }
        timedOut(due, now);
        effects.accept(new CmEffect.Unanswered(due.commId, in));
    }

    /** Tells the peer that its answer did not arrive, so that it does not keep a half of a connection. */
    private void timedOut(CmConnection due, long now) {
        due.last = new CmDatagram(
                due.transactionId,
                new ConnectReject(
                        due.commId,
                        due.remoteCommId,
                        OF_NONE,
                        RejectReason.TIMEOUT.code(),
                        guid(),
                        Octets.NONE));
        send(due);
        enterTimeWait(due, now);
    }

    private Octets guid() {
        return Octets.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(caGuid).array());
    }

    private void reject(CmConnection made, int of, int reason, Octets privateData, long now) {
        decided(made);
        made.last = new CmDatagram(
                made.transactionId,
                new ConnectReject(made.commId, made.remoteCommId, of, reason, Octets.NONE, privateData));
        send(made);
        enterTimeWait(made, now);
    }

    /** Rejects a message for which there is no connection. */
    private void refuse(PortAddress to, long transaction, int remoteCommId, int of, RejectReason reason) {
        effects.accept(new CmEffect.Send(
                to,
                new CmDatagram(
                        transaction,
                        new ConnectReject(0, remoteCommId, of, reason.code(), Octets.NONE, Octets.NONE))));
    }

    /** A request no longer waits for the program. */
    private void decided(CmConnection made) {
        if (made.state == CmState.REQ_RCVD) {
            made.service.ifPresent(service -> undecided.computeIfPresent(
                    service, (key, count) -> count == 1 ? null : count - 1));
        }
    }

    private void repeat(CmConnection made, CmMessage message, long now) {
        made.last = new CmDatagram(made.transactionId, message);
        made.retriesLeft = made.maxRetries;
        sendAndWait(made, now);
    }

    private void sendAndWait(CmConnection made, long now) {
        send(made);
        deadline(made, now + timeouts.waitNanos(made.peerResponseCode));
    }

    private void send(CmConnection made) {
        CmDatagram last = made.last;
        if (last != null) {
            effects.accept(new CmEffect.Send(made.peer, last));
        }
    }

    private void send(CmConnection made, CmMessage message) {
        effects.accept(new CmEffect.Send(made.peer, new CmDatagram(made.transactionId, message)));
    }

    // rule cm-time-wait
    private void enterTimeWait(CmConnection made, long now) {
        made.state = CmState.TIME_WAIT;
        deadline(made, now + timeouts.timeWaitNanos());
    }

    private void release(CmConnection over) {
        deadline(over, Long.MAX_VALUE);
        connections.remove(over.commId);
        byRemoteEnd.remove(over.remoteEnd(), over);
        byRemoteQueuePair.remove(over.remoteQueuePair(), over);
        effects.accept(new CmEffect.Released(over.commId));
    }

    long nextDeadline() {
        return byDeadline.isEmpty() ? Long.MAX_VALUE : byDeadline.first().deadline;
    }

    private void deadline(CmConnection of, long at) {
        byDeadline.remove(of);
        of.deadline = at;
        if (at != Long.MAX_VALUE) {
            byDeadline.add(of);
        }
    }
}
