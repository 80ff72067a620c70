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
 * Reads a capture frame by frame, in constant memory: what each holds, where it was seen, and whether it was seen before. A
 * capture on all interfaces of a host sees a packet between two of them twice, and a capture of ours does. Not safe for several threads.
 */
public final class DecodedFrames implements AutoCloseable {
    /** Packets that are remembered; of one that is seen again behind so many others, nobody notices that it is the same. */
    static final int MAX_REMEMBERED = 4096;

    /** Of a packet that was sent so often, older sendings are forgotten. */
    private static final int MAX_SENDINGS = 64;

    /** Interfaces that cooked frames name are told apart up to here; later ones are taken as the last. */
    private static final int MAX_PORTS = 4096;

    private static final int LONGEST_NAME = 64;

    /** What of a packet does not change on its way; the same once more has the same. */
    private record Likeness(
            PortAddress source,
            PortAddress destination,
            Bth bth,
            List<ExtendedHeader> extended,
            Octets payload,
            int icrc) {}

    private record Place(int port, Optional<Direction> direction) {}

    /** One packet that was sent, and where it was seen. */
    private record Crossing(int frame, List<Place> places) {}

    private record Sliced(int port, OptionalInt index) {}

    private final CaptureReader reader;
    private final Map<Sliced, Integer> ports = new LinkedHashMap<>();
    private final Map<Likeness, List<Crossing>> known = new LinkedHashMap<>() {
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

    /** The next frame; empty at the end; CaptureFormatException where the file is damaged. */
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

    /** A file may name its interfaces as it likes; a terminal should not be told to do things. */
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
            case Decoded.Cut(var cut) ->
                Optional.of(new Likeness(
                        cut.route().source(), cut.route().destination(), cut.bth(), cut.extended(), cut.payload(), 0));
            case Decoded.NotRoce other -> Optional.empty();
            case Decoded.Malformed bad -> Optional.empty();
        };
    }

    /** The latest of the same that was not yet seen there: of a packet that was sent twice, the first may have been lost. */
    private Optional<Crossing> before(Likeness like, int frame, Place place) {
        List<Crossing> same = known.computeIfAbsent(like, any -> new ArrayList<>(1));
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
