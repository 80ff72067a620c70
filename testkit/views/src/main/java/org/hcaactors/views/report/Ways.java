// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.Fates;
import org.hcaactors.views.flow.Lineage;

/** The way of each packet: one for each end that it came to, and one for a packet that is still under way. */
final class Ways {
    /** How a way ends. */
    enum End {
        DELIVERED,
        DROPPED,
        CORRUPTED,
        /** When the trace ends. */
        UNDER_WAY
    }

    /** A packet of one request: its cause is the posting. */
    private record OfRequest(long posting, int psn) {}

    private final Lineage lineage;
    private final Lanes lanes;
    private final EventColumns columns;
    private final Map<OfRequest, Integer> sent = new HashMap<>();
    private final ObjectNode all = JsonNodeFactory.instance.objectNode();
    private final ArrayNode from = all.putArray("from");
    private final ArrayNode lane = all.putArray("lane");
    private final ArrayNode to = all.putArray("to");
    private final ArrayNode end = all.putArray("end");
    private final ArrayNode again = all.putArray("again");
    private final ArrayNode near = all.putArray("near");

    Ways(Lineage lineage, Lanes lanes, EventColumns columns) {
        this.lineage = lineage;
        this.lanes = lanes;
        this.columns = columns;
    }

    ObjectNode toJson() {
        Fates fates = new Fates(lineage.events());
        for (TraceEvent event : lineage.events()) {
            if (event instanceof FabricEvent entry && Lineage.isEntry(event)) {
                way(entry, fates.port(entry.packet().route().destination()));
            }
        }
        ArrayNode ends = all.putArray("ends");
        for (End each : End.values()) {
            ends.add(each.name().toLowerCase(Locale.ROOT));
        }
        return all;
    }

    private void way(FabricEvent entry, String port) {
        int sendings = sendings(entry);
        List<FabricEvent> fates = lineage.fates(entry);
        boolean ended = false;
        for (FabricEvent fate : fates) {
            switch (fate) {
                case FabricEvent.Delivered arrived -> ended = add(entry, lanes.of(arrived), fate, End.DELIVERED, sendings);
                case FabricEvent.Corrupted bad -> ended = add(entry, lanes.of(bad), fate, End.CORRUPTED, sendings);
                case FabricEvent.Dropped lost -> ended = add(entry, destination(entry, port), fate, End.DROPPED, sendings);
                case FabricEvent.Disturbed disturbed -> {}
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
        if (!ended) {
            add(entry, destination(entry, port), entry, End.UNDER_WAY, sendings);
        }
    }

    private int destination(FabricEvent entry, String port) {
        return lanes.ofDestination(port, entry.packet().bth().destQp());
    }

    private boolean add(FabricEvent entry, int toLane, FabricEvent fate, End how, int sendings) {
        from.add(columns.place(entry.stamp().id()));
        lane.add(toLane);
        to.add(how == End.UNDER_WAY ? 0 : columns.place(fate.stamp().id()));
        end.add(how.ordinal());
        again.add(sendings);
        // Where a packet is dropped by the port that it came to, it had come all the way.
        near.add(!fate.port().equals(entry.port()) ? 1 : 0);
        return true;
    }

    /** How often this packet of its request was sent before. */
    private int sendings(FabricEvent entry) {
        Packet packet = entry.packet();
        boolean counts = entry instanceof FabricEvent.Sent
                && packet.opcode().transport().isAnswered()
                && !packet.operation().isResponse();
        return counts
                ? sent.merge(new OfRequest(entry.stamp().cause(), packet.psn()), 1, Integer::sum) - 1
                : 0;
    }
}
