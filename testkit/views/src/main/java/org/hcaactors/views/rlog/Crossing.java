// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * A packet that left the fabric of one recorded run and entered that of another.
 *
 * @param left its arrival at the border
 * @param entered its sending by the other border
 */
record Crossing(Side left, Side entered) {
    /** The borders of fabrics: of a cable, and of a node of a cluster. */
    static final Set<String> BORDERS = Set.of("cable", "cluster");

    /**
     * An event of one of the runs.
     *
     * @param run position of the run
     */
    record Side(int run, TraceEvent event) {}

    /** The parts of a packet that are the same at both borders. A cable may set the bit that requests an acknowledgement. */
    private record Contents(
            PortAddress source, PortAddress destination, Bth bth, List<ExtendedHeader> extended, Octets payload) {
        static Contents of(Packet packet) {
            return new Contents(
                    packet.route().source(),
                    packet.route().destination(),
                    packet.bth().withAckReq(false),
                    packet.extended(),
                    packet.payload());
        }
    }

    /** Packets with the same contents: usually one, several if it was sent again. */
    private record Alike(List<Side> left, List<Side> entered) {
        Alike() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    static boolean leaves(TraceEvent event) {
        return event instanceof FabricEvent.Delivered delivered && BORDERS.contains(delivered.port());
    }

    static boolean enters(TraceEvent event) {
        return event instanceof FabricEvent.Sent sent && BORDERS.contains(sent.port());
    }

    /**
     * Finds the packets that crossed. Of packets that are alike, each that entered is the last one that had left by then.
     *
     * @param time of an event, on a clock that all runs share; if that is not known yet, a packet that entered is the first of those
     *     alike, so that it did not leave later
     */
    static List<Crossing> find(List<List<TraceEvent>> runs, ToLongFunction<Side> time, boolean timeIsKnown) {
        Map<Contents, Alike> all = new LinkedHashMap<>();
        for (int run = 0; run < runs.size(); run++) {
            for (TraceEvent event : runs.get(run)) {
                if (leaves(event)) {
                    of(event, all).left.add(new Side(run, event));
                } else if (enters(event)) {
                    of(event, all).entered.add(new Side(run, event));
                }
            }
        }
        List<Crossing> found = new ArrayList<>();
        for (Alike alike : all.values()) {
            // Where none was lost, their order tells which is which; clocks are known with an error only.
            boolean complete = alike.left.size() == alike.entered.size();
            found.addAll(timeIsKnown && !complete ? lastBefore(alike, time) : inOrder(alike));
        }
        return found;
    }

    private static Alike of(TraceEvent event, Map<Contents, Alike> all) {
        return all.computeIfAbsent(Contents.of(((FabricEvent) event).packet()), absent -> new Alike());
    }

    private static List<Crossing> inOrder(Alike alike) {
        List<Side> free = new ArrayList<>(alike.left);
        List<Crossing> found = new ArrayList<>();
        for (Side entered : alike.entered) {
            free.stream().filter(left -> left.run != entered.run).findFirst().ifPresent(left -> {
                free.remove(left);
                found.add(new Crossing(left, entered));
            });
        }
        return found;
    }

    private static List<Crossing> lastBefore(Alike alike, ToLongFunction<Side> time) {
        List<Side> free = new ArrayList<>(alike.left);
        List<Crossing> found = new ArrayList<>();
        for (Side entered : alike.entered.reversed()) {
            free.reversed().stream()
                    .filter(left -> left.run != entered.run && time.applyAsLong(left) <= time.applyAsLong(entered))
                    .findFirst()
                    .ifPresent(left -> {
                        free.remove(left);
                        found.add(new Crossing(left, entered));
                    });
        }
        return found;
    }
}
