// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.rlog.Rlog;

/**
 * A capture in the form of a recorded run, so that it can be drawn: ports are named by their addresses, events numbered by
 * their frames.
 *
 * @param run the packets, each sent when it was first captured
 * @param notes notes for the reader, one per line
 */
public record CapturedRun(Rlog run, List<String> notes) {
    private record Way(PortAddress from, PortAddress to) {
        static Way of(ObservedPacket packet) {
            return new Way(packet.route().source(), packet.route().destination());
        }
    }

    /** The sender is unknown: packets of most transports do not name it. */
    private static final Element SENDER = new Element(Element.Kind.PORT, 0);

    /**
     * Reads a capture.
     *
     * @throws IOException if the file cannot be read or is not a capture
     */
    public static CapturedRun read(Path file) throws IOException {
        ObservedPackets observed = ObservedPackets.read(file);
        List<TraceEvent> events = events(observed.packets());
        List<String> notes = new ArrayList<>(observed.notes());
        notes.add(
                "an arrow is a packet that passed the point of capture; a capture does not show what hosts and adapters did with it");
        Rlog.Trailer trailer = new Rlog.Trailer(events.size(), 0);
        Rlog run = new Rlog(Rlog.Header.of("capture " + file.getFileName()), events, 0, Optional.of(trailer));
        return new CapturedRun(run, notes);
    }

    private static List<TraceEvent> events(List<ObservedPacket> packets) {
        Set<Way> seenTwice = new HashSet<>();
        long last = 0;
        for (ObservedPacket packet : packets) {
            last = Math.max(last, packet.frame());
            for (DecodedFrame again : packet.repeats()) {
                last = Math.max(last, again.number());
                seenTwice.add(Way.of(packet));
            }
        }
        List<TraceEvent> events = new ArrayList<>();
        for (ObservedPacket packet : packets) {
            last++;
            events.addAll(events(packet, last, seenTwice.contains(Way.of(packet))));
        }
        events.sort(
                (one, other) -> Long.compare(one.stamp().nanos(), other.stamp().nanos()));
        return events;
    }

    /**
     * @param free id for an event without a frame
     * @param isSeenTwice true if packets of this path are captured at the receiver, too
     */
    private static List<TraceEvent> events(ObservedPacket observed, long free, boolean isSeenTwice) {
        String from = observed.route().source().toString();
        String to = observed.route().destination().toString();
        Stamp stamp = new Stamp(observed.frame(), Math.max(0, observed.nanos()), 0, 0);
        if (observed.packet().isEmpty()) {
            String what = observed.wording() + " to " + to + ", truncated: lacks " + observed.missing();
            return List.of(new TestkitEvent(stamp, from, "port", what));
        }
        Packet packet = observed.packet().get();
        List<TraceEvent> events = new ArrayList<>(2);
        events.add(new FabricEvent.Sent(stamp, from, SENDER, packet));
        Stamp arrival = new Stamp(free, stamp.nanos(), stamp.id(), 0);
        if (observed.hasBadIcrc()) {
            events.add(new FabricEvent.Dropped(arrival, to, packet, "wrong ICRC"));
        } else if (isSeenTwice && observed.repeats().isEmpty()) {
            events.add(new FabricEvent.Dropped(arrival, to, packet, "not captured again where it should arrive"));
        } else if (observed.repeats().isEmpty()) {
            events.add(new FabricEvent.Delivered(arrival, to, packet));
        }
        for (DecodedFrame again : observed.repeats()) {
            long nanos = Math.max(stamp.nanos(), again.sinceFirst());
            events.add(new FabricEvent.Delivered(new Stamp(again.number(), nanos, stamp.id(), 0), to, packet));
        }
        return events;
    }
}
