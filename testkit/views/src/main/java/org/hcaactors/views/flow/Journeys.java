// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.link.PacketInTransit;
import org.hcaactors.fabric.packet.Packet;

/** All packets of a trace with their fates, in the order of sending. */
public final class Journeys {
    private record SentBefore(String port, Element element, int psn) {}

    private final PacketFates fates;
    private final Set<SentBefore> before = new HashSet<>();

    private Journeys(List<TraceEvent> events) {
        fates = new PacketFates(events);
    }

    public static List<Journey> of(List<TraceEvent> events) {
        Journeys all = new Journeys(events);
        List<Journey> journeys = new ArrayList<>();
        for (TraceEvent event : events) {
            if (event instanceof FabricEvent.Sent sent) {
                journeys.add(all.journey(sent));
            }
        }
        return List.copyOf(journeys);
    }

    private Journey journey(FabricEvent.Sent sent) {
        Packet packet = sent.packet();
        boolean request =
                packet.opcode().transport().isAnswered() && !packet.operation().isResponse();
        boolean repeated = request && !before.add(new SentBefore(sent.port(), sent.element(), packet.psn()));
        String to = fates.port(packet.route().destination());
        PacketInTransit transit = new PacketInTransit(
                sent.port(), sent.element().number(), to, packet, sent.stamp().nanos());
        return new Journey(transit, repeated, fates.arrivals(sent), fates.disturbances(sent));
    }
}
