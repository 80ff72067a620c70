// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.fabric.flow.TraceEvent;

/** A Perfetto trace as its field numbers say, without what wrote it. */
final class PerfettoReading {
    /** Fields by number, each as often as it stands there: numbers, or the bytes of texts and messages. */
    private record Message(Map<Integer, List<Object>> fields) {
        static Message of(byte[] bytes) throws IOException {
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            Map<Integer, List<Object>> fields = new LinkedHashMap<>();
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                Object value = switch (WireFormat.getTagWireType(tag)) {
                    case WireFormat.WIRETYPE_VARINT -> in.readUInt64();
                    case WireFormat.WIRETYPE_FIXED64 -> in.readFixed64();
                    case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.readByteArray();
                    default -> throw new IOException("wire type of tag " + tag);
                };
                fields.computeIfAbsent(WireFormat.getTagFieldNumber(tag), any -> new ArrayList<>())
                        .add(value);
            }
            return new Message(fields);
        }

        List<Object> all(int field) {
            return fields.getOrDefault(field, List.of());
        }

        long number(int field) {
            return all(field).isEmpty() ? 0 : (long) all(field).getFirst();
        }

        List<Long> numbers(int field) {
            return all(field).stream().map(Long.class::cast).toList();
        }

        String text(int field) {
            return all(field).isEmpty() ? "" : new String((byte[]) all(field).getFirst(), StandardCharsets.UTF_8);
        }

        List<Message> messages(int field) throws IOException {
            List<Message> messages = new ArrayList<>();
            for (Object each : all(field)) {
                messages.add(of((byte[]) each));
            }
            return messages;
        }
    }

    record Track(long uuid, long parent, String name, boolean counts) {}

    /** @param type 1 begins a slice, 2 ends one, 3 is an instant, 4 a count */
    record Event(
            long nanos,
            long type,
            long track,
            String category,
            String name,
            long count,
            List<Long> flows,
            List<Long> lastOf,
            Map<String, Object> annotations) {
        long id() {
            return (long) annotations.getOrDefault("event", 0L);
        }
    }

    /** @param end of one that was ended */
    record Slice(long track, Event begin, Optional<Event> end) {}

    final Map<Long, Track> tracks = new LinkedHashMap<>();
    final List<Event> events = new ArrayList<>();

    static PerfettoReading of(List<TraceEvent> run) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PerfettoTrace.write(run, bytes);
        PerfettoReading reading = new PerfettoReading();
        for (Message packet : Message.of(bytes.toByteArray()).messages(1)) {
            reading.take(packet);
        }
        return reading;
    }

    private void take(Message packet) throws IOException {
        for (Message track : packet.messages(60)) {
            Track read = new Track(
                    track.number(1),
                    track.number(5),
                    track.text(2),
                    !track.all(8).isEmpty());
            if (tracks.put(read.uuid(), read) != null) {
                throw new IOException("two tracks of uuid " + read.uuid());
            }
        }
        for (Message event : packet.messages(11)) {
            Map<String, Object> annotations = new HashMap<>();
            for (Message each : event.messages(4)) {
                annotations.put(each.text(10), each.all(6).isEmpty() ? (Object) each.number(3) : each.text(6));
            }
            if (!tracks.containsKey(event.number(11))) {
                throw new IOException("no track " + event.number(11) + " so far");
            }
            events.add(new Event(
                    packet.number(8),
                    event.number(9),
                    event.number(11),
                    event.text(22),
                    event.text(23),
                    event.number(30),
                    event.numbers(47),
                    event.numbers(48),
                    annotations));
        }
    }

    Stream<Event> instants() {
        return events.stream().filter(event -> event.type() == 3);
    }

    /** Each end closes what was begun last on its track: so a viewer reads them. */
    List<Slice> slices() throws IOException {
        Map<Long, List<Event>> open = new HashMap<>();
        List<Slice> slices = new ArrayList<>();
        for (Event event : events) {
            List<Event> begun = open.computeIfAbsent(event.track(), any -> new ArrayList<>());
            if (event.type() == 1) {
                begun.add(event);
            } else if (event.type() == 2) {
                if (begun.isEmpty()) {
                    throw new IOException("nothing to end at " + event.nanos());
                }
                slices.add(new Slice(event.track(), begun.removeLast(), Optional.of(event)));
            }
        }
        open.forEach((track, left) -> left.forEach(begin -> slices.add(new Slice(track, begin, Optional.empty()))));
        return slices;
    }

    /** {@code a/qp17/requests}. */
    String path(long track) {
        Track at = tracks.get(track);
        return at == null ? "" : at.parent() == 0 ? at.name() : path(at.parent()) + "/" + at.name();
    }
}
