// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.Unwrapped;
import org.hcaactors.fabric.wire.Wrapping;

/**
 * Decoder of a capture, frame by frame, in constant memory: the contents of each frame, the interface that saw it, and whether
 * the same packet was seen before. A capture on all interfaces of a host contains a packet between two of them twice, and so do
 * captures of this project. Not thread-safe.
 */
public final class DecodedFrames implements AutoCloseable {
    /** Packets that are remembered. A second sight of a packet is not recognised after this many other packets. */
    static final int MAX_REMEMBERED = 4096;

    /** Transmissions of one packet that are remembered; older ones are forgotten. */
    private static final int MAX_SENDINGS = 64;

    /** Interfaces, including those that cooked frames name, that are distinguished; further ones are counted as the last. */
    private static final int MAX_PORTS = 4096;

    private static final int LONGEST_NAME = 64;

    /** The parts of a packet that do not change between hops; two sights of one packet have equal values. */
    private record Likeness(
            PortAddress source,
            PortAddress destination,
            Bth bth,
            List<ExtendedHeader> extended,
            Octets payload,
            int icrc) {}

    private record Place(int port, Optional<Direction> direction) {}

    /** One transmission of a packet, and the places that saw it. */
    private record Crossing(int frame, List<Place> places) {}

    private record Sliced(int port, OptionalInt index) {}

    private final CaptureReader reader;
    private final Map<Sliced, Integer> ports = new LinkedHashMap<>();
    private final Map<Likeness, List<Crossing>> crossings = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Likeness, List<Crossing>> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private long start;

    private DecodedFrames(CaptureReader reader) {
        this.reader = reader;
    }

    public static DecodedFrames open(Path file) throws IOException {
        return new DecodedFrames(CaptureReader.open(file));
    }

    public static DecodedFrames of(CaptureReader reader) {
        return new DecodedFrames(reader);
    }

    /**
     * Returns the next frame; empty at the end of the file.
     *
     * @throws CaptureFormatException if the file is damaged
     */
    public Optional<DecodedFrame> next() throws IOException {
        return reader.next().map(this::sighting);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private DecodedFrame sighting(CapturedFrame frame) {
        if (frame.number() == 1) {
            start = frame.timestampNanos();
        }
        Unwrapped read = Unwrapped.read(frame.bytes().toArray(), frame.originalLength(), frame.linkType());
        Optional<Wrapping.Cooked> cooked = read.wrappings().stream()
                .filter(Wrapping.Cooked.class::isInstance)
                .map(Wrapping.Cooked.class::cast)
                .findFirst();
        OptionalInt index = cooked.map(Wrapping.Cooked::index).orElse(OptionalInt.empty());
        int port = port(new Sliced(frame.port(), index));
        Optional<Direction> direction = frame.direction().or(() -> cooked.flatMap(DecodedFrames::direction));
        Place place = new Place(port, direction);
        Optional<Crossing> before = likeness(read.content()).flatMap(like -> before(like, frame.number(), place));
        String name = frame.source().name().map(DecodedFrames::printable).orElse("if" + frame.port());
        return new DecodedFrame(
                frame,
                frame.timestampNanos() - start,
                port,
                index.isPresent() ? name + "/" + index.getAsInt() : name,
                direction,
                read,
                before.isPresent() ? OptionalInt.of(before.get().frame) : OptionalInt.empty(),
                before.filter(crossing -> crossing.places.getFirst().port == port)
                        .isPresent());
    }

    private int port(Sliced sliced) {
        Integer number = ports.get(sliced);
        if (number == null) {
            number = Math.min(ports.size(), MAX_PORTS - 1);
            if (ports.size() < MAX_PORTS) {
                ports.put(sliced, number);
            }
        }
        return number;
    }

    /** Removes control characters: the name is from the file and may be printed to a terminal. */
    private static String printable(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_NAME)).replaceAll("[^\\p{Print}]", "?");
    }

    private static Optional<Direction> direction(Wrapping.Cooked cooked) {
        return switch (cooked.type()) {
            case TO_US, BROADCAST, MULTICAST -> Optional.of(Direction.INBOUND);
            case FROM_US -> Optional.of(Direction.OUTBOUND);
            case TO_ANOTHER, UNKNOWN -> Optional.empty();
        };
    }

    private static Optional<Likeness> likeness(Decoded content) {
        return switch (content) {
            case Decoded.Frame(var frame) -> {
                Route route = frame.packet().route();
                yield Optional.of(new Likeness(
                        route.source(),
                        route.destination(),
                        frame.packet().bth(),
                        frame.packet().extended(),
                        frame.packet().payload(),
                        frame.icrc()));
            }
            case Decoded.Truncated(var cut) ->
                Optional.of(new Likeness(
                        cut.route().source(), cut.route().destination(), cut.bth(), cut.extended(), cut.payload(), 0));
            case Decoded.NotRoce other -> Optional.empty();
            case Decoded.Malformed bad -> Optional.empty();
        };
    }

    /**
     * Returns the latest transmission of the packet that this place has not seen yet. The latest, because the first
     * transmission of a retransmitted packet may have been lost.
     */
    private Optional<Crossing> before(Likeness like, int frame, Place place) {
        List<Crossing> same = crossings.computeIfAbsent(like, any -> new ArrayList<>(1));
        for (Crossing crossing : same.reversed()) {
            if (!crossing.places.contains(place)) {
                crossing.places.add(place);
                return Optional.of(crossing);
            }
        }
        if (same.size() == MAX_SENDINGS) {
            same.removeFirst();
        }
        same.add(new Crossing(frame, new ArrayList<>(List.of(place))));
        return Optional.empty();
    }
}
