// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/** Facts from the trace about XRC: the shared receive queues that peers can name, and the targets. */
public final class XrcFacts {
    private final Map<QpName, HcaEvent.XrcSrqCreated> queues = new LinkedHashMap<>();
    private final Set<QpName> destroyedQueues = new LinkedHashSet<>();
    private final Map<QpName, Integer> targets = new LinkedHashMap<>();

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.XrcSrqCreated named -> {
                queues.put(QpName.of(named), named);
                destroyedQueues.remove(QpName.of(named));
            }
            case HcaEvent.XrcSrqDestroyed went -> destroyedQueues.add(QpName.of(went));
            case HcaEvent.XrcTargetCreated made -> targets.put(QpName.of(made), made.xrcDomain());
            case HcaEvent.QueuePairCreated created -> targets.remove(QpName.of(created));
            default -> {}
        }
    }

    public boolean isTarget(QpName name) {
        return targets.containsKey(name);
    }

    /** Returns the XRC domain of a target; empty for another queue pair. */
    public OptionalInt domain(QpName target) {
        Integer domain = targets.get(target);
        return domain == null ? OptionalInt.empty() : OptionalInt.of(domain);
    }

    /** Returns a queue that peers can name, or could before it was destroyed; empty for another queue. */
    public Optional<HcaEvent.XrcSrqCreated> queue(QpName name) {
        return Optional.ofNullable(queues.get(name));
    }

    public boolean isGone(QpName queue) {
        return destroyedQueues.contains(queue);
    }

    /** Returns the shared receive queue number in the arrived packet, if it has one. */
    public static OptionalInt named(Optional<FabricEvent.Delivered> arrival) {
        return arrival.map(delivered -> delivered.packet().srqIfAny()).orElse(OptionalInt.empty());
    }
}
