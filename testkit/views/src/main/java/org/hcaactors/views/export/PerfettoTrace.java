// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.flow.Lineage;
import org.hcaactors.views.flow.TestkitEvent;
import org.hcaactors.views.flow.Wording;
import org.hcaactors.views.rlog.EventType;

/**
 * A run as a Perfetto trace: adapters and their parts as tracks, requests as slices from posting to completion, all other
 * events as instants, counters of requests and of completion queue entries, and an arrow from each packet's sending to each of
 * its arrivals. Arrows connect instants, as an arrow of a slice would start at its end. Times are nanoseconds of the network's
 * clock; each event has its id, those of its causes, and its text.
 */
public final class PerfettoTrace {
    /** The queue pair number of datagrams to a multicast group. */
    private static final int GROUP = 0xFF_FFFF;

    private static final Element PORT = new Element(Element.Kind.PORT, 0);

    private record Queue(String port, String name) {}

    private final PerfettoFile file;
    private final AdapterTracks tracks;
    private final RequestSlices requests;
    private final Lineage lineage;
    private final Set<Long> underWay = new HashSet<>();
    private final Map<Queue, Long> entries = new HashMap<>();
    private final Map<Queue, Long> entryTracks = new HashMap<>();

    private PerfettoTrace(List<TraceEvent> events, OutputStream out) {
        file = new PerfettoFile(out);
        tracks = new AdapterTracks(file);
        requests = new RequestSlices(file, tracks);
        lineage = Lineage.of(events);
    }

    /**
     * Writes the trace; leaves the stream open.
     *
     * @param events events of a whole run, or of a part; a request that was posted before the part has no slice
     */
    public static void write(List<TraceEvent> events, OutputStream out) throws IOException {
        new PerfettoTrace(events, out).all();
    }

    /**
     * On a real clock, events may be recorded out of order, and some may precede the clock's origin; in a world neither
     * happens.
     */
    private void all() throws IOException {
        List<TraceEvent> inOrder = lineage.events().stream()
                .sorted(Comparator.comparingLong(event -> event.stamp().id()))
                .toList();
        long origin =
                inOrder.stream().mapToLong(event -> event.stamp().nanos()).min().orElse(0);
        long nanos = 0;
        for (TraceEvent event : inOrder) {
            nanos = Math.max(nanos, event.stamp().nanos() - Math.min(origin, 0));
            switch (event) {
                case FabricEvent packet -> packet(nanos, packet);
                case AdapterEvent inside -> inside(nanos, inside);
            }
        }
        file.finish();
    }

    private void packet(long nanos, FabricEvent event) throws IOException {
        String words = Wording.of(event.packet());
        String operation = event.packet().operation().name();
        Element port = PORT;
        switch (event) {
            case FabricEvent.Sent sent -> instant(nanos, sent, sent.element(), "sends " + operation, "sends " + words);
            case FabricEvent.Delivered delivered ->
                instant(nanos, delivered, receiver(delivered), "gets " + operation, "gets " + words);
            case FabricEvent.Dropped lost ->
                instant(nanos, lost, port, "loses " + operation, words + ": " + lost.reason());
            case FabricEvent.Corrupted bad ->
                instant(nanos, bad, port, "discards " + operation, words + ", bad ICRC: " + bad.what());
            case FabricEvent.Disturbed odd ->
                instant(nanos, odd, port, "disturbed " + operation, words + ": " + odd.what());
            case FabricEvent.Forged forged ->
                instant(nanos, forged, port, "forged " + operation, words + ": " + forged.what());
        }
    }

    private static Element receiver(FabricEvent.Delivered delivered) {
        int qp = delivered.packet().bth().destQp();
        return qp == GROUP ? PORT : Element.queuePair(qp);
    }

    private void instant(long nanos, FabricEvent event, Element part, String name, String words) throws IOException {
        ProtoMessage message =
                PerfettoFile.named(PerfettoFile.Type.INSTANT, tracks.of(event.port(), part), "packet", name);
        PerfettoFile.stamp(message, event.stamp());
        PerfettoFile.annotate(message, "wording", words);
        if (Lineage.isEntry(event)) {
            for (FabricEvent fate : lineage.fates(event)) {
                if (fate instanceof FabricEvent.Delivered arrival
                        && underWay.add(arrival.stamp().id())) {
                    message.fixed(PerfettoFile.EVENT_FLOW, arrival.stamp().id());
                }
            }
        } else if (underWay.remove(event.stamp().id())) {
            message.fixed(PerfettoFile.EVENT_LAST_OF_FLOW, event.stamp().id());
        }
        file.happens(nanos, message);
    }

    private void inside(long nanos, AdapterEvent event) throws IOException {
        switch (event) {
            case HcaEvent.WorkPosted posted -> requests.posted(nanos, posted);
            case HcaEvent.Completed done -> {
                instant(nanos, done, done.element().toString());
                requests.completed(nanos, done);
            }
            case HcaEvent.RequestDropped dropped -> {
                instant(nanos, dropped, dropped.element().toString());
                requests.dropped(nanos, dropped);
            }
            case HcaEvent.Fetched fetched -> fetch(nanos, fetched, "fetched");
            case HcaEvent.FetchFailed failed -> fetch(nanos, failed, "not fetched");
            case HcaEvent.EntryWritten written -> entries(nanos, written, 1);
            case HcaEvent.EntriesTaken taken -> entries(nanos, taken, -taken.entries());
            case HcaEvent.EntriesReturned back -> entries(nanos, back, back.entries());
            case HcaEvent other -> instant(nanos, other, other.element().toString());
            case TestkitEvent bench -> instant(nanos, bench, bench.element());
            default -> instant(nanos, event, PORT.toString());
        }
    }

    private void fetch(long nanos, HcaEvent event, String how) throws IOException {
        instant(nanos, event, event.element().toString());
        // A fetch that never began has the peer's posting as its cause.
        Optional<HcaEvent.WorkPosted> posting = lineage.posting(event)
                .filter(posted ->
                        posted.port().equals(event.port()) && posted.element().equals(event.element()));
        if (posting.isPresent()) {
            requests.fetched(nanos, posting.get(), event, how);
        }
    }

    /** Counts entries; in a part of a run, the count starts with the first event of the part. */
    private void entries(long nanos, HcaEvent event, int more) throws IOException {
        instant(nanos, event, event.element().toString());
        Queue queue = new Queue(event.port(), event.element().toString());
        Long track = entryTracks.get(queue);
        if (track == null) {
            track = file.counter(tracks.of(queue.port(), queue.name()), "entries", 0);
            entryTracks.put(queue, track);
        }
        file.counts(
                nanos, track, entries.merge(queue, Math.max(0L, more), (before, any) -> Math.max(0, before + more)));
    }

    private void instant(long nanos, AdapterEvent event, String part) throws IOException {
        String[] type =
                EventType.of(event).map(EventType::text).orElse("other:event").split(":", 2);
        String name = type[1].replace('_', ' ');
        ProtoMessage message =
                PerfettoFile.named(PerfettoFile.Type.INSTANT, tracks.of(event.port(), part), type[0], name);
        PerfettoFile.stamp(message, event.stamp());
        PerfettoFile.annotate(
                message,
                "wording",
                Wording.inside(event).or(() -> Wording.detail(event)).orElse(part + ": " + name));
        file.happens(nanos, message);
    }
}
