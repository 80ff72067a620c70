// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.capture.PcapngWriter;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.wire.FrameEncoder;

/**
 * A capture of the packets for Wireshark: one interface per port, each packet once at its sender and once at its receiver, with
 * comments: the ids of its event and cause, what happened to it on the way, and which parts of its form are this model's own.
 */
public final class PacketCapture {
    /** Interface numbers of the capture by port. */
    private record Ports(PcapngWriter writer, Map<String, String> profiles, Map<String, Integer> numbers) {
        int number(String port) throws IOException {
            Integer known = numbers.get(port);
            if (known == null) {
                String profile = profiles.get(port);
                known = writer.addInterface(port, profile == null ? "" : PROFILE + profile);
                numbers.put(port, known);
            }
            return known;
        }
    }

    private PacketCapture() {}

    private static final String FORGED = "forged: no port sent it";

    private static final String PROFILE = "hca-actors profile ";

    /** Returns the adapter's profile from an interface description; empty if another tool wrote the description. */
    public static Optional<String> profile(String description) {
        return description.startsWith(PROFILE)
                ? Optional.of(description.substring(PROFILE.length()))
                : Optional.empty();
    }

    /** True if the comments of a frame say that a fault forged the packet. */
    public static boolean isForged(List<String> comments) {
        return comments.contains(FORGED);
    }

    public static void write(List<TraceEvent> events, OutputStream out) throws IOException {
        write(events, Map.of(), out);
    }

    /**
     * Writes a capture.
     *
     * @param profiles known profiles in one line each, by port name
     */
    public static void write(List<TraceEvent> events, Map<String, String> profiles, OutputStream out)
            throws IOException {
        PacketFates fates = new PacketFates(events);
        try (PcapngWriter writer = new PcapngWriter(out)) {
            Ports interfaces = new Ports(writer, profiles, new HashMap<>());
            for (TraceEvent event : events) {
                switch (event) {
                    case FabricEvent.Sent sent ->
                        packet(writer, interfaces, sent, Direction.OUTBOUND, comments(sent, fates));
                    case FabricEvent.Delivered delivered ->
                        packet(writer, interfaces, delivered, Direction.INBOUND, comments(delivered));
                    case FabricEvent.Dropped dropped -> {}
                    case FabricEvent.Disturbed disturbed -> {}
                    case FabricEvent.Forged forged ->
                        frame(
                                writer,
                                interfaces,
                                forged,
                                Direction.OUTBOUND,
                                forged.frame().toArray(),
                                List.of(comment(forged), forged.what(), FORGED));
                    case FabricEvent.Corrupted bad ->
                        frame(
                                writer,
                                interfaces,
                                bad,
                                Direction.INBOUND,
                                bad.frame().toArray(),
                                List.of(comment(bad), "bad ICRC: " + bad.what()));
                    case AdapterEvent inside -> {}
                }
            }
        }
    }

    private static List<String> comments(FabricEvent event) {
        List<String> comments = new ArrayList<>();
        comments.add(comment(event));
        OwnForms.of(event.packet()).ifPresent(comments::add);
        return comments;
    }

    private static List<String> comments(FabricEvent.Sent sent, PacketFates fates) {
        List<String> comments = comments(sent);
        for (FabricEvent event : fates.of(sent)) {
            switch (event) {
                case FabricEvent.Dropped dropped -> comments.add(dropped.reason());
                case FabricEvent.Disturbed disturbed -> comments.add(disturbed.what());
                case FabricEvent.Corrupted corrupted -> comments.add(corrupted.what());
                case FabricEvent.Delivered delivered -> {}
                case FabricEvent.Sent again -> {}
                case FabricEvent.Forged other -> {}
            }
        }
        return comments;
    }

    private static String comment(FabricEvent event) {
        long cause = event.stamp().cause();
        return "event " + event.stamp().id() + (cause == 0 ? "" : ", because of " + cause);
    }

    private static void packet(
            PcapngWriter writer, Ports interfaces, FabricEvent event, Direction direction, List<String> comments)
            throws IOException {
        frame(writer, interfaces, event, direction, FrameEncoder.encode(event.packet()), comments);
    }

    private static void frame(
            PcapngWriter writer,
            Ports interfaces,
            FabricEvent event,
            Direction direction,
            byte[] bytes,
            List<String> comments)
            throws IOException {
        writer.packet(interfaces.number(event.port()), event.stamp().nanos(), direction, bytes, comments);
    }
}
