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

/** What became of each packet that was sent, and which port stands behind which address. */
public final class PacketFates {
    private final Lineage packets;
    private final Map<PortAddress, String> ports = new LinkedHashMap<>();
    /** Of ports that only get something. */
    private final Map<PortAddress, String> silent = new LinkedHashMap<>();

    /** @param events a whole run, or a part of it that has what became of its packets */
    public PacketFates(List<TraceEvent> events) {
        this(Lineage.of(events.stream().filter(FabricEvent.class::isInstance).toList()));
    }

    /** By what is known already. */
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

    /** What happened to a packet since it came in, oldest first. */
    public List<FabricEvent> of(FabricEvent entry) {
        return packets.fates(entry);
    }

    /** When it reached its queue pair: never, once, or more often. */
    public List<Long> arrivals(FabricEvent entry) {
        return of(entry).stream()
                .filter(FabricEvent.Delivered.class::isInstance)
                .map(arrival -> arrival.stamp().nanos())
                .toList();
    }

    /** What happened to it on the way. */
    public List<String> mishaps(FabricEvent entry) {
        return of(entry).stream().flatMap(fate -> mishap(fate).stream()).toList();
    }

    private static Optional<String> mishap(FabricEvent fate) {
        return switch (fate) {
            case FabricEvent.Dropped dropped -> Optional.of(dropped.reason());
            case FabricEvent.Disturbed disturbed -> Optional.of(disturbed.what());
            case FabricEvent.Corrupted corrupted -> Optional.of("bad ICRC: " + corrupted.what());
            case FabricEvent.Delivered delivered -> Optional.empty();
            case FabricEvent.Sent again -> Optional.empty();
            case FabricEvent.Forged other -> Optional.empty();
        };
    }

    /** Name of the port at an address, or the address if nothing was ever sent from there, nor came there. */
    public String port(PortAddress address) {
        return Optional.ofNullable(ports.get(address))
                .orElseGet(() -> silent.getOrDefault(address, address.toString()));
    }

    /** Every port that sent anything, by name: so a part of a run is drawn with its ports where the whole has them. */
    public SortedSet<String> ports() {
        return new TreeSet<>(ports.values());
    }
}
