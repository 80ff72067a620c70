// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** Forged packets, and the queue pairs that accepted one since their last RESET. */
final class AcceptedForgeries {
    /** Maximum accepted arrivals of one queue pair that are remembered one by one. */
    private static final int MAX_ARRIVALS = 256;
    /** Event id that replaces arrivals beyond {@link #MAX_ARRIVALS}. No event has it, so these never count as ignored. */
    private static final long UNKNOWN_EVENT = 0;

    /** Events of forged packets, and of the responses to them. */
    private final ByEvent<Boolean> forged = new ByEvent<>();
    /** Arrivals of forged packets that were not ignored, by queue pair. */
    private final Map<QpName, Set<Long>> accepted = new LinkedHashMap<>();
    /** The target of each DC responder. */
    private final Map<QpName, QpName> targets = TraceState.recent();

    /** Peer of each queue pair, as packets that are not forged show. */
    private final Map<QpName, QpName> peers = new LinkedHashMap<>();

    void note(TraceEvent event, TraceState traceState) {
        switch (event) {
            case FabricEvent.Forged entry -> forged.put(entry.stamp().id(), true);
            case FabricEvent.Delivered delivered -> delivered(delivered, traceState);
            case FabricEvent other -> inherit(other);
            case HcaEvent.Discarded ignored -> {
                Set<Long> arrivals = accepted.get(addressedQueuePair(QpName.of(ignored)));
                if (arrivals != null) {
                    arrivals.remove(ignored.stamp().cause());
                }
            }
            case HcaEvent.SessionChanged opened
            when opened.step() == SessionStep.OPENED ->
                targets.put(new QpName(opened.port(), Element.responder(opened.session())), QpName.of(opened));
            case HcaEvent.QueuePairCreated created -> forget(QpName.of(created));
            case HcaEvent.StateChanged changed when changed.to() == QpState.RESET -> forget(QpName.of(changed));
            default -> {}
        }
    }

    /** The peer keeps what the queue pair sent before its RESET. */
    private void forget(QpName name) {
        QpName peer = peers.remove(name);
        if (peer != null) {
            peers.remove(peer, name);
            if (accepts(name)) {
                accepts(peer, UNKNOWN_EVENT);
            }
        }
        accepted.remove(name);
    }

    private void delivered(FabricEvent.Delivered delivered, TraceState traceState) {
        QpName receiver = QpName.of(delivered.port(), delivered.packet().bth().destQp());
        if (inherit(delivered)) {
            if (traceState.queuePair(receiver).isPresent()) {
                accepts(receiver, delivered.stamp().id());
            }
            return;
        }
        traceState
                .postingBehind(delivered.stamp().cause())
                .map(posted -> QpName.of(posted))
                .filter(sender -> !sender.equals(receiver))
                .ifPresent(sender -> {
                    peers.put(sender, receiver);
                    peers.put(receiver, sender);
                });
    }

    private boolean inherit(FabricEvent event) {
        boolean follows = forged.has(event.stamp().cause());
        if (follows) {
            forged.put(event.stamp().id(), true);
        }
        return follows;
    }

    boolean isForged(FabricEvent event) {
        return forged.has(event.stamp().id());
    }

    /** Returns the number to which packets are addressed: the target of a DC responder, otherwise the queue pair itself. */
    private QpName addressedQueuePair(QpName name) {
        return targets.getOrDefault(name, name);
    }

    boolean isDeceived(QpName any) {
        QpName name = addressedQueuePair(any);
        QpName peer = peers.get(name);
        return accepts(name) || peer != null && accepts(peer);
    }

    private void accepts(QpName name, long arrival) {
        Set<Long> arrivals = accepted.computeIfAbsent(name, absent -> new LinkedHashSet<>());
        if (arrivals.size() >= MAX_ARRIVALS) {
            arrivals.clear();
            arrivals.add(UNKNOWN_EVENT);
        }
        arrivals.add(arrival);
    }

    private boolean accepts(QpName name) {
        Set<Long> arrivals = accepted.get(name);
        return arrivals != null && !arrivals.isEmpty();
    }
}
