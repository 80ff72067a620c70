package org.hcaactors.lab.flow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.PortAddress;

/** What became of each packet that was sent: the events that follow from its sending. */
final class Fates {
    private final Map<Long, List<FabricEvent>> bySending = new LinkedHashMap<>();
    private final Map<Long, Long> sendingOf = new LinkedHashMap<>();
    private final Map<PortAddress, String> ports = new LinkedHashMap<>();

    Fates(List<TraceEvent> events) {
        for (TraceEvent event : events) {
            if (event instanceof FabricEvent fabric) {
                note(fabric);
            }
        }
    }

    private void note(FabricEvent event) {
        long id = event.stamp().id();
        switch (event) {
            case FabricEvent.Sent sent -> {
                bySending.put(id, new ArrayList<>());
                sendingOf.put(id, id);
                ports.put(sent.packet().route().source(), sent.port());
            }
            case FabricEvent.Delivered delivered -> follow(id, delivered);
            case FabricEvent.Dropped dropped -> follow(id, dropped);
            case FabricEvent.Disturbed disturbed -> follow(id, disturbed);
            case FabricEvent.Corrupted corrupted -> follow(id, corrupted);
        }
    }

    private void follow(long id, FabricEvent event) {
        Long sending = sendingOf.get(event.stamp().cause());
        if (sending != null) {
            sendingOf.put(id, sending);
            bySending.getOrDefault(sending, new ArrayList<>()).add(event);
        }
    }

    List<FabricEvent> of(FabricEvent.Sent sent) {
        return bySending.getOrDefault(sent.stamp().id(), List.of());
    }

    /** Name of the port at an address, or the address if nothing was ever sent from there. */
    String port(PortAddress address) {
        return ports.getOrDefault(address, address.toString());
    }

    /** Every port that sent anything, in order of its first packet. */
    List<String> ports() {
        return List.copyOf(ports.values());
    }
}
