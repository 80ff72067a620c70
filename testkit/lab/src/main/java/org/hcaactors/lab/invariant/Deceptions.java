package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** Which packets nobody sent, and which queue pairs believed them. */
final class Deceptions {
    /** Events of forged packets, and of the answers to them. */
    private final Map<Long, Boolean> forged = Known.recent();
    /** Arrivals of those, at whom, unless they were ignored. */
    private final Map<QpName, Set<Long>> believed = new LinkedHashMap<>();
    /** Who talks to whom, as honest packets tell. */
    private final Map<QpName, QpName> peers = new LinkedHashMap<>();

    void note(TraceEvent event, Known known) {
        switch (event) {
            case FabricEvent.Forged entry -> forged.put(entry.stamp().id(), true);
            case FabricEvent.Delivered delivered -> delivered(delivered, known);
            case FabricEvent other -> inherit(other);
            case HcaEvent.Discarded ignored -> {
                Set<Long> held = believed.get(new QpName(ignored.port(), ignored.qp()));
                if (held != null) {
                    held.remove(ignored.stamp().cause());
                }
            }
            default -> {}
        }
    }

    private void delivered(FabricEvent.Delivered delivered, Known known) {
        QpName here = new QpName(delivered.port(), delivered.packet().bth().destQp());
        if (inherit(delivered)) {
            believed.computeIfAbsent(here, absent -> new LinkedHashSet<>())
                    .add(delivered.stamp().id());
            return;
        }
        known.postingBehind(delivered.stamp().cause())
                .map(posted -> new QpName(posted.port(), posted.qp()))
                .filter(from -> !from.equals(here))
                .ifPresent(from -> {
                    peers.put(from, here);
                    peers.put(here, from);
                });
    }

    private boolean inherit(FabricEvent event) {
        boolean follows = forged.containsKey(event.stamp().cause());
        if (follows) {
            forged.put(event.stamp().id(), true);
        }
        return follows;
    }

    boolean isForged(FabricEvent event) {
        return forged.containsKey(event.stamp().id());
    }

    boolean isDeceived(QpName name) {
        QpName peer = peers.get(name);
        return believes(name) || peer != null && believes(peer);
    }

    private boolean believes(QpName name) {
        Set<Long> held = believed.get(name);
        return held != null && !held.isEmpty();
    }
}
