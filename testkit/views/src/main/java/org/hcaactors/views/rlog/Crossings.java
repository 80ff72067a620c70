// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;

/** The packets that left the fabric of one recorded run and entered that of another, found by their contents. */
final class Crossings {
    /** The parts of a packet that are the same at both borders. A cable may set the bit that requests an acknowledgement. */
    private record Contents(
            PortAddress source, PortAddress destination, Bth bth, List<ExtendedHeader> extended, Octets payload) {
        static Contents of(FabricEvent event) {
            return of(
                    event instanceof FabricEvent.Corrupted corrupted
                            ? damaged(corrupted).orElse(corrupted.packet())
                            : event.packet());
        }

        /** The other run knows the frame only. */
        private static Optional<Packet> damaged(FabricEvent.Corrupted corrupted) {
            return FrameDecoder.decode(corrupted.frame().toArray(), LinkLayer.ETHERNET) instanceof Decoded.Frame whole
                    ? Optional.of(whole.frame().packet())
                    : Optional.empty();
        }

        private static Contents of(Packet packet) {
            return new Contents(
                    packet.route().source(),
                    packet.route().destination(),
                    packet.bth().withAckReq(false),
                    packet.extended(),
                    packet.payload());
        }
    }

    /** Packets with the same contents: usually one, several if it was sent again. */
    private record Alike(List<Crossing.Side> left, List<Crossing.Side> entered) {
        Alike() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private final Map<Contents, Alike> all = new LinkedHashMap<>();

    Crossings(List<List<TraceEvent>> runs) {
        for (int run = 0; run < runs.size(); run++) {
            for (TraceEvent event : runs.get(run)) {
                if (Crossing.leaves(event)) {
                    alike(event).left.add(new Crossing.Side(run, event));
                } else if (Crossing.enters(event)) {
                    alike(event).entered.add(new Crossing.Side(run, event));
                }
            }
        }
    }

    private Alike alike(TraceEvent event) {
        return all.computeIfAbsent(Contents.of((FabricEvent) event), absent -> new Alike());
    }

    /** Returns all in order: of packets that are alike, the first that entered is the first that left, and so on; none left later. */
    List<Crossing> inOrder() {
        return all.values().stream().flatMap(alike -> inOrder(alike).stream()).toList();
    }

    /**
     * Returns all by time: of packets that are alike, if some were lost, each that entered is the last one that had left by then.
     *
     * @param time of an event, on a clock that all runs share
     */
    List<Crossing> byTime(ToLongFunction<Crossing.Side> time) {
        // Where none was lost, their order tells which is which; clocks are known with an error only.
        return all.values().stream()
                .flatMap(alike ->
                        (alike.left.size() == alike.entered.size() ? inOrder(alike) : lastBefore(alike, time)).stream())
                .toList();
    }

    private static List<Crossing> inOrder(Alike alike) {
        List<Crossing.Side> free = new ArrayList<>(alike.left);
        List<Crossing> found = new ArrayList<>();
        for (Crossing.Side entered : alike.entered) {
            free.stream()
                    .filter(left -> left.run() != entered.run())
                    .findFirst()
                    .ifPresent(left -> {
                        free.remove(left);
                        found.add(new Crossing(left, entered));
                    });
        }
        return found;
    }

    private static List<Crossing> lastBefore(Alike alike, ToLongFunction<Crossing.Side> time) {
        List<Crossing.Side> free = new ArrayList<>(alike.left);
        List<Crossing> found = new ArrayList<>();
        for (Crossing.Side entered : alike.entered.reversed()) {
            free.reversed().stream()
                    .filter(left -> left.run() != entered.run() && time.applyAsLong(left) <= time.applyAsLong(entered))
                    .findFirst()
                    .ifPresent(left -> {
                        free.remove(left);
                        found.add(new Crossing(left, entered));
                    });
        }
        return found;
    }
}
