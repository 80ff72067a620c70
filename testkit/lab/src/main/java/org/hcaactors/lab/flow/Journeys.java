// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.Transit;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Every packet of a trace with what became of it, in the order of sending. */
public final class Journeys {
    private record SentBefore(String port, int qp, int psn) {}

    private final Fates fates;
    /** The queue pair behind an event: that of a posting, or the one that got the packet. */
    private final Map<Long, Integer> queuePairs = new LinkedHashMap<>();

    private final Set<SentBefore> before = new HashSet<>();

    private Journeys(List<TraceEvent> events) {
        fates = new Fates(events);
    }

    public static List<Journey> of(List<TraceEvent> events) {
        Journeys all = new Journeys(events);
        List<Journey> journeys = new ArrayList<>();
        for (TraceEvent event : events) {
            switch (event) {
                case HcaEvent.WorkPosted posted ->
                    all.queuePairs.put(posted.stamp().id(), posted.qp());
                case FabricEvent.Delivered delivered ->
                    all.queuePairs.put(
                            delivered.stamp().id(), delivered.packet().bth().destQp());
                case FabricEvent.Sent sent -> journeys.add(all.journey(sent));
                default -> {}
            }
        }
        return List.copyOf(journeys);
    }

    private Journey journey(FabricEvent.Sent sent) {
        Packet packet = sent.packet();
        int from = packet.opcode().transport() == TransportClass.UD
                ? packet.deth().sourceQp()
                : queuePairs.getOrDefault(sent.stamp().cause(), 0);
        boolean request = packet.opcode().transport() == TransportClass.RC
                && !packet.operation().isResponse();
        boolean repeated = request && !before.add(new SentBefore(sent.port(), from, packet.psn()));
        List<Long> arrivals = new ArrayList<>();
        List<String> mishaps = new ArrayList<>();
        for (FabricEvent fate : fates.of(sent)) {
            switch (fate) {
                case FabricEvent.Delivered delivered ->
                    arrivals.add(delivered.stamp().nanos());
                case FabricEvent.Dropped dropped -> mishaps.add(dropped.reason());
                case FabricEvent.Disturbed disturbed -> mishaps.add(disturbed.what());
                case FabricEvent.Corrupted corrupted -> mishaps.add("bad ICRC: " + corrupted.what());
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
        String to = fates.port(packet.route().destination());
        Transit transit =
                new Transit(sent.port(), from, to, packet, sent.stamp().nanos());
        return new Journey(transit, repeated, List.copyOf(arrivals), List.copyOf(mishaps));
    }
}
