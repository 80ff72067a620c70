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

/** What the events so far have told of XRC: the shared receive queues that peers may name, and who is asked for them. */
public final class XrcFacts {
    private final Map<QpName, HcaEvent.XrcSrqCreated> queues = new LinkedHashMap<>();
    private final Set<QpName> gone = new LinkedHashSet<>();
    private final Map<QpName, Integer> targets = new LinkedHashMap<>();

    void note(TraceEvent event) {
        switch (event) {
            case HcaEvent.XrcSrqCreated named -> {
                queues.put(QpName.of(named), named);
                gone.remove(QpName.of(named));
            }
            case HcaEvent.XrcSrqDestroyed went -> gone.add(QpName.of(went));
            case HcaEvent.XrcTargetCreated made -> targets.put(QpName.of(made), made.xrcDomain());
            case HcaEvent.QueuePairCreated created -> targets.remove(QpName.of(created));
            default -> {}
        }
    }

    public boolean isTarget(QpName name) {
        return targets.containsKey(name);
    }

    /** The XRC domain of a target; empty of any other queue pair. */
    public OptionalInt domain(QpName target) {
        Integer domain = targets.get(target);
        return domain == null ? OptionalInt.empty() : OptionalInt.of(domain);
    }

    /** One that peers may name, or could until it went; empty of any other queue. */
    public Optional<HcaEvent.XrcSrqCreated> queue(QpName name) {
        return Optional.ofNullable(queues.get(name));
    }

    public boolean isGone(QpName queue) {
        return gone.contains(queue);
    }

    /** The number that what arrived names, if it names any. */
    public static OptionalInt named(Optional<FabricEvent.Delivered> arrival) {
        return arrival.map(delivered -> delivered.packet().srqIfAny()).orElse(OptionalInt.empty());
    }
}
