// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.PacketFates;

/** Paths of packets: one for each end of a packet, and one for a packet that is in flight at the end of the trace. */
final class PacketPaths {
    /** End of a path. */
    enum End {
        DELIVERED,
        DROPPED,
        CORRUPTED,
        /** The trace ended first. */
        UNDER_WAY
    }

    /** A packet of a request, whose cause is the posting. A CONNECT has the PSN before that of the first packet behind it. */
    private record OfRequest(long posting, Operation operation, int psn) {}

    private final Lineage lineage;
    private final PacketFates fates;
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

    PacketPaths(Lineage lineage, PacketFates fates, Lanes lanes, EventColumns columns) {
        this.lineage = lineage;
        this.fates = fates;
        this.lanes = lanes;
        this.columns = columns;
    }

    ObjectNode toJson() {
        for (TraceEvent event : columns.shown()) {
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
        int ends = to.size();
        for (FabricEvent fate : lineage.fates(entry)) {
            switch (fate) {
                case FabricEvent.Delivered arrived -> add(entry, lanes.of(arrived), fate, End.DELIVERED, sendings);
                case FabricEvent.Corrupted bad -> add(entry, lanes.of(bad), fate, End.CORRUPTED, sendings);
                case FabricEvent.Dropped lost -> add(entry, destination(entry, port), fate, End.DROPPED, sendings);
                case FabricEvent.Disturbed disturbed -> {}
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
        if (to.size() == ends) {
            add(entry, destination(entry, port), entry, End.UNDER_WAY, sendings);
        }
    }

    private int destination(FabricEvent entry, String port) {
        return lanes.ofDestination(port, entry.packet().bth().destQp());
    }

    private void add(FabricEvent entry, int toLane, FabricEvent fate, End how, int sendings) {
        from.add(columns.place(entry.stamp().id()));
        lane.add(toLane);
        to.add(how == End.UNDER_WAY ? 0 : columns.place(fate.stamp().id()));
        end.add(how.ordinal());
        again.add(sendings);
        // A packet that its destination port drops has travelled the whole path.
        near.add(!fate.port().equals(entry.port()) ? 1 : 0);
    }

    /** Returns how often this packet of its request was sent before. */
    private int sendings(FabricEvent entry) {
        Packet packet = entry.packet();
        boolean counts = entry instanceof FabricEvent.Sent
                && packet.opcode().transport().isAnswered()
                && !packet.operation().isResponse();
        if (!counts) {
            return 0;
        }
        int before =
                sent.merge(new OfRequest(entry.stamp().cause(), packet.operation(), packet.psn()), 1, Integer::sum) - 1;
        // A READ that is resumed in the middle has a new PSN, but is a retransmission.
        return Math.max(before, entry.stamp().otherCause() != 0 ? 1 : 0);
    }
}
