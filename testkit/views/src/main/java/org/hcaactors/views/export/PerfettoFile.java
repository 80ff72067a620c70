// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.hcaactors.fabric.flow.Stamp;

/**
 * Writer of Perfetto TrackEvent packets. The field numbers are those of trace.proto, trace_packet.proto,
 * track_descriptor.proto, counter_descriptor.proto, track_event.proto and debug_annotation.proto.
 */
final class PerfettoFile {
    static final int PACKET = 1;

    static final int TIMESTAMP = 8;
    static final int SEQUENCE = 10;
    static final int TRACK_EVENT = 11;
    static final int TRACK_DESCRIPTOR = 60;

    static final int TRACK_UUID = 1;
    static final int TRACK_NAME = 2;
    static final int TRACK_PARENT = 5;
    static final int TRACK_COUNTER = 8;
    static final int TRACK_CHILD_ORDERING = 11;
    static final int TRACK_RANK = 12;

    static final int COUNTER_UNIT = 3;

    static final int EVENT_ANNOTATION = 4;
    static final int EVENT_TYPE = 9;
    static final int EVENT_TRACK = 11;
    static final int EVENT_CATEGORY = 22;
    static final int EVENT_NAME = 23;
    static final int EVENT_COUNTER = 30;
    static final int EVENT_FLOW = 47;
    static final int EVENT_LAST_OF_FLOW = 48;

    static final int ANNOTATION_UINT = 3;
    static final int ANNOTATION_TEXT = 6;
    static final int ANNOTATION_NAME = 10;

    /** Event types with their numbers. */
    enum Type {
        SLICE_BEGIN(1),
        SLICE_END(2),
        INSTANT(3),
        COUNTER(4);

        final int number;

        Type(int number) {
            this.number = number;
        }
    }

    private static final int UNIT_COUNT = 2;
    private static final int EXPLICIT = 3;

    /** The file has a single writer. */
    private static final int ONE_SEQUENCE = 1;

    private final CodedOutputStream out;
    private long tracks;

    PerfettoFile(OutputStream out) {
        this.out = CodedOutputStream.newInstance(out);
    }

    void finish() throws IOException {
        out.flush();
    }

    /** Writes a top-level track whose children are ordered by rank; returns its number. */
    long root(String name) throws IOException {
        return track(new ProtoMessage().text(TRACK_NAME, name).number(TRACK_CHILD_ORDERING, EXPLICIT));
    }

    /** Writes a child track; returns its number. */
    long child(long parent, String name, int rank) throws IOException {
        return track(below(parent, name, rank).number(TRACK_CHILD_ORDERING, EXPLICIT));
    }

    /** Writes a counter track; returns its number. */
    long counter(long parent, String name, int rank) throws IOException {
        return track(
                below(parent, name, rank).message(TRACK_COUNTER, new ProtoMessage().number(COUNTER_UNIT, UNIT_COUNT)));
    }

    private static ProtoMessage below(long parent, String name, int rank) {
        return new ProtoMessage()
                .text(TRACK_NAME, name)
                .number(TRACK_PARENT, parent)
                .number(TRACK_RANK, rank);
    }

    private long track(ProtoMessage description) throws IOException {
        tracks++;
        packet(new ProtoMessage().message(TRACK_DESCRIPTOR, description.number(TRACK_UUID, tracks)));
        return tracks;
    }

    static ProtoMessage event(Type type, long track) {
        return new ProtoMessage().number(EVENT_TYPE, type.number).number(EVENT_TRACK, track);
    }

    static ProtoMessage named(Type type, long track, String category, String name) {
        return event(type, track).text(EVENT_CATEGORY, category).text(EVENT_NAME, name);
    }

    /** Adds the ids of the event and of its causes. */
    static void stamp(ProtoMessage event, Stamp stamp) {
        annotate(event, "event", stamp.id());
        List<Long> causes = stamp.causes();
        for (int i = 0; i < causes.size(); i++) {
            annotate(event, i == 0 ? "because of" : "and of", causes.get(i));
        }
    }

    static void annotate(ProtoMessage event, String name, long value) {
        event.message(
                EVENT_ANNOTATION, new ProtoMessage().text(ANNOTATION_NAME, name).number(ANNOTATION_UINT, value));
    }

    static void annotate(ProtoMessage event, String name, String value) {
        event.message(
                EVENT_ANNOTATION, new ProtoMessage().text(ANNOTATION_NAME, name).text(ANNOTATION_TEXT, value));
    }

    void happens(long nanos, ProtoMessage event) throws IOException {
        packet(new ProtoMessage().number(TIMESTAMP, nanos).message(TRACK_EVENT, event));
    }

    void counts(long nanos, long track, long value) throws IOException {
        happens(nanos, event(Type.COUNTER, track).number(EVENT_COUNTER, value));
    }

    private void packet(ProtoMessage packet) throws IOException {
        out.writeByteArray(PACKET, packet.number(SEQUENCE, ONE_SEQUENCE).bytes());
    }
}
