// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Wording;

/**
 * Requests as slices, from posting to completion. Slices of one track must be nested, but requests overlap arbitrarily. Each
 * queue pair therefore has as many tracks as it has concurrent requests, all of the same name, which the viewer shows as one. A
 * counter shows the requests that are not done.
 */
final class RequestSlices {
    private static final String CATEGORY = "request";

    private record QueuePair(String port, String name) {}

    /** @param lane index of its track within the queue pair */
    private record Open(HcaEvent.WorkPosted posted, QueuePair of, int lane) {}

    /** Tracks of a queue pair. */
    private static final class Lanes {
        final long depth;
        final List<Long> tracks = new ArrayList<>();
        final PriorityQueue<Integer> free = new PriorityQueue<>();
        final TreeMap<Long, Open> silent = new TreeMap<>();
        int open;

        Lanes(long depth) {
            this.depth = depth;
        }
    }

    private final PerfettoFile file;
    private final AdapterTracks tracks;
    private final Map<QueuePair, Lanes> queuePairs = new HashMap<>();
    private final Map<Long, Open> open = new HashMap<>();

    RequestSlices(PerfettoFile file, AdapterTracks tracks) {
        this.file = file;
        this.tracks = tracks;
    }

    void posted(long nanos, HcaEvent.WorkPosted posted) throws IOException {
        QueuePair of = new QueuePair(posted.port(), posted.element().toString());
        Lanes lanes = lanes(of);
        if (lanes.free.isEmpty()) {
            lanes.free.add(lanes.tracks.size());
            lanes.tracks.add(file.child(tracks.of(of.port(), of.name()), "requests", 0));
        }
        Open begun = new Open(posted, of, lanes.free.remove());
        lanes.open++;
        if (!posted.signaled()) {
            lanes.silent.put(posted.stamp().id(), begun);
        }
        open.put(posted.stamp().id(), begun);
        ProtoMessage begin = PerfettoFile.named(
                PerfettoFile.Type.SLICE_BEGIN, lanes.tracks.get(begun.lane()), CATEGORY, Wording.of(posted.work()));
        PerfettoFile.stamp(begin, posted.stamp());
        PerfettoFile.annotate(begin, "request", posted.work().id());
        Wording.inside(posted).ifPresent(text -> PerfettoFile.annotate(begin, "wording", text));
        file.happens(nanos, begin);
        file.counts(nanos, lanes.depth, lanes.open);
    }

    /** Ends a request; ignored for a receive, and for a request that was posted before the trace begins. */
    void completed(long nanos, HcaEvent.Completed done) throws IOException {
        Open ended = open.get(done.stamp().otherCause());
        if (ended != null) {
            endUnsignaled(nanos, ended, done);
            end(nanos, ended, done, done.completion().status().name());
        }
    }

    void dropped(long nanos, HcaEvent.RequestDropped dropped) throws IOException {
        Open ended = open.get(dropped.stamp().cause());
        if (ended != null) {
            end(nanos, ended, dropped, "dropped");
        }
    }

    // rule rendezvous-read
    /** Ends a request that the adapter posted by itself, which has no completion. */
    void fetched(long nanos, HcaEvent.WorkPosted posted, TraceEvent by, String how) throws IOException {
        Open ended = open.get(posted.stamp().id());
        if (ended != null) {
            end(nanos, ended, by, how);
        }
    }

    // rule completion-unsignaled
    /** Ends unsignaled requests, which are known to be done when a later request of their queue pair is. */
    private void endUnsignaled(long nanos, Open next, TraceEvent by) throws IOException {
        List<Open> before = List.copyOf(
                lanes(next.of()).silent.headMap(next.posted().stamp().id()).values());
        for (Open earlier : before) {
            end(nanos, earlier, by, "done by then, unsignaled");
        }
    }

    private void end(long nanos, Open ended, TraceEvent by, String how) throws IOException {
        Lanes lanes = lanes(ended.of());
        long id = ended.posted().stamp().id();
        open.remove(id);
        lanes.silent.remove(id);
        lanes.open--;
        lanes.free.add(ended.lane());
        ProtoMessage end = PerfettoFile.event(PerfettoFile.Type.SLICE_END, lanes.tracks.get(ended.lane()));
        PerfettoFile.annotate(end, "ends", how);
        PerfettoFile.annotate(end, "ended by", by.stamp().id());
        file.happens(nanos, end);
        file.counts(nanos, lanes.depth, lanes.open);
    }

    private Lanes lanes(QueuePair of) throws IOException {
        Lanes known = queuePairs.get(of);
        if (known == null) {
            known = new Lanes(file.counter(tracks.of(of.port(), of.name()), "outstanding requests", 1));
            queuePairs.put(of, known);
        }
        return known;
    }
}
