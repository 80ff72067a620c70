// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.jspecify.annotations.Nullable;

// rule cm-services
/** The datagram services of one adapter: both sides of IBA 12.11. */
final class CmServices {
    /** Maximum requests of each side that are not forgotten. */
    static final int MAX_REQUESTS = 65_536;

    /** Status of a reply: nothing listens at the service ID. */
    private static final int NOT_SUPPORTED = 1;

    /** Status of a reply: rejected by the service. */
    private static final int REJECTED = 2;

    /** Request of this end. */
    private static final class Asked {
        private final PortAddress to;
        private final CmDatagram request;
        private int retriesLeft;
        private long deadline;

        Asked(PortAddress to, CmDatagram request, int retries) {
            this.to = to;
            this.request = request;
            retriesLeft = retries;
        }
    }

    private record Peer(PortAddress at, int requestId, long service) {}

    /** Request of a peer. */
    private static final class Offered {
        private final Peer peer;
        private final long transactionId;
        private final ServiceRequest request;
        private final long deadline;
        private @Nullable CmDatagram answer;

        Offered(Peer peer, long transactionId, ServiceRequest request, long deadline) {
            this.peer = peer;
            this.transactionId = transactionId;
            this.request = request;
            this.deadline = deadline;
        }
    }

    private final CmTimeouts timeouts;
    private final Consumer<CmEffect> effects;
    private final Set<Long> services = new LinkedHashSet<>();
    private final LinkedHashMap<Integer, Asked> asked = new LinkedHashMap<>();
    private final LinkedHashMap<Integer, Offered> offered = new LinkedHashMap<>();
    private final Map<Peer, Offered> known = new LinkedHashMap<>();
    private int lastId;
    private long nextTransaction;

    CmServices(CmTimeouts timeouts, int firstId, Consumer<CmEffect> effects) {
        this.timeouts = timeouts;
        this.effects = effects;
        lastId = firstId;
        nextTransaction = Integer.toUnsignedLong(~firstId) << 32;
    }

    /** True if nothing served it. */
    boolean serve(long service) {
        return services.add(service);
    }

    void unserve(long service) {
        services.remove(service);
    }

    /** Asks a peer for a service; empty if {@link #MAX_REQUESTS} wait. */
    Optional<Integer> ask(PortAddress to, int pkey, long service, Octets privateData, long now) {
        if (asked.size() >= MAX_REQUESTS) {
            return Optional.empty();
        }
        int id = newId();
        CmDatagram request = new CmDatagram(++nextTransaction, new ServiceRequest(id, pkey, service, privateData));
        Asked made = new Asked(to, request, timeouts.maxRetries());
        send(id, made, now);
        return Optional.of(id);
    }

    private int newId() {
        do {
            lastId++;
        } while (lastId == 0 || asked.containsKey(lastId) || offered.containsKey(lastId));
        return lastId;
    }

    private void send(int id, Asked made, long now) {
        asked.remove(id);
        asked.put(id, made);
        made.deadline = now + timeouts.waitNanos(timeouts.responseCode());
        effects.accept(new CmEffect.Send(made.to, made.request));
    }

    /**
     * Answers a request of a peer; false if it has expired or was answered.
     *
     * @param status 0, or why there is no queue pair
     */
    boolean answer(int id, int status, int qpNumber, int qkey, Octets privateData) {
        Offered from = offered.get(id);
        if (from == null || from.answer != null) {
            return false;
        }
        from.answer = reply(from.transactionId, from.request, status, qpNumber, qkey, privateData);
        effects.accept(new CmEffect.Send(from.peer.at, from.answer));
        return true;
    }

    private static CmDatagram reply(
            long transaction, ServiceRequest request, int status, int qpNumber, int qkey, Octets privateData) {
        return new CmDatagram(
                transaction,
                new ServiceReply(
                        request.requestId(), status, qpNumber, request.serviceId(), qkey, Octets.NONE, privateData));
    }

    void arrived(PortAddress from, CmDatagram datagram, CmMessage.OfService message, long now) {
        switch (message) {
            case ServiceRequest request -> requested(from, datagram, request, now);
            case ServiceReply reply -> replied(from, reply);
        }
    }

    /** A peer asks; a copy of a request that was answered gets the same answer. */
    private void requested(PortAddress from, CmDatagram datagram, ServiceRequest request, long now) {
        Peer peer = new Peer(from, request.requestId(), request.serviceId());
        Offered before = known.get(peer);
        if (before != null) {
            effects.accept(new CmEffect.Counted(Counter.CM_RX_DUPLICATES));
            if (before.answer != null) {
                effects.accept(new CmEffect.Send(from, before.answer));
            }
            return;
        }
        boolean full = offered.size() >= MAX_REQUESTS;
        if (full || !services.contains(request.serviceId())) {
            int status = full ? REJECTED : NOT_SUPPORTED;
            effects.accept(
                    new CmEffect.Send(from, reply(datagram.transactionId(), request, status, 0, 0, Octets.NONE)));
            return;
        }
        int id = newId();
        Offered made = new Offered(peer, datagram.transactionId(), request, now + expiryNanos());
        offered.put(id, made);
        known.put(peer, made);
        effects.accept(new CmEffect.ServiceRequested(id, from, request));
    }

    /** Returns the time after which a peer with the same times no longer repeats its request, and no copy arrives. */
    private long expiryNanos() {
        return (timeouts.maxRetries() + 1) * timeouts.waitNanos(timeouts.responseCode()) + timeouts.timeWaitNanos();
    }

    private void replied(PortAddress from, ServiceReply reply) {
        Asked waiting = asked.get(reply.requestId());
        if (waiting != null && waiting.to.equals(from)) {
            asked.remove(reply.requestId());
            effects.accept(new CmEffect.ServiceAnswered(reply.requestId(), reply));
        }
    }

    void timeout(long now) {
        while (!asked.isEmpty() && asked.firstEntry().getValue().deadline <= now) {
            int id = asked.firstEntry().getKey();
            Asked made = asked.firstEntry().getValue();
            if (made.retriesLeft > 0) {
                made.retriesLeft--;
                effects.accept(new CmEffect.Counted(Counter.CM_TX_RETRIES));
                send(id, made, now);
            } else {
                asked.remove(id);
                effects.accept(new CmEffect.ServiceUnanswered(id));
            }
        }
        while (!offered.isEmpty() && offered.firstEntry().getValue().deadline <= now) {
            known.remove(offered.pollFirstEntry().getValue().peer);
        }
    }

    /** Returns the deadline of the next request of this end. */
    long nextAction() {
        return asked.isEmpty() ? Long.MAX_VALUE : asked.firstEntry().getValue().deadline;
    }

    /** Requests of each side are in the order of their deadlines. */
    long nextDeadline() {
        return Math.min(
                nextAction(),
                offered.isEmpty() ? Long.MAX_VALUE : offered.firstEntry().getValue().deadline);
    }
}
