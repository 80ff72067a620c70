// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.PortAddress;

/** Fates of packets, and the ports behind addresses. */
public final class PacketFates {
    private final Lineage packets;
    private final Map<PortAddress, String> ports = new LinkedHashMap<>();
    /** Ports that only receive. */
    private final Map<PortAddress, String> silent = new LinkedHashMap<>();

    /** @param events events of a whole run, or a part of it that includes the fates of its packets */
    public PacketFates(List<TraceEvent> events) {
        this(Lineage.of(events.stream().filter(FabricEvent.class::isInstance).toList()));
    }

    /** Uses a known lineage. */
    public PacketFates(Lineage lineage) {
        packets = lineage;
        for (TraceEvent event : packets.events()) {
            if (event instanceof FabricEvent.Sent sent) {
                ports.put(sent.packet().route().source(), sent.port());
            } else if (event instanceof FabricEvent.Delivered arrived) {
                PortAddress at = arrived.packet().route().destination();
                if (!at.isMulticast()) {
                    silent.put(at, arrived.port());
                }
            }
        }
    }

    /** Returns the events of a packet after its entry, oldest first. */
    public List<FabricEvent> of(FabricEvent entry) {
        return packets.fates(entry);
    }

    /** Returns the times of its arrivals at the queue pair: none, one or several. */
    public List<Long> arrivals(FabricEvent entry) {
        return of(entry).stream()
                .filter(FabricEvent.Delivered.class::isInstance)
                .map(arrival -> arrival.stamp().nanos())
                .toList();
    }

    /** Returns what happened to it on the way. */
    public List<String> disturbances(FabricEvent entry) {
        return of(entry).stream().flatMap(fate -> disturbance(fate).stream()).toList();
    }

    private static Optional<String> disturbance(FabricEvent fate) {
        return switch (fate) {
            case FabricEvent.Dropped dropped -> Optional.of(dropped.reason());
            case FabricEvent.Disturbed disturbed -> Optional.of(disturbed.what());
            case FabricEvent.Corrupted corrupted -> Optional.of("bad ICRC: " + corrupted.what());
            case FabricEvent.Delivered delivered -> Optional.empty();
            case FabricEvent.Sent again -> Optional.empty();
            case FabricEvent.Forged other -> Optional.empty();
        };
    }

    /** Returns the port at an address, or the address if no packet was sent from or delivered to it. */
    public String port(PortAddress address) {
        return Optional.ofNullable(ports.get(address))
                .orElseGet(() -> silent.getOrDefault(address, address.toString()));
    }

    /**
     * Returns every port that sent packets, by name, so that a part of a run is drawn with the same order of ports as the
     * whole.
     */
    public SortedSet<String> ports() {
        return new TreeSet<>(ports.values());
    }
}
