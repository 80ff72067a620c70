// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.hcaactors.adapter.cm.CmAgent;
import org.hcaactors.adapter.cm.CmDevice;
import org.hcaactors.adapter.cm.CmEffect;
import org.hcaactors.adapter.cm.CmState;
import org.hcaactors.adapter.cm.CmTerms;
import org.hcaactors.adapter.cm.CmTimeouts;
import org.hcaactors.fabric.mad.CmAttribute;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.PortAddress;

/** An agent in place of one captured end. It has its own communication and transaction IDs; the capture's are translated. */
final class CmReplay {
    private static final long PACKET_LIFE_NANOS = 1_000_000_000;
    private static final int FIRST_ID = 1_000;
    private static final int BACKLOG = 1 << 16;

    private static final String DREP_AT_ONCE =
            "a DREQ is answered at once here, and in Linux when the program disconnects, too (rule cm-disconnect)";

    private final PortAddress end;
    private final List<CmConformance.Message> messages;
    private final CmAgent agent;
    private final List<CmDatagram> outbox = new ArrayList<>();

    /** IDs of the agent by those of the captured end. */
    private final Map<Integer, Integer> commIds = new HashMap<>();

    private final Map<Long, Long> transactions = new HashMap<>();
    private final Map<Integer, Integer> serviceIds = new HashMap<>();
    private final Set<CmDatagram> sentBefore = new HashSet<>();
    private final List<String> known = new ArrayList<>();
    private final List<CmConformance.Mismatch> mismatches = new ArrayList<>();

    /** IDs of the agent for requests that arrived, by those of their senders. */
    private final Map<Integer, Integer> requested = new HashMap<>();

    private int matched;

    CmReplay(PortAddress end, List<CmConformance.Message> messages) {
        this.end = end;
        this.messages = messages;
        agent = new CmAgent(CmTimeouts.linux(PACKET_LIFE_NANOS), device(), this::effect);
    }

    int matched() {
        return matched;
    }

    List<String> known() {
        return known;
    }

    List<CmConformance.Mismatch> mismatches() {
        return mismatches;
    }

    /** Returns the device of the end, with the properties that its messages tell. */
    private CmDevice device() {
        return messages.stream()
                .filter(each -> each.from().equals(end))
                .flatMap(each -> switch (each.datagram().message()) {
                    case ConnectRequest request -> Stream.of(new CmDevice(request.caGuid(), 0, FIRST_ID));
                    case ConnectReply reply ->
                        Stream.of(new CmDevice(reply.caGuid(), reply.targetAckDelay(), FIRST_ID));
                    case CmMessage other -> Stream.<CmDevice>empty();
                })
                .findFirst()
                .orElse(new CmDevice(0, 0, FIRST_ID));
    }

    private void effect(CmEffect effect) {
        switch (effect) {
            case CmEffect.Send send -> outbox.add(send.datagram());
            case CmEffect.Requested asked -> requested.put(asked.request().localCommId(), asked.commId());
            case CmEffect.ServiceRequested asked ->
                serviceIds.put(asked.request().requestId(), asked.id());
            case CmEffect.OfConnection other -> {}
            case CmEffect.Counted counted -> {}
            case CmEffect.Dropped dropped -> {}
            case CmEffect.ServiceAnswered other -> {}
            case CmEffect.ServiceUnanswered other -> {}
        }
    }

    void play() {
        listenWhereItListened();
        for (CmConformance.Message each : messages) {
            if (each.to().equals(end)) {
                agent.arrived(each.from(), arriving(each.datagram()), each.nanos());
            } else if (each.from().equals(end)) {
                sent(each);
            }
        }
        outbox.forEach(this::surplus);
    }

    /** A service listens if a REQ to it was not rejected for the lack of a listener. */
    private void listenWhereItListened() {
        Map<Integer, Long> services = new LinkedHashMap<>();
        for (CmConformance.Message each : messages) {
            switch (each.datagram().message()) {
                case ConnectRequest request
                when each.to().equals(end) -> services.put(request.localCommId(), request.serviceId());
                case ServiceRequest request when each.to().equals(end) -> agent.serve(request.serviceId());
                case ConnectReject reject
                when each.from().equals(end) && reject.reason() == RejectReason.INVALID_SERVICE_ID.code() ->
                    services.remove(reject.remoteCommId());
                case CmMessage other -> {}
            }
        }
        services.values().forEach(service -> agent.listen(service, BACKLOG));
    }

    /** Translates the IDs of this end in a message of its peer. */
    private CmDatagram arriving(CmDatagram captured) {
        long transaction = transactions.getOrDefault(captured.transactionId(), captured.transactionId());
        CmMessage message = captured.message();
        return new CmDatagram(
                transaction,
                message instanceof CmMessage.ToKnownPeer known
                        ? CmIds.withRemote(known, commIds.getOrDefault(known.remoteCommId(), known.remoteCommId()))
                        : message);
    }

    private void sent(CmConformance.Message captured) {
        if (!sentBefore.add(captured.datagram())) {
            sentAgain(captured);
        } else if (decide(captured)) {
            compareWithOutbox(captured);
        } else {
            known.add("frame " + captured.frame() + ": " + DREP_AT_ONCE);
        }
    }

    /** A message that occurs again was repeated by its sender's timer, answers a copy, or was doubled on the way. */
    private void sentAgain(CmConformance.Message captured) {
        CmMessage message = captured.datagram().message();
        boolean waits = Optional.ofNullable(commIds.get(CmIds.local(message)))
                .flatMap(agent::state)
                .filter(CmReplay::waits)
                .isPresent();
        if (waits && outbox.isEmpty()) {
            agent.timeout(Math.max(captured.nanos(), agent.nextDeadline()));
        }
        if (outbox.stream().anyMatch(each -> each.message().attribute() == message.attribute())) {
            compareWithOutbox(captured);
        } else {
            matched++;
        }
    }

    private static boolean waits(CmState state) {
        return switch (state) {
            case REQ_SENT, REP_SENT, DREQ_SENT -> true;
            case REQ_RCVD, REP_RCVD, ESTABLISHED, TIME_WAIT -> false;
        };
    }

    private void compareWithOutbox(CmConformance.Message captured) {
        CmAttribute attribute = captured.datagram().message().attribute();
        for (Iterator<CmDatagram> each = outbox.iterator(); each.hasNext(); ) {
            CmDatagram ours = each.next();
            if (ours.message().attribute() == attribute) {
                each.remove();
                compare(captured, ours);
                return;
            }
        }
        mismatch(captured, "the message", "present", "absent");
    }

    /**
     * Lets the program do what the captured end's program did. What an agent does by itself needs no decision. False if the
     * agent has already disconnected.
     */
    private boolean decide(CmConformance.Message captured) {
        long now = captured.nanos();
        switch (captured.datagram().message()) {
            case ConnectRequest m ->
                agent.connect(
                                captured.to(),
                                m.serviceId(),
                                new CmTerms(m.queuePair(), m.limits(), m.primary()),
                                m.privateData(),
                                now)
                        .ifPresent(ours -> commIds.put(m.localCommId(), ours));
            case ConnectReply m -> {
                int ours = requested.getOrDefault(m.remoteCommId(), 0);
                commIds.put(m.localCommId(), ours);
                QueuePairOffer offer = new QueuePairOffer(m.qpNumber(), m.qkey(), m.startingPsn(), 0, 0, m.srq(), 0, 0);
                ConnectionLimits limits = new ConnectionLimits(
                        m.responderResources(), m.initiatorDepth(), 0, m.rnrRetryCount(), m.flowControl());
                agent.accept(ours, new CmTerms(offer, limits, CmPath.NONE), m.privateData(), now);
            }
            case ReadyToUse m -> agent.ready(ours(m), m.privateData());
            case DisconnectRequest m -> {
                return agent.disconnect(ours(m), m.privateData(), now);
            }
            case ConnectReject m -> {
                int ours = commIds.getOrDefault(m.localCommId(), requested.getOrDefault(m.remoteCommId(), 0));
                if (m.localCommId() != 0 && ours != 0) {
                    commIds.putIfAbsent(m.localCommId(), ours);
                }
                agent.reject(ours, m.reason(), m.privateData(), now);
            }
            case ServiceRequest m ->
                agent.askService(captured.to(), m.pkey(), m.serviceId(), m.privateData(), now)
                        .ifPresent(ours -> commIds.put(m.requestId(), ours));
            case ServiceReply m ->
                agent.answerService(
                        serviceIds.getOrDefault(m.requestId(), 0), m.status(), m.qpNumber(), m.qkey(), m.privateData());
            case CmMessage.ToKnownPeer automatic -> {}
        }
        return true;
    }

    private int ours(CmMessage.OfConnection message) {
        return commIds.getOrDefault(message.localCommId(), 0);
    }

    private void compare(CmConformance.Message captured, CmDatagram ours) {
        transactions.putIfAbsent(captured.datagram().transactionId(), ours.transactionId());
        int before = mismatches.size();
        long expected = transactions.get(captured.datagram().transactionId());
        if (ours.transactionId() != expected) {
            mismatch(
                    captured,
                    "the transaction",
                    Long.toHexString(captured.datagram().transactionId()),
                    Long.toHexString(ours.transactionId()));
        }
        CmMessage theirs = captured.datagram().message();
        int id = CmIds.local(theirs);
        boolean isPeers = theirs instanceof ServiceReply || id == 0;
        if (CmIds.local(ours.message()) != (isPeers ? id : commIds.getOrDefault(id, 0))
                || !isPeers && !commIds.containsKey(id)) {
            mismatch(captured, "the sender's ID", hex(id), hex(CmIds.local(ours.message())));
        }
        Map<String, Object> fields = CmIds.fields(ours.message());
        CmIds.fields(theirs).forEach((field, value) -> {
            if (!value.equals(fields.get(field))) {
                mismatch(captured, field, value.toString(), String.valueOf(fields.get(field)));
            }
        });
        if (mismatches.size() == before) {
            matched++;
        }
    }

    private static String hex(int id) {
        return "0x%08x".formatted(id);
    }

    private void mismatch(CmConformance.Message captured, String field, String theirs, String ours) {
        mismatches.add(new CmConformance.Mismatch(
                captured.frame(), captured.datagram().message().attribute() + " of " + end, field, theirs, ours));
    }

    private void surplus(CmDatagram ours) {
        CmAttribute attribute = ours.message().attribute();
        if (attribute == CmAttribute.DREP) {
            known.add("a DREP that the capture lacks: " + DREP_AT_ONCE);
        } else {
            mismatches.add(new CmConformance.Mismatch(0, attribute + " of " + end, "the message", "absent", "present"));
        }
    }
}
