// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.export;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.views.export.PerfettoReading.Event;
import org.hcaactors.views.export.PerfettoReading.Slice;
import org.junit.jupiter.api.Test;

/** Tracks and slices that Perfetto reads. */
class PerfettoTraceTest {
    private static final Element QP = Element.queuePair(17);
    private static final Element CQ = Element.completionQueue(1);

    /** Events of one queue pair, a microsecond apart. */
    private static final class HandMade {
        final List<TraceEvent> events = new ArrayList<>();

        private Stamp next(long cause, long otherCause) {
            long id = events.size() + 1L;
            return new Stamp(id, id * 1000, cause, otherCause);
        }

        long post(long workId, boolean signaled) {
            Send send = Send.of(workId, new LocalSlice(1, 0, 8));
            events.add(new HcaEvent.WorkPosted(next(0, 0), "a", QP, send, signaled));
            return events.size();
        }

        long complete(long posting, long workId) {
            WorkCompletion done =
                    WorkCompletion.of(workId, Status.SUCCESS, CompletionKind.SEND, 17, 0, OptionalInt.empty());
            events.add(new HcaEvent.Completed(next(posting, posting), "a", CQ, done));
            return events.size();
        }
    }

    private static <E extends TraceEvent> List<E> of(List<TraceEvent> run, Class<E> kind) {
        return run.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Test
    void everyCompletedRequestIsASliceFromItsPostingToItsCompletion() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        Map<Long, HcaEvent.WorkPosted> postings = of(run, HcaEvent.WorkPosted.class).stream()
                .collect(Collectors.toMap(posted -> posted.stamp().id(), posted -> posted));
        List<HcaEvent.Completed> completed = of(run, HcaEvent.Completed.class).stream()
                .filter(done -> postings.containsKey(done.stamp().otherCause()))
                .toList();
        PerfettoReading read = PerfettoReading.of(run);
        List<Slice> slices = read.slices();
        assertThat(completed).hasSizeGreaterThan(8);
        assertThat(slices).hasSize(postings.size());
        assertThat(slices).filteredOn(slice -> slice.end().isPresent()).hasSize(completed.size());
        for (HcaEvent.Completed done : completed) {
            HcaEvent.WorkPosted posted =
                    requireNonNull(postings.get(done.stamp().otherCause()));
            assertThat(slices)
                    .filteredOn(slice -> slice.begin().id() == posted.stamp().id())
                    .singleElement()
                    .satisfies(slice -> {
                        assertThat(read.path(slice.track()))
                                .isEqualTo(posted.port() + "/" + posted.element() + "/requests");
                        assertThat(slice.begin().nanos())
                                .isEqualTo(posted.stamp().nanos());
                        assertThat(slice.end().orElseThrow().nanos())
                                .isEqualTo(done.stamp().nanos());
                        assertThat(slice.end().orElseThrow().annotations())
                                .containsEntry("ended by", done.stamp().id())
                                .containsEntry(
                                        "ends", done.completion().status().name());
                    });
        }
    }

    @Test
    void slicesOfOneTrackAreNested() throws IOException {
        for (Slice slice : PerfettoReading.of(RecordedMishaps.events()).slices()) {
            assertThat(slice.end() == null
                            || slice.end().orElseThrow().nanos()
                                    >= slice.begin().nanos())
                    .isTrue();
        }
        HandMade three = new HandMade();
        long first = three.post(1, true);
        long second = three.post(2, true);
        three.complete(first, 1);
        long third = three.post(3, true);
        three.complete(second, 2);
        three.complete(third, 3);
        PerfettoReading read = PerfettoReading.of(three.events);
        assertThat(read.slices())
                .extracting(slice -> List.of(
                        slice.begin().id(),
                        slice.end().orElseThrow().annotations().get("ended by")))
                .containsExactlyInAnyOrder(List.of(1L, 3L), List.of(2L, 5L), List.of(4L, 6L));
        assertThat(read.tracks.values())
                .filteredOn(track -> track.name().equals("requests"))
                .hasSize(2);
    }

    // rule completion-unsignaled
    @Test
    void anUnsignaledRequestEndsWithALaterOneOfItsQueuePair() throws IOException {
        HandMade silent = new HandMade();
        silent.post(1, false);
        long later = silent.post(2, true);
        silent.post(3, false);
        long done = silent.complete(later, 2);
        PerfettoReading read = PerfettoReading.of(silent.events);
        assertThat(read.slices()).filteredOn(slice -> slice.end().isPresent()).hasSize(2);
        assertThat(read.slices())
                .filteredOn(slice -> slice.begin().id() == 1)
                .singleElement()
                .satisfies(slice -> assertThat(slice.end().orElseThrow().annotations())
                        .containsEntry("ends", "done by then, unsignaled")
                        .containsEntry("ended by", done));
        assertThat(read.events)
                .filteredOn(event -> event.type() == 4)
                .extracting(Event::count)
                .containsExactly(1L, 2L, 3L, 2L, 1L);
    }

    // rule rendezvous-read
    @Test
    void aFetchOfAnAdapterEndsWhenItsDataAreFetched() throws IOException {
        HandMade fetch = new HandMade();
        long theirs = fetch.post(1, true);
        long own = fetch.post(2, false);
        fetch.events.add(new HcaEvent.Fetched(fetch.next(own, 0), "a", QP, 7));
        fetch.events.add(new HcaEvent.Fetched(fetch.next(theirs, 0), "b", QP, 8));
        assertThat(PerfettoReading.of(fetch.events).slices())
                .filteredOn(slice -> slice.end().isPresent())
                .singleElement()
                .satisfies(slice -> {
                    assertThat(slice.begin().id()).isEqualTo(own);
                    assertThat(slice.end().orElseThrow().annotations()).containsEntry("ends", "fetched");
                });
    }

    @Test
    void anArrowLeadsFromEachSendingToEachOfItsArrivals() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        PerfettoReading read = PerfettoReading.of(run);
        List<FabricEvent.Delivered> delivered = of(run, FabricEvent.Delivered.class);
        assertThat(delivered).hasSizeGreaterThan(30);
        assertThat(read.events).filteredOn(event -> !event.flows().isEmpty()).allMatch(event -> event.type() == 3);
        for (FabricEvent.Delivered arrival : delivered) {
            long id = arrival.stamp().id();
            assertThat(read.instants().filter(event -> event.lastOf().contains(id)))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.id()).isEqualTo(id);
                        assertThat(read.path(event.track())).startsWith(arrival.port() + "/qp");
                    });
            assertThat(read.instants().filter(event -> event.flows().contains(id)))
                    .singleElement()
                    .satisfies(event -> assertThat(event.id()).isLessThan(id));
        }
        assertThat(read.instants().mapToLong(event -> event.flows().size()).sum())
                .isEqualTo(delivered.size());
        assertThat(read.instants().mapToLong(event -> event.lastOf().size()).sum())
                .isEqualTo(delivered.size());
    }

    @Test
    void otherEventsAreInstantsOnTheirTrackAtTheirTime() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        PerfettoReading read = PerfettoReading.of(run);
        Map<Long, Event> instants = read.instants().collect(Collectors.toMap(Event::id, event -> event));
        assertThat(instants)
                .hasSize(run.size() - of(run, HcaEvent.WorkPosted.class).size());
        for (TraceEvent event : run) {
            if (event instanceof HcaEvent inside && !(event instanceof HcaEvent.WorkPosted)) {
                Event told = requireNonNull(instants.get(event.stamp().id()));
                assertThat(told.nanos()).isEqualTo(event.stamp().nanos());
                assertThat(read.path(told.track())).isEqualTo(inside.port() + "/" + inside.element());
                assertThat((String) told.annotations().get("wording")).isNotEmpty();
            }
        }
    }

    @Test
    void entriesOfCompletionQueuesAreCounted() throws IOException {
        List<TraceEvent> run = RecordedMishaps.events();
        PerfettoReading read = PerfettoReading.of(run);
        long written = of(run, HcaEvent.EntryWritten.class).size();
        List<Event> counts = read.events.stream()
                .filter(event -> event.type() == 4 && read.path(event.track()).matches("[abc]/cq\\d+/entries"))
                .toList();
        assertThat(counts)
                .hasSize((int) written
                        + of(run, HcaEvent.EntriesTaken.class).size()
                        + of(run, HcaEvent.EntriesReturned.class).size())
                .allMatch(event -> event.count() >= 0)
                .anyMatch(event -> event.count() == 1);
        assertThat(read.tracks.values())
                .filteredOn(track -> track.name().equals("entries"))
                .allMatch(PerfettoReading.Track::counts);
    }

    @Test
    void timesAreNotNegativeWithALaterOriginOfTheClock() throws IOException {
        Send send = Send.of(1, new LocalSlice(1, 0, 8));
        List<TraceEvent> run = List.of(
                new HcaEvent.WorkPosted(new Stamp(2, -400, 0, 0), "a", QP, send, true),
                new HcaEvent.WorkPosted(new Stamp(1, -500, 0, 0), "a", QP, send, true));
        assertThat(PerfettoReading.of(run).slices())
                .extracting(slice -> slice.begin().id(), slice -> slice.begin().nanos())
                .containsExactlyInAnyOrder(tuple(1L, 0L), tuple(2L, 100L));
    }
}
